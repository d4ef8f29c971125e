import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "#runtime/process/index";
import { startTestService, TestServiceError } from "#runtime/testing/index";
import { coversRole, guestRole } from "#vocabulary/accounts/role-names";
import type { LoadService } from "../app/lazy-service.ts";
import type { AccessOptions } from "./access-report.ts";
import { AccessCheckError, chosenParts, definitionAt, runAccessCheck } from "./check-access.ts";
import { type Mutant, mutationsOf, runMutations, TestsFail } from "./mutate.ts";
import { junitReport, printAccessReport } from "./print-report.ts";

/** The flags of `kirak check-access`. */
export interface CheckAccessFlags extends Pick<AccessOptions, "models" | "roles" | "operations"> {
  readonly json: boolean;
  /** The file of the JUnit report. */
  readonly junit: string | null;
  readonly seed: number;
  readonly keep: boolean;
  /** Whether the app's tests are checked, in place of the service. */
  readonly mutate: boolean;
  readonly testCommand: string;
}

/** Runs `kirak check-access`. Returns the exit code. */
export async function runCommand(
  flags: CheckAccessFlags,
  root: string,
  load: LoadService,
): Promise<0 | 1 | 2> {
  const { json, junit, keep, mutate, testCommand, ...parts } = flags;
  try {
    if (mutate) return await mutateApp(flags, root);
    const service = await load(root);
    const keptDatabase = (url: string) => void process.stderr.write(`the database is kept: ${url}\n`);
    const options = { ...parts, root, ...(keep && { keptDatabase }) };
    const report = await runAccessCheck(service, options, startTestService);
    if (junit !== null) writeFileSync(resolve(root, junit), junitReport(report));
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : printAccessReport(report));
    return report.failed === 0 ? 0 : 1;
  } catch (error) {
    const known = [AccessCheckError, CommandError, TestServiceError, TestsFail];
    const isKnown = known.some((kind) => error instanceof kind);
    if (!isKnown || !(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

/** Prints the atoms whose loss no test notices. */
async function mutateApp({ json, testCommand, ...options }: CheckAccessFlags, root: string): Promise<0 | 1> {
  const definition = await definitionAt(root);
  const { models, operations, roles } = chosenParts(definition, options);
  const mutations = [...mutationsOf(definition, models, operations)].filter(({ role }) =>
    [guestRole, ...roles].some((one) => coversRole(role, one)),
  );
  const report = await runMutations(root, mutations, testCommand, (mutant, isNoticed) => {
    if (!json) process.stdout.write(`${isNoticed ? "noticed" : "NOT NOTICED"}  ${mutantText(mutant)}\n`);
  });
  const { unnoticed, noticed } = report;
  const last = `${noticed} noticed, ${unnoticed.length} not noticed`;
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : `${last}\n`);
  return unnoticed.length === 0 ? 0 : 1;
}

function mutantText({ model, operation, role, atom }: Mutant): string {
  return `${model}.${operation} to ${role}, without: ${atom}`;
}

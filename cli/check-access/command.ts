import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "#runtime/process/index";
import { startTestService, TestServiceError } from "#runtime/testing/index";
import type { LoadService } from "../app/lazy-service.ts";
import type { AccessOptions } from "./access-report.ts";
import { AccessCheckError, runAccessCheck } from "./check-access.ts";
import { junitReport, printAccessReport } from "./print-report.ts";

/** The flags of `kirak check-access`. */
export interface CheckAccessFlags extends Pick<AccessOptions, "models" | "roles" | "operations"> {
  readonly json: boolean;
  /** The file of the JUnit report. */
  readonly junit: string | null;
  readonly seed: number;
  readonly keep: boolean;
}

/** Runs `kirak check-access`. Returns the exit code. */
export async function runCommand(
  flags: CheckAccessFlags,
  root: string,
  load: LoadService,
): Promise<0 | 1 | 2> {
  const { json, junit, keep, ...parts } = flags;
  try {
    const service = await load(root);
    const keptDatabase = (url: string) => void process.stderr.write(`the database is kept: ${url}\n`);
    const options = { ...parts, root, ...(keep && { keptDatabase }) };
    const report = await runAccessCheck(service, options, startTestService);
    if (junit !== null) writeFileSync(resolve(root, junit), junitReport(report));
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : printAccessReport(report));
    return report.failed === 0 ? 0 : 1;
  } catch (error) {
    const isKnown = [AccessCheckError, CommandError, TestServiceError].some((kind) => error instanceof kind);
    if (!isKnown || !(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

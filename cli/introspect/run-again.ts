import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { introspectAgain, modelsBefore } from "#generator/introspect/again/introspect-again";
import { printChanges } from "#generator/introspect/again/print-again";
import { remarkLines } from "#generator/introspect/as-found/print-found";
import { inServiceSchema, serviceSchemaOf } from "#runtime/core/config/index";
import { markNext } from "#runtime/migrations/runner/index";
import { createLog, explain } from "#runtime/process/index";
import type { IntrospectFlags } from "./introspect-flags.ts";
import { readFoundDatabase, withClient } from "./introspected-database.ts";
import { aboutUrl, end, type IntrospectExit, type IntrospectOutput } from "./outcome.ts";
import { schemasIn } from "./run-as-found.ts";

/** Compares a project that has models with its database, and proposes the difference. Returns the exit code. */
export async function introspectProject(
  given: string,
  flags: IntrospectFlags,
  root: string,
  output: IntrospectOutput,
): Promise<IntrospectExit> {
  const { check, schema } = flags;
  const dryRun = flags.dryRun || check;
  const url = inServiceSchema(given, serviceSchemaOf(root));
  const before = await modelsBefore({ ...flags, dryRun, root, name: "" });
  if ("problem" in before) return refused(before.problem, flags, output);
  const reading = await withClient(url, (client) =>
    readFoundDatabase(client, schema === null ? [] : schemasIn(schema), flags, before.schemas),
  );
  if ("refused" in reading) return end(output.printError, `${reading.refused}; nothing is written\n`, 2);
  const result = await introspectAgain(reading, before, { ...flags, dryRun, root, name: reading.database });
  if ("problem" in result) return refused(result.problem, flags, output);
  const { changes, migration, written } = result;
  const { remarks } = changes;
  if (flags.remarks !== null && !check) writeFileSync(join(root, flags.remarks), remarkLines(remarks));
  if (migration === null) return end(output.print, "the models describe the database; nothing to do\n", 0);
  output.print(printChanges(changes));
  if (remarks.length > 0 && flags.remarks === null)
    output.print(`${remarks.length} remarks: --remarks FILE\n`);
  if (check) return end(output.print, "the models differ from the database: run npm run introspect\n", 1);
  output.print(`${dryRun ? "would write" : "wrote"} ${written.join(", ")}\n`);
  if (dryRun) return 0;
  try {
    await markNext({ url, migration, log: createLog("introspect", "warn") });
  } catch (error) {
    const text = `${migration.name} could not be marked as applied: ${aboutUrl(explain(error), flags)}\n`;
    return end(output.printError, `${text}to go on: correct the problem, then run npm run migrate\n`, 1);
  }
  output.print(`marked ${migration.name} as applied in the database ${reading.database}\n`);
  return end(output.print, "next: npm run generate\n", 0);
}

function refused(
  { message, details, fix }: { readonly message: string; readonly details: string; readonly fix: string },
  flags: IntrospectFlags,
  { printError }: IntrospectOutput,
): IntrospectExit {
  return end(printError, `${message}\n${details}to go on: ${aboutUrl(fix, flags)}\n`, 2);
}

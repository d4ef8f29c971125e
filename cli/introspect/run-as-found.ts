import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { adoptAsFound } from "#generator/introspect/as-found/adopt-as-found";
import { introspectAsFound } from "#generator/introspect/as-found/introspect-as-found";
import { hasuraLines, printFound, remarkLines } from "#generator/introspect/as-found/print-found";
import { adoptHasura } from "#generator/introspect/hasura/adopt-hasura";
import { printLeftovers } from "#generator/introspect/print-outcome";
import { inServiceSchema, serviceSchemaOf } from "#runtime/core/config/index";
import type { IntrospectFlags } from "./introspect-flags.ts";
import { readFoundDatabase, withClient } from "./introspected-database.ts";
import { readMetadataFolder } from "./metadata-folder.ts";
import {
  aboutUrl,
  end,
  type IntrospectExit,
  type IntrospectOutput,
  markBaseline,
  migratedProblem,
} from "./outcome.ts";

/** The schema of Kirak's own tables, if the app's tables have their names. */
const serviceSchema = "kirak";

/** The schema that is read without `--schema`. */
export const defaultSchema = "public";

/** The names in a list of schemas. */
export function schemasIn(list: string): string[] {
  return list.split(",").map((name) => name.trim());
}

/** Introspects the tables as they are. Returns the exit code. */
export async function introspectFound(
  given: string,
  flags: IntrospectFlags,
  root: string,
  output: IntrospectOutput,
): Promise<IntrospectExit> {
  const metadata = flags.hasura === null ? null : await readMetadataFolder(flags.hasura, flags.guest, root);
  const tracked = (metadata?.tables ?? []).map(({ schema }) => schema).toSorted();
  const schemas = flags.schema === null ? [...new Set([defaultSchema, ...tracked])] : schemasIn(flags.schema);
  const views = flags.views || metadata !== null;
  const read = (from: string) => withClient(from, (client) => readFoundDatabase(client, schemas, { views }));
  let url = inServiceSchema(given, serviceSchemaOf(root));
  let reading = await read(url);
  if ("taken" in reading && !flags.dryRun) {
    await withClient(url, (client) => client.query(`create schema if not exists ${serviceSchema}`));
    url = inServiceSchema(given, serviceSchema);
    reading = await read(url);
  }
  if ("refused" in reading) return end(output.printError, `${reading.refused}; nothing is written\n`, 2);
  const migrated = migratedProblem(reading, flags);
  if (migrated !== null) return end(output.printError, migrated, 1);
  const adopt: typeof adoptAsFound = (tables, options) =>
    metadata === null ? adoptAsFound(tables, options) : adoptHasura(tables, options, metadata);
  const result = await introspectAsFound(reading, { ...flags, root, name: reading.database, adopt });
  if ("problem" in result) {
    const { message, details, fix } = result.problem;
    return end(
      output.printError,
      `${message}\n${details}to go on: ${aboutUrl(fix, flags)}\n`,
      result.exitCode,
    );
  }
  if (flags.remarks !== null) writeFileSync(join(root, flags.remarks), remarkLines(result.remarks));
  output.print(printFound(result, flags));
  output.printError(hasuraLines(result.remarks));
  if (flags.dryRun) return end(output.print, printLeftovers(result, flags), 0);
  const failed = await markBaseline(url, { ...result.baseline, found: reading.objects }, flags);
  if (failed !== null) return end(output.printError, failed, 1);
  output.print(`marked ${result.baseline.name} as applied in the database ${reading.database}\n`);
  return end(output.print, `${printLeftovers(result, flags)}next: npm run generate\n`, 0);
}

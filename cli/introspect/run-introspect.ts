import { hasModels } from "#generator/introspect/existing";
import { introspect } from "#generator/introspect/introspect";
import {
  introspectSummary,
  nextStep,
  printLeftovers,
  printRemarks,
} from "#generator/introspect/print-outcome";
import { shownPath } from "#generator/load/files";
import { ConfigError, readDatabaseUrl } from "#runtime/core/config/index";
import { CommandError, explain, loadEnvironment } from "#runtime/process/index";
import { baselineName } from "#vocabulary/migrations/migration-steps";
import type { IntrospectFlags } from "./introspect-flags.ts";
import { type DatabaseRead, readDatabase, withClient } from "./introspected-database.ts";
import {
  aboutUrl,
  end,
  type IntrospectExit,
  type IntrospectOutput,
  markBaseline,
  migratedProblem,
} from "./outcome.ts";
import { introspectProject } from "./run-again.ts";
import { defaultSchema, introspectFound } from "./run-as-found.ts";

/** `kirak introspect` in a project. Returns the exit code. */
export async function runIntrospect(
  given: IntrospectFlags,
  root: string,
  output: IntrospectOutput,
): Promise<IntrospectExit> {
  const flags = inProject(given, root);
  try {
    const url = readDatabaseUrl(
      flags.url === null ? loadEnvironment(root) : { SERVICE_DATABASE_URL: flags.url },
    );
    if (flags.hasura === null ? flags.guest !== null : flags.check || flags.normalise)
      return end(output.printError, notWithHasura, 2);
    const isNew = flags.force || flags.normalise || flags.hasura !== null;
    if (url !== null && !isNew && (await hasModels(root, flags.models)))
      return await introspectProject(url, flags, root, output);
    if (flags.check) return end(output.printError, nothingToCheck, 2);
    if (url !== null && flags.normalise) return await introspectUrl(url, flags, root, output);
    if (url !== null) return await introspectFound(url, flags, root, output);
    const message = "SERVICE_DATABASE_URL is not set: set it to the URL of the database, or use --url\n";
    return end(output.printError, message, 2);
  } catch (error) {
    const text = explain(error);
    const users =
      error instanceof ConfigError ||
      error instanceof CommandError ||
      /^the database cannot be reached/.test(text);
    return end(output.printError, users ? `${aboutUrl(text, flags)}\n` : `${text}\n`, users ? 2 : 70);
  }
}

const nothingToCheck =
  "--check compares existing models with the database, and has no effect without models, or with --force or --normalise\n";

const notWithHasura =
  "--hasura describes the tables as they are: leave out --check and --normalise; --guest needs --hasura\n";

/** Runs with the generator's paths. */
function inProject(flags: IntrospectFlags, root: string): IntrospectFlags {
  const { models, manifest, out } = flags;
  return {
    ...flags,
    models: shownPath(root, models),
    manifest: shownPath(root, manifest),
    out: shownPath(root, out),
  };
}

async function introspectUrl(
  url: string,
  flags: IntrospectFlags,
  root: string,
  output: IntrospectOutput,
): Promise<IntrospectExit> {
  const reading = await withClient(url, (client) => readDatabase(client, flags.schema ?? defaultSchema));
  if ("refused" in reading) return end(output.printError, `${reading.refused}; nothing is written\n`, 2);
  const migrated = migratedProblem(reading, flags);
  if (migrated !== null) return end(output.printError, migrated, 1);
  const result = await introspect(reading.schema, { ...flags, root, name: reading.database });
  if ("problem" in result) {
    const { message, details, fix } = result.problem;
    return end(
      output.printError,
      `${message}\n${details}to go on: ${aboutUrl(fix, flags)}\n`,
      result.exitCode,
    );
  }
  output.print(
    printRemarks(result.adoption.remarks) + foreignRemark(reading) + introspectSummary(result, flags),
  );
  if (flags.dryRun) return end(output.print, printLeftovers(result, flags), 0);
  const failed = await markBaseline(url, result.baseline, flags);
  if (failed !== null) return end(output.printError, failed, 1);
  output.print(`marked ${baselineName} as applied in the database ${reading.database}\n`);
  output.print(printLeftovers(result, flags));
  const { text, exitCode } = await nextStep({ ...flags, root });
  return end(exitCode === 0 ? output.print : output.printError, text, exitCode);
}

type Read = Exclude<DatabaseRead, { readonly refused: string }>;

/** Tables that the next migration cannot change. */
function foreignRemark({ role, foreign }: Read): string {
  if (foreign.length === 0) return "";
  return (
    `the role ${role} does not own ${foreign.join(", ")}: ` +
    `THE NEXT MIGRATION FAILS until it does (ALTER TABLE … OWNER TO ${role})\n`
  );
}

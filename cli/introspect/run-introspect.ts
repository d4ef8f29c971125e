import { introspect } from "#generator/introspect/introspect";
import {
  introspectSummary,
  nextStep,
  printLeftovers,
  printRemarks,
} from "#generator/introspect/print-outcome";
import { shownPath } from "#generator/load/files";
import { ConfigError, readDatabaseUrl } from "#runtime/core/config/index";
import { markApplied } from "#runtime/migrations/runner/index";
import { CommandError, createLog, explain, loadEnvironment } from "#runtime/process/index";
import { baselineName, type Migration } from "#vocabulary/migrations/migration-steps";
import type { IntrospectFlags } from "./introspect-flags.ts";
import { type DatabaseRead, readDatabase, withClient } from "./introspected-database.ts";

type ExitCode = 0 | 1 | 2 | 70;

/** Output of the command: progress, and errors. */
export interface IntrospectOutput {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** `kirak introspect` in a project. Returns the exit code. */
export async function runIntrospect(
  given: IntrospectFlags,
  root: string,
  output: IntrospectOutput,
): Promise<ExitCode> {
  const flags = inProject(given, root);
  try {
    const url = readDatabaseUrl(
      flags.url === null ? loadEnvironment(root) : { SERVICE_DATABASE_URL: flags.url },
    );
    if (url !== null) return await introspectUrl(url, flags, root, output);
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
): Promise<ExitCode> {
  const reading = await withClient(url, (client) => readDatabase(client, flags.schema));
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
  try {
    await markBaseline(url, result.baseline);
  } catch (error) {
    const fix = "correct the problem, then run `npm run generate` and `npm run migrate -- baseline`";
    const message = `the baseline could not be marked as applied: ${aboutUrl(explain(error), flags)}\nto go on: ${fix}\n`;
    return end(output.printError, message, 1);
  }
  output.print(`marked ${baselineName} as applied in the database ${reading.database}\n`);
  output.print(printLeftovers(result, flags));
  const { text, exitCode } = await nextStep({ ...flags, root });
  return end(exitCode === 0 ? output.print : output.printError, text, exitCode);
}

function end(print: (text: string) => void, text: string, code: ExitCode): ExitCode {
  print(text);
  return code;
}

type Read = Exclude<DatabaseRead, { readonly refused: string }>;

/** Why a database with migrations is refused, or null: its models exist already. */
function migratedProblem({ history, database }: Read, { force, dryRun }: IntrospectFlags): string | null {
  const [first, second] = history;
  const isRepeat = first === baselineName && second === undefined;
  if (first === undefined || ((force || dryRun) && isRepeat)) return null;
  const fix = isRepeat ? "introspect again with --force" : "use the models of the project that migrated it";
  return (
    `the database ${database} has migrations already (${history.join(", ")}), and nothing was written\n` +
    `to go on: ${fix}\n`
  );
}

/** Tables that the next migration cannot change. */
function foreignRemark({ role, foreign }: Read): string {
  if (foreign.length === 0) return "";
  return (
    `the role ${role} does not own ${foreign.join(", ")}: ` +
    `THE NEXT MIGRATION FAILS until it does (ALTER TABLE … OWNER TO ${role})\n`
  );
}

/** Rewords a text about SERVICE_DATABASE_URL if the user gave `--url`. */
function aboutUrl(text: string, { url }: IntrospectFlags): string {
  return url === null ? text : text.replaceAll("SERVICE_DATABASE_URL", "--url");
}

/** Marks the baseline as applied, and removes the mark of an earlier run. */
async function markBaseline(url: string, baseline: Migration): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass('kirak_migrations') is not null as there",
    );
    if (rows[0]?.there !== true) return;
    await client.query("delete from kirak_migrations where name = $1", [baselineName]);
    await client.query("delete from kirak_migration_checksums where name = $1", [baselineName]);
  });
  // Skips verification: the baseline is close to the tables, but not equal. An enum type becomes a text, for example.
  await markApplied({ url, migrations: [baseline], unverified: true, log: createLog("introspect", "warn") });
}

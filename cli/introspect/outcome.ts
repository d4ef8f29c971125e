import { markApplied } from "#runtime/migrations/runner/index";
import { createLog, explain } from "#runtime/process/index";
import { baselineName, type Migration } from "#vocabulary/migrations/migration-steps";
import type { IntrospectFlags } from "./introspect-flags.ts";
import { withClient } from "./introspected-database.ts";

export type IntrospectExit = 0 | 1 | 2 | 70;

/** Output of the command: progress, and errors. */
export interface IntrospectOutput {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Prints the last text of a run. Returns the exit code. */
export function end(print: (text: string) => void, text: string, code: IntrospectExit): IntrospectExit {
  print(text);
  return code;
}

/** Why a database with migrations is refused, or null: its models exist already. */
export function migratedProblem(
  { history, database }: { readonly history: readonly string[]; readonly database: string },
  { force, dryRun }: Pick<IntrospectFlags, "force" | "dryRun">,
): string | null {
  const [first, second] = history;
  const isRepeat = first === baselineName && second === undefined;
  if (first === undefined || ((force || dryRun) && isRepeat)) return null;
  const fix = isRepeat ? "introspect again with --force" : "use the models of the project that migrated it";
  return (
    `the database ${database} has migrations already (${history.join(", ")}), and nothing was written\n` +
    `to go on: ${fix}\n`
  );
}

/** Rewords a text about SERVICE_DATABASE_URL if the user gave `--url`. */
export function aboutUrl(text: string, { url }: Pick<IntrospectFlags, "url">): string {
  return url === null ? text : text.replaceAll("SERVICE_DATABASE_URL", "--url");
}

/** Marks the baseline as applied, and removes the mark of an earlier run. Returns why that failed, or null. */
export async function markBaseline(
  url: string,
  baseline: Migration,
  flags: Pick<IntrospectFlags, "url">,
): Promise<string | null> {
  try {
    await mark(url, baseline);
    return null;
  } catch (error) {
    const fix = "correct the problem, then run `npm run generate` and `npm run migrate -- baseline`";
    return `the baseline could not be marked as applied: ${aboutUrl(explain(error), flags)}\nto go on: ${fix}\n`;
  }
}

async function mark(url: string, baseline: Migration): Promise<void> {
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

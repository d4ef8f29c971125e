import { baselineName } from "#vocabulary/migration-steps";
import type { IntrospectFlags } from "./introspect-flags.ts";
import type { Reading } from "./introspected-database.ts";

type Read = Exclude<Reading, { readonly refused: string }>;

/** Why a database that has migrations is left alone, or null: it has models somewhere. */
export function migratedProblem(
  { history, database }: Read,
  { force, dryRun }: IntrospectFlags,
): string | null {
  const [first, second] = history;
  const again = first === baselineName && second === undefined;
  if (first === undefined || ((force || dryRun) && again)) return null;
  const fix = again
    ? "introspect once more with --force"
    : "its models are in the project that migrated it: use those";
  return (
    `the database ${database} has migrations already (${history.join(", ")}), and nothing is written\n` +
    `to go on: ${fix}\n`
  );
}

/** Tables that the next migration may not change. */
export function foreignRemark({ role, foreign }: Read): string {
  if (foreign.length === 0) return "";
  return (
    `the role ${role} does not own ${foreign.join(", ")}: ` +
    `THE NEXT MIGRATION FAILS until it does (ALTER TABLE … OWNER TO ${role})\n`
  );
}

/** A text about the database's URL, for whoever named it with a flag. */
export function aboutUrl(text: string, { url }: IntrospectFlags): string {
  return url === null ? text : text.replaceAll("SERVICE_DATABASE_URL", "--url");
}

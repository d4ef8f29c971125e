import { baselineName } from "../../generator/introspect/baseline.ts";
import type { Introspection } from "../../generator/introspect/introspect.ts";
import type { Flags } from "./introspect-arguments.ts";
import type { Reading } from "./introspected-database.ts";

type Made = Exclude<Introspection, { readonly problem: unknown }>;
type Read = Exclude<Reading, { readonly refused: string }>;

/** Why a database that has migrations is left alone, or null: it has models somewhere. */
export function migratedProblem({ history, database }: Read, { force, dryRun }: Flags): string | null {
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

/** How many models there are, and the files. */
export function summary({ adoption, written, removed }: Made, { dryRun }: Flags): string {
  const models = Object.keys(adoption.models).length;
  const gone = `, ${dryRun ? "and remove" : "removed"} ${removed.length} generated files`;
  return (
    `${models === 1 ? "1 model" : `${models} models`}: ${dryRun ? "would write" : "wrote"} ` +
    `${written.join(", ")}${removed.length === 0 ? "" : gone}\n`
  );
}

/** What stays of the project before, and what a run needs that is no dry one. */
export function leftovers({ inTheWay, orphans, keepsManifest }: Made, flags: Flags): string {
  const { dryRun, force, manifest } = flags;
  const lines = [
    ...(orphans.length === 0
      ? []
      : [
          `no model${dryRun ? " would be" : " is"} there for ${orphans.join(", ")}: delete them, nothing runs them`,
        ]),
    ...(inTheWay !== null && keepsManifest
      ? [
          `${manifest} stays as it is, with the service's name and lint_ignore: correct it${dryRun ? ", or delete it before" : ""}`,
        ]
      : []),
    ...(inTheWay !== null && !force ? [`${inTheWay}: to write, name --force`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A text about the database's URL, for whoever named it with a flag. */
export function aboutUrl(text: string, { url }: Flags): string {
  return url === null ? text : text.replaceAll("SERVICE_DATABASE_URL", "--url");
}

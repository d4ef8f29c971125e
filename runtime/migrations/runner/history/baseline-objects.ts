import type pg from "pg";
import { placeOfTable } from "../../../../vocabulary/migrations/check-sql.ts";
import type { FoundObject } from "../../../../vocabulary/migrations/found-objects.ts";
import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { readFoundObjects } from "../../catalog/index.ts";
import { createCustomObjects, recordCustomObjects } from "./custom-objects.ts";

/** What a database had before Kirak, by its baseline. */
export interface BaselineParts {
  readonly objects: readonly FoundObject[];
  /** The tables of the baseline, as in steps. */
  readonly tables: ReadonlySet<string>;
  /** Their schemas other than the first one of the search path. */
  readonly schemas: readonly string[];
}

/** The found tables and objects of migrations; null without any. */
export function foundPartsOf(migrations: readonly Migration[]): BaselineParts | null {
  const steps = migrations.flatMap(({ up }) => up);
  const tables = steps.flatMap((step) => (step.step === "create_table" && step.found ? [step.table] : []));
  const objects = migrations.flatMap(({ found = [] }) => found);
  const others = steps.flatMap(({ table }) => placeOfTable(table).schema ?? []);
  if (tables.length + objects.length + others.length === 0) return null;
  return { objects, tables: new Set(tables), schemas: [...new Set(others)] };
}

/** The prefix of kinds in the table of custom objects, for objects that a baseline did not make in this database. */
export const leftOut = "left out: ";

/**
 * Records the objects of a baseline that its steps do not make, after the steps ran in an empty database. Returns them, as
 * `trigger touch on film`.
 */
export async function recordLeftOut(client: pg.Client, migration: Migration): Promise<string[]> {
  const parts = foundPartsOf([migration]);
  if (parts === null || parts.objects.length === 0) return [];
  const now = await objectsNow(client, parts);
  const missing = unmadeObjects(parts, [migration]).filter((object) => !now.has(objectKey(object)));
  await createCustomObjects(client);
  await recordCustomObjects(
    client,
    missing.map(({ table, kind, name }) => ({
      migration: migration.name,
      kind: leftOut + kind,
      table,
      name,
    })),
  );
  return missing.map(
    ({ table, kind, name }) => `${kind.replace("_", " ")} ${name}${/view$/.test(kind) ? "" : ` on ${table}`}`,
  );
}

/** The objects that the database has now, by `objectKey`. */
export async function objectsNow(
  client: pg.ClientBase,
  { schemas }: BaselineParts,
): Promise<ReadonlyMap<string, FoundObject>> {
  const { rows } = await client.query<{ home: string }>("select current_schema() as home");
  const live = await readFoundObjects(client, [rows[0]?.home ?? "public", ...schemas]);
  return new Map(live.map((object) => [objectKey(object), object]));
}

/** The place of an object as the key of a map. */
export function objectKey({ table, kind, name }: Pick<FoundObject, "table" | "kind" | "name">): string {
  return JSON.stringify([table, kind, name]);
}

/** The objects that no step makes. */
export function unmadeObjects(
  { objects, tables }: BaselineParts,
  migrations: readonly Migration[],
): FoundObject[] {
  const made = new Set(migrations.flatMap(({ up }) => up).flatMap(madeBy));
  return objects.filter((object) => {
    const { table, kind } = object;
    const isTheirs = kind === "view" || kind === "materialized view" || tables.has(table);
    return isTheirs && !made.has(objectKey({ ...object, kind: kind === "unique" ? "index" : kind }));
  });
}

/** The keys of the objects that a step makes. */
function madeBy(step: Step): string[] {
  const { table } = step;
  switch (step.step) {
    case "create_table":
      return [
        ...(step.primaryKey === undefined
          ? []
          : [objectKey({ table, kind: "primary_key", name: step.primaryKey.name })]),
        ...step.columns.flatMap(({ name, default: value }) =>
          value === undefined || value === "unmanaged" ? [] : [objectKey({ table, kind: "default", name })],
        ),
      ];
    case "set_default":
      return [objectKey({ table, kind: "default", name: step.column })];
    case "add_index":
      return [objectKey({ table, kind: "index", name: step.index.name })];
    case "add_foreign_key":
      return [objectKey({ table, kind: "foreign_key", name: step.foreignKey.name })];
    case "add_check":
      return [objectKey({ table, kind: "check", name: step.check.name })];
    default:
      return [];
  }
}

import type pg from "pg";
import { placeOfTable } from "../../../../vocabulary/migrations/check-sql.ts";
import type { FoundObject } from "../../../../vocabulary/migrations/found-objects.ts";
import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { type RenamedValue, readFoundObjects } from "../../catalog/index.ts";
import { createCustomObjects, readCustomObjects, recordCustomObjects } from "./custom-objects.ts";

/** What a database has that another application made, by its baseline and later migrations of found tables. */
export interface BaselineParts {
  /** The last list of objects: it replaces the earlier ones. */
  readonly objects: readonly FoundObject[];
  /** The found tables, as in steps. */
  readonly tables: ReadonlySet<string>;
  /** Their schemas other than the first one of the search path. */
  readonly schemas: readonly string[];
}

/** The found tables and objects of migrations; null without any. */
export function foundPartsOf(migrations: readonly Migration[]): BaselineParts | null {
  const steps = migrations.flatMap(({ up }) => up);
  const tables = steps.flatMap((step) => (step.step === "create_table" && step.found ? [step.table] : []));
  const objects = migrations.findLast(({ found }) => found !== undefined)?.found ?? [];
  const schemas = schemasOf([...steps, ...objects]);
  if (tables.length + objects.length + schemas.length === 0) return null;
  return { objects, tables: new Set(tables), schemas };
}

/** The schemas of tables and views other than the first one of the search path. */
function schemasOf(tables: readonly { readonly table: string }[]): string[] {
  return [...new Set(tables.flatMap(({ table }) => placeOfTable(table).schema ?? []))];
}

/** The steps after the last list of objects. */
export function stepsSinceFound(migrations: readonly Migration[]): Step[] {
  const last = migrations.findLastIndex(({ found }) => found !== undefined);
  return migrations.slice(last + 1).flatMap(({ up }) => up);
}

/** The prefix of kinds in the table of custom objects, for objects that a baseline did not make in this database. */
export const leftOut = "left out: ";

/** The kind of a record that Kirak made found tables in this database: no other application does. */
const made = "made";

/**
 * Records that Kirak made the tables of a migration in this database, and the found objects that it did not make. Returns those that
 * were not recorded before, as `trigger touch on film`.
 */
export async function recordMade(
  client: pg.Client,
  migration: Pick<Migration, "name" | "found">,
): Promise<string[]> {
  const { found = [] } = migration;
  const now = await objectsNow(client, { schemas: schemasOf(found) });
  await createCustomObjects(client);
  const before = new Set(
    (await readCustomObjects(client)).map(({ table, kind, name }) =>
      objectKey({ table, kind, name: name ?? "" }),
    ),
  );
  const missing = found.filter(
    (object) =>
      !now.has(objectKey(madeObject(object))) &&
      !now.has(objectKey(object)) &&
      !before.has(objectKey({ ...object, kind: leftOut + object.kind })),
  );
  await recordCustomObjects(client, [
    { migration: migration.name, kind: made, table: "", name: null },
    ...missing.map(({ table, kind, name }) => ({
      migration: migration.name,
      kind: leftOut + kind,
      table,
      name,
    })),
  ]);
  return missing.map(
    ({ table, kind, name }) => `${kind.replace("_", " ")} ${name}${/view$/.test(kind) ? "" : ` on ${table}`}`,
  );
}

/** Whether Kirak made found tables in this database. Otherwise another application owns them. */
export async function madeFoundTables(client: pg.Client): Promise<boolean> {
  return (await readCustomObjects(client)).some(({ kind }) => kind === made);
}

/** The objects that the database has now, by `objectKey`. Their definitions have the former names of `renamed` values. */
export async function objectsNow(
  client: pg.ClientBase,
  { schemas }: Pick<BaselineParts, "schemas">,
  renamed: readonly RenamedValue[] = [],
): Promise<ReadonlyMap<string, FoundObject>> {
  const { rows } = await client.query<{ home: string }>("select current_schema() as home");
  const live = await readFoundObjects(client, [rows[0]?.home ?? "public", ...schemas], renamed);
  return new Map(live.map((object) => [objectKey(object), object]));
}

/** The place of an object as the key of a map. */
export function objectKey({ table, kind, name }: ObjectPlace): string {
  return JSON.stringify([table, kind, name]);
}

interface ObjectPlace extends Pick<FoundObject, "table" | "name"> {
  readonly kind: string;
}

/** An object as steps make it: a unique constraint is an index. */
function madeObject(object: FoundObject): FoundObject {
  return object.kind === "unique" ? { ...object, kind: "index" } : object;
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
    return isTheirs && !made.has(objectKey(madeObject(object)));
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

import { createHash } from "node:crypto";
import type pg from "pg";
import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import { placeOfTable } from "../../../../vocabulary/migrations/check-sql.ts";
import type { FoundObject } from "../../../../vocabulary/migrations/found-objects.ts";
import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import {
  type BaselineParts,
  leftOut,
  objectKey,
  objectsNow,
  stepsSinceFound,
  unmadeObjects,
} from "../history/baseline-objects.ts";
import { readCustomObjects } from "../history/custom-objects.ts";
import type { Comparison, Difference } from "./difference.ts";

/** The name of a table among temporary tables and in comparisons: they have one schema. */
export function flatName(table: string): string {
  const { schema, name } = placeOfTable(table);
  return nameIn(schema, name);
}

/** Longer names are cut by PostgreSQL. */
const maxNameBytes = 63;

/** A name with its schema in front, which PostgreSQL does not cut. */
function nameIn(schema: string | null, name: string): string {
  if (schema === null) return name;
  const whole = `${schema} ${name}`;
  if (Buffer.byteLength(whole) <= maxNameBytes) return whole;
  const digest = createHash("sha256").update(whole).digest("hex").slice(0, 12);
  const start = Buffer.from(whole).subarray(0, maxNameBytes - digest.length - 1);
  // A character can be cut in two.
  return `${start.toString().replace(/\uFFFD+$/, "")} ${digest}`;
}

/** A step on temporary tables. */
export function flatStep(step: Step): Step {
  const { schema } = placeOfTable(step.table);
  const inSchema = (name: string) => nameIn(schema, name);
  const flat = { ...step, table: flatName(step.table) };
  switch (flat.step) {
    case "create_table":
      if (flat.primaryKey === undefined) return flat;
      return { ...flat, primaryKey: { ...flat.primaryKey, name: inSchema(flat.primaryKey.name) } };
    case "rename_table":
      return { ...flat, to: flatName(flat.to) };
    case "add_index":
      return { ...flat, index: { ...flat.index, name: inSchema(flat.index.name) } };
    case "drop_index":
      return { ...flat, name: inSchema(flat.name) };
    case "rename_index":
      return { ...flat, name: inSchema(flat.name), to: inSchema(flat.to) };
    case "add_foreign_key": {
      const { references } = flat.foreignKey;
      const target = { ...references, table: flatName(references.table) };
      return { ...flat, foreignKey: { ...flat.foreignKey, references: target } };
    }
    default:
      return flat;
  }
}

/** The tables of another schema, under the names that they have among temporary tables. */
export function flatTables(tables: readonly CatalogTable[], schema: string): CatalogTable[] {
  return tables.map((table) => ({
    ...table,
    name: nameIn(schema, table.name),
    indexes: table.indexes.map((index) => ({ ...index, name: nameIn(schema, index.name) })),
  }));
}

/**
 * Tables whose definitions do not depend on their schemas. Models do not tell a partitioned or a foreign table from a plain one.
 * `schemas` begins with the first one of the search path.
 */
export function comparableTables(
  tables: readonly CatalogTable[],
  schemas: readonly string[] | null,
): CatalogTable[] {
  const [home, ...others] = schemas ?? [];
  const nameOf = (schema: string, table: string) =>
    schema !== home && others.includes(schema) ? nameIn(schema, table) : table;
  return tables.map((table) => ({
    ...table,
    kind: table.kind === "partitioned table" || table.kind === "foreign table" ? "table" : table.kind,
    constraints: table.constraints.map((constraint) => {
      const { references, definition } = constraint;
      if (references === null) return constraint;
      const target = ` REFERENCES ${nameOf(references.schema, references.table)}(`;
      return { ...constraint, definition: definition.replace(/ REFERENCES .*?\(/, () => target) };
    }),
    indexes: table.indexes.map((index) => ({
      ...index,
      definition: index.definition.replace(
        / INDEX .*? USING /,
        () => ` INDEX ${index.name} ON ${table.name} USING `,
      ),
    })),
  }));
}

/** A comparison without what was there before Kirak and is unchanged, and with what was dropped or altered since. */
export async function withFoundObjects(
  client: pg.Client,
  { differences, notes }: Comparison,
  parts: BaselineParts,
  migrations: readonly Migration[],
): Promise<Comparison> {
  const steps = stepsSinceFound(migrations);
  const renamed = steps.flatMap((step) => (step.step === "rename_enum_value" ? [step] : []));
  const now = await objectsNow(client, parts, renamed);
  const never = new Set(
    (await readCustomObjects(client)).map(({ table, kind, name }) => JSON.stringify([table, kind, name])),
  );
  const tables = new Set([...parts.tables].map(flatName));
  const isSame = (object: FoundObject) => now.get(objectKey(object))?.digest === object.digest;
  const kept = parts.objects.filter(isSame);
  const unchanged = new Set(kept.flatMap(differenceKeys));
  const isOurs = (difference: Difference) =>
    !(isAddedTable(difference) || (tables.has(difference.table) && isFound(difference, unchanged)));
  const shown = (found: readonly Difference[]) =>
    found.filter(isOurs).map((difference) => ({ ...difference, table: stepName(difference.table, parts) }));
  const changed = changedObjects(parts, now, migrations, never, isSame);
  return {
    differences: [...shown(differences), ...changed],
    notes: shown(notes.filter((note) => !isDomain(note, tables))),
  };
}

/** The name of a table in steps, for one of `flatName`. */
function stepName(flat: string, { schemas, tables }: BaselineParts): string {
  const known = [...tables].find((table) => flatName(table) === flat);
  if (known !== undefined) return known;
  const schema = schemas.find((name) => flat.startsWith(`${name} `));
  return schema === undefined ? flat : `${schema}.${flat.slice(schema.length + 1)}`;
}

/** A domain of the database is described by its base type. */
function isDomain({ kind, table }: Difference, tables: ReadonlySet<string>): boolean {
  return kind === "type" && tables.has(table);
}

function isAddedTable({ kind, expected }: Difference): boolean {
  return kind === "table" && expected === null;
}

const traits: ReadonlySet<string> = new Set(["unlogged", "inheritance", "row_security", "collation"]);

function isFound({ kind, table, name, expected }: Difference, unchanged: ReadonlySet<string>): boolean {
  if (expected === null || traits.has(kind)) return true;
  const what = kind === "identity" || kind === "sequence" ? "default" : kind;
  return unchanged.has(JSON.stringify([table, what, what === "primary_key" ? null : name]));
}

/** The differences that an unchanged object explains: a unique constraint is an index in steps. */
function differenceKeys({ table, kind, name }: FoundObject): string[] {
  const { schema } = placeOfTable(table);
  const index = nameIn(schema, name);
  const key = (what: string, of: string | null) => JSON.stringify([flatName(table), what, of]);
  if (kind === "primary_key") return [key(kind, null)];
  return [
    key(kind, name),
    ...(kind === "index" || kind === "unique" ? [key("index", index), key("unique", index)] : []),
  ];
}

/** The objects that steps do not make, and that were dropped or altered since they were found. */
function changedObjects(
  parts: BaselineParts,
  now: ReadonlyMap<string, FoundObject>,
  migrations: readonly Migration[],
  never: ReadonlySet<string>,
  isSame: (object: FoundObject) => boolean,
): Difference[] {
  const steps = stepsSinceFound(migrations);
  // PostgreSQL drops objects with their columns and tables.
  const shrunk = new Set(steps.flatMap((step) => (/^(drop|rename)_/.test(step.step) ? [step.table] : [])));
  return unmadeObjects(parts, migrations).flatMap((object): Difference[] => {
    const { table, kind, name } = object;
    if (never.has(JSON.stringify([table, leftOut + kind, name]))) return [];
    const is = now.get(objectKey(object));
    if (isSame(object) || (is === undefined && shrunk.has(table))) return [];
    const what = kind.replace("_", " ");
    const actual = is === undefined ? null : "altered since";
    const expected = is === undefined ? what : `the ${what} of the baseline`;
    return [{ kind, table, name, expected, actual }];
  });
}

import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type CatalogTable, elementTypeOf } from "../../../../vocabulary/migrations/catalog.ts";
import { placeOfTable } from "../../../../vocabulary/migrations/check-sql.ts";
import type { FoundObject } from "../../../../vocabulary/migrations/found-objects.ts";
import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { readCatalog } from "../../catalog/index.ts";
import { objectKey, objectsNow } from "../history/baseline-objects.ts";
import { shortType } from "./canonical.ts";
import { type EnumValues, expectedValues, presentValues } from "./enum-values.ts";

/** A part of the effect of a step that the database lacks. */
export interface Lack {
  readonly place: readonly [table: string, column?: string];
  readonly what: string;
  /** Whether the database has nothing of the step. */
  readonly whole: boolean;
  /** Whether the column is there, with another type. */
  readonly isMistyped: boolean;
}

type Tables = ReadonlyMap<string, CatalogTable>;

const structural =
  /^(?:(?:create|drop|rename)_table|(?:add|drop|rename)_column|set_(?:id_)?type|(?:add|rename)_enum_value)$/;

/**
 * What the database lacks of each step that decides: of those that change tables and columns, or of all others. It can have the enum
 * types and other parts of `later` migrations instead.
 */
export async function lacksOf(
  client: pg.Client,
  steps: readonly Step[],
  found: readonly FoundObject[],
  later: readonly Migration[],
): Promise<Lack[][]> {
  const schemas = [...new Set(steps.flatMap(({ table }) => placeOfTable(table).schema ?? []))];
  const tables = await tablesOf(client, schemas);
  const deciding = steps.filter(({ step }) => structural.test(step));
  if (deciding.length > 0) {
    const values = await presentValues(client, expectedValues([{ up: steps }]));
    const states = [[], ...later.map((_, at) => later.slice(0, at + 1))].map((more) =>
      expectedValues([{ up: steps }, ...more]),
    );
    return deciding
      .filter((step) => step.step !== "drop_column" || !adds(steps, step.table, step.column))
      .flatMap((step) => {
        if (step.step === "set_type" && step.from === step.type) return [againLacks(step, values, states)];
        if (step.step !== "add_enum_value" && step.step !== "rename_enum_value")
          return [structureLacks(step, tables.get(step.table), tables, steps)];
        const lacks = valueLacks(step, values);
        // A value stays after a run that failed or was reverted, so it does not decide if there are other steps.
        return lacks.length === 0 && deciding.some(({ step: other }) => !other.endsWith("_enum_value"))
          ? []
          : [lacks];
      });
  }
  const now = await objectsNow(client, { schemas });
  const altered = new Set(
    found.filter((object) => now.get(objectKey(object))?.digest !== object.digest).map(objectKey),
  );
  return steps
    .filter((step) => step.step !== "set_default" || step.default !== "unmanaged")
    .filter((step) => !isReplacedPart(step, steps))
    .filter((step) => !later.some(({ up }) => up.some((other) => partKey(other) === partKey(step))))
    .filter((step) => !isWithout(step, tables.get(step.table)))
    .map((step) => partLacks(step, tables.get(step.table), altered));
}

/** The part of a table that a step changes. */
function partKey(step: Step): string {
  const name = addedPart(step) ?? ("name" in step ? step.name : null);
  const column = "column" in step && typeof step.column === "string" ? step.column : null;
  return JSON.stringify([step.table, name, column, name === null ? step.step : null]);
}

/** Whether a step drops a default that the column does not have. A database that Kirak made has never had some of them. */
function isWithout(step: Step, table: CatalogTable | undefined): boolean {
  if (step.step !== "set_default" || step.default !== null) return false;
  const column = table?.columns.find(({ name }) => name === step.column);
  return column?.default === null && column.identity === null;
}

/** Whether a part is dropped because another one takes its name. */
function isReplacedPart(step: Step, steps: readonly Step[]): boolean {
  if (!step.step.startsWith("drop_") || !("name" in step)) return false;
  return steps.some((other) => other.table === step.table && addedPart(other) === step.name);
}

function addedPart(step: Step): string | null {
  switch (step.step) {
    case "add_index":
      return step.index.name;
    case "add_foreign_key":
      return step.foreignKey.name;
    case "add_check":
      return step.check.name;
    case "add_primary_key":
      return step.primaryKey.name;
    default:
      return null;
  }
}

/** Whether a column of another type takes the place of a dropped one. */
function adds(steps: readonly Step[], table: string, column: string): boolean {
  return steps.some(
    (step) => step.step === "add_column" && step.table === table && step.column.name === column,
  );
}

function drops(steps: readonly Step[], table: string, column: string): boolean {
  return steps.some((step) => step.step === "drop_column" && step.table === table && step.column === column);
}

/** The tables of the first schema of the search path and of further ones, by their names in steps. */
async function tablesOf(client: pg.Client, further: readonly string[]): Promise<Tables> {
  const { rows } = await client.query<{ home: string }>("select current_schema() as home");
  const home = rows[0]?.home ?? "public";
  const tables = new Map<string, CatalogTable>();
  for (const schema of new Set([home, ...further]))
    for (const table of await readCatalog(client, schema))
      if (!/view$/.test(table.kind))
        tables.set(schema === home ? table.name : `${schema}.${table.name}`, table);
  return tables;
}

function structureLacks(
  step: Step,
  table: CatalogTable | undefined,
  tables: Tables,
  all: readonly Step[],
): Lack[] {
  const missing = "the column does not exist";
  const isThere = (column: string) => table?.columns.some(({ name }) => name === column) === true;
  const columnLacks = ({ name, type }: { name: string; type: string }, whole: boolean) =>
    isThere(name)
      ? typeLacks(name, type, drops(all, step.table, name))
      : [lack([step.table, name], missing, whole)];
  const typeLacks = (name: string, type: string, whole: boolean) => {
    const column = table?.columns.find((one) => one.name === name);
    if (column === undefined) return [lack([step.table, name], missing)];
    const is = shortType(column.baseType ?? column.type);
    if (plainType(is) === plainType(type)) return [];
    return [{ ...lack([step.table, name], `expected ${type}, is ${is}`, whole), isMistyped: true }];
  };
  switch (step.step) {
    case "create_table":
      if (table === undefined) return [lack([step.table], "the table does not exist")];
      return step.columns.flatMap((column) => columnLacks(column, false));
    case "drop_table":
      return table === undefined ? [] : [lack([step.table], "the table still exists")];
    case "rename_table":
      return tables.has(step.to) ? [] : [lack([step.to], "the table does not exist")];
    case "add_column":
      return columnLacks(step.column, true);
    case "drop_column":
      return isThere(step.column) ? [lack([step.table, step.column], "the column still exists")] : [];
    case "rename_column":
      return isThere(step.to) ? [] : [lack([step.table, step.to], missing)];
    case "set_type":
      return typeLacks(step.column, step.type, true);
    case "set_id_type":
      return typeLacks("id", step.type, true);
    default:
      return [];
  }
}

type EnumStep = Extract<Step, { readonly step: "add_enum_value" | "rename_enum_value" }>;

function valueLacks(step: EnumStep, values: EnumValues): Lack[] {
  const value = step.step === "add_enum_value" ? step.value : step.to;
  const isThere = values.get(step.type)?.includes(value) === true;
  return isThere ? [] : [lack([step.table], `the type ${step.type} does not have the value ${value}`)];
}

/** What the database lacks of an enum type that was created again. */
function againLacks(
  { table, column, type }: Extract<Step, { readonly step: "set_type" }>,
  values: EnumValues,
  states: readonly EnumValues[],
): Lack[] {
  const name = elementTypeOf(type) ?? type;
  const isThere = states.some((state) => isDeepStrictEqual(state.get(name), values.get(name)));
  return isThere ? [] : [lack([table, column], `the type ${name} has other values`)];
}

const partKinds = ["index", "unique", "foreign_key", "check", "primary_key"];

/** What the database lacks of a step that changes neither tables nor columns. `altered` are found objects that it has otherwise. */
function partLacks(step: Step, table: CatalogTable | undefined, altered: ReadonlySet<string>): Lack[] {
  const isAltered = (kind: string, name: string) => altered.has(objectKey({ table: step.table, kind, name }));
  const has = (name: string) =>
    [...(table?.indexes ?? []), ...(table?.constraints ?? [])].some((part) => part.name === name);
  const added = addedPart(step) ?? (step.step.startsWith("rename_") && "to" in step ? step.to : null);
  if (added !== null) {
    const isThere = has(added) && !partKinds.some((kind) => isAltered(kind, added));
    return isThere ? [] : [lack([step.table], `${added} does not exist, or is another one`)];
  }
  switch (step.step) {
    case "set_nullable": {
      const column = table?.columns.find(({ name }) => name === step.column);
      const what = `the column is ${step.nullable ? "still" : "not"} required`;
      return column?.nullable === step.nullable ? [] : [lack([step.table, step.column], what)];
    }
    case "set_default": {
      const column = table?.columns.find(({ name }) => name === step.column);
      const hasDefault = column !== undefined && (column.default !== null || column.identity !== null);
      const isThere = step.default !== null && hasDefault && !isAltered("default", step.column);
      return isThere ? [] : [lack([step.table, step.column], "the default differs")];
    }
    default:
      return "name" in step && has(step.name) ? [lack([step.table], `${step.name} still exists`)] : [];
  }
}

/** A type without quotes and without its schema, which depends on the search path. */
function plainType(type: string): string {
  return type
    .replaceAll('"', "")
    .replace(/^[^.()]*\.(?=[^.]+$)/, "")
    .replace(/^numeric\((\d+)\)/, "numeric($1,0)");
}

function lack(place: Lack["place"], what: string, whole = true): Lack {
  return { place, what, whole, isMistyped: false };
}

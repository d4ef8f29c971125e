import { isDeepStrictEqual } from "node:util";
import { checkWithColumnNames, type Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import type { Table } from "./schema.ts";
import { tableNameOf } from "./snapshot.ts";

/** A renamed table, or a table with renamed columns. `from` and `to` are equal if only columns were renamed. */
export interface TableRename {
  readonly from: string;
  readonly to: string;
  readonly columns: ReadonlyMap<string, string>;
}

/**
 * The renames that the models declare and that the migrations do not contain yet. A rename is never guessed. A model is
 * recognised by its key, its `renamed_from` or a `known` rename, and a field by its name, its `renamed_from` or a `known` rename.
 */
export function declaredRenames(
  before: readonly Table[],
  definition: ServiceDefinition,
  known: readonly TableRename[] = [],
): TableRename[] {
  const keys = new Set(definition.models.map((model) => model.key));
  const byModel = new Map(before.map((table) => [table.model, table]));
  const taken = new Set(before.map((table) => table.name));
  const claimed = new Set<string>();
  const renames: TableRename[] = [];
  for (const model of definition.models.filter(({ view }) => !view)) {
    const former = model.renamedFrom !== null && !keys.has(model.renamedFrom) ? model.renamedFrom : "";
    const name = tableNameOf(model);
    const names = known.find(({ to }) => to === name);
    const held = before.find((one) => one.name === names?.from && !keys.has(one.model));
    const table = byModel.get(model.key) ?? byModel.get(former) ?? held;
    if (table === undefined || claimed.has(table.name)) continue;
    if (table.name !== name && taken.has(name)) continue;
    claimed.add(table.name);
    renames.push({ from: table.name, to: name, columns: columnRenames(table, model, names) });
  }
  return renames.filter(({ from, to, columns }) => from !== to || columns.size > 0);
}

function columnRenames(table: Table, model: ModelDefinition, known?: TableRename): Map<string, string> {
  const held = new Set(table.columns.map((column) => column.name));
  const fields = new Set(model.fields.map((field) => field.column));
  const columns = new Map<string, string>();
  const given = new Map([...(known?.columns ?? [])].map(([from, to]) => [to, from]));
  for (const { column: name, renamedFrom: declared } of model.fields) {
    const renamedFrom = declared ?? given.get(name) ?? null;
    if (renamedFrom === null || !held.has(renamedFrom) || fields.has(renamedFrom)) continue;
    if (!held.has(name) && !columns.has(renamedFrom)) columns.set(renamedFrom, name);
  }
  const key = adoptedKey(table);
  const id = model.columns.id?.name;
  if (key === undefined || id === undefined || held.has(id) || fields.has(key) || columns.has(key))
    return columns;
  columns.set(key, id);
  return columns;
}

/** The primary key of an introspected table that can become `id`: one column of a suitable type. */
function adoptedKey({ primaryKey, columns }: Table): string | undefined {
  const [name, second] = primaryKey?.columns ?? [];
  const type = columns.find((column) => column.name === name)?.type ?? "";
  return second === undefined && ["smallint", "integer", "bigint", "uuid"].includes(type) ? name : undefined;
}

/** The inverse renames. */
export function reversed(renames: readonly TableRename[]): TableRename[] {
  return renames.map(({ from, to, columns }) => ({
    from: to,
    to: from,
    columns: new Map([...columns].map(([old, name]) => [name, old])),
  }));
}

/** One step for each rename: first tables, then columns, under the new names of the tables. `after` has the keys of models. */
export function renameSteps(renames: readonly TableRename[], after: readonly Table[]): Step[] {
  const models = new Map(after.map(({ name, model }) => [name, model]));
  const tables = renames.flatMap(({ from, to }): Step[] => {
    const model = models.get(to) ?? to;
    return from === to ? [] : [{ step: "rename_table", table: from, to, ...(model === to ? {} : { model }) }];
  });
  const columns = renames.flatMap(({ to: table, columns: names }) =>
    [...names].map(([column, to]): Step => ({ step: "rename_column", table, column, to })),
  );
  return [...tables, ...columns];
}

/** The tables after the renames. Names of indexes and constraints stay. */
export function renamed(tables: readonly Table[], renames: readonly TableRename[]): Table[] {
  const byTable = new Map(renames.map((rename) => [rename.from, rename]));
  const columnOf = (table: string, column: string) => byTable.get(table)?.columns.get(column) ?? column;
  const tableOf = (table: string) => byTable.get(table)?.to ?? table;
  const taken = new Set(renames.map(({ to }) => to));
  // A reference to a table whose name another table takes over has no target any more.
  const referenceOf = (table: string) => (taken.has(table) && !byTable.has(table) ? "" : tableOf(table));
  return tables.map((table) => ({
    ...withoutKey(table),
    ...keyNamed(table, (column) => columnOf(table.name, column)),
    name: tableOf(table.name),
    columns: table.columns.map((column) => ({ ...column, name: columnOf(table.name, column.name) })),
    indexes: table.indexes.map((index) => ({
      ...index,
      columns: index.columns.map((column) => columnOf(table.name, column)),
    })),
    checks: table.checks.map((check) =>
      checkWithColumnNames(check, (column) => columnOf(table.name, column)),
    ),
    foreignKeys: table.foreignKeys.map((key) => ({
      ...key,
      column: columnOf(table.name, key.column),
      references: {
        table: referenceOf(key.references.table),
        column: columnOf(key.references.table, key.references.column),
      },
    })),
  }));
}

/** Renames tables and keeps the names of their primary keys, as PostgreSQL does. */
export function withNewNames(tables: readonly Table[], names: ReadonlyMap<string, string>): Table[] {
  const renames = [...names].map(([from, to]) => ({ from, to, columns: new Map<string, string>() }));
  return renamed(tables, renames).map((table, index) => {
    const key = tables[index]?.primaryKey;
    return key === undefined ? table : { ...table, primaryKey: key };
  });
}

function withoutKey({ primaryKey: _, ...table }: Table): Table {
  return table;
}

/** The primary key with new column names. Absent if it is `id`, or if the table was there without a key. */
function keyNamed(table: Table, columnOf: (column: string) => string): Pick<Table, "primaryKey"> {
  if (table.found === true) {
    const key = table.primaryKey;
    return key === undefined ? {} : { primaryKey: { ...key, columns: key.columns.map(columnOf) } };
  }
  const { name, columns } = table.primaryKey ?? { name: `${table.name}_pkey`, columns: ["id"] };
  const renamedColumns = columns.map(columnOf);
  return isDeepStrictEqual(renamedColumns, ["id"]) ? {} : { primaryKey: { name, columns: renamedColumns } };
}

import type { CatalogColumn, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";
import type {
  Column,
  ColumnDefault,
  Index,
  PrimaryKey,
} from "../../../vocabulary/migrations/migration-steps.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import type { PlannedMigration } from "../../migrations/plan.ts";
import type { Table } from "../../migrations/schema.ts";
import { tablesOf } from "../../migrations/snapshot.ts";
import { baselineMigration } from "../baseline.ts";
import { type FoundTable, isPlainUnique } from "./found-table.ts";

/** The tables of the models with what the database has and models do not say: names, keys and defaults. */
export function foundBaselineTables(definition: ServiceDefinition, found: readonly FoundTable[]): Table[] {
  const sources = new Map(found.map((table) => [table.key, table.source]));
  return tablesOf(definition).flatMap((table) => {
    const source = sources.get(table.model);
    return source === undefined ? [] : [asInDatabase(table, source)];
  });
}

/** The migration that describes the tables, with the objects of the database that it does not make. */
export function foundBaseline(tables: readonly Table[], objects: readonly FoundObject[]): PlannedMigration {
  const names = new Set(tables.map(({ name }) => name));
  const isTheirs = ({ table, kind }: FoundObject) => names.has(table) || /view$/.test(kind);
  return { ...baselineMigration(tables), found: objects.filter(isTheirs) };
}

function asInDatabase({ primaryKey: _, ...table }: Table, source: CatalogTable): Table {
  const indexes = table.indexes.flatMap((index) => sourceIndex(index, source));
  return {
    model: table.model,
    name: table.name,
    found: true,
    ...primaryKeyOf(table, source),
    columns: table.columns.map((column) => columnOf(column, source)),
    indexes: [...indexes, ...idIndexes(table, source, indexes)],
    foreignKeys: table.foreignKeys.map((key) => ({
      ...key,
      name:
        source.constraints.find(
          ({ kind, columns }) => kind === "foreign_key" && columns.length === 1 && columns[0] === key.column,
        )?.name ?? key.name,
    })),
    checks: table.checks,
  };
}

function primaryKeyOf(
  { columns }: Pick<Table, "columns">,
  { constraints }: CatalogTable,
): { primaryKey?: PrimaryKey } {
  const key = constraints.find(({ kind }) => kind === "primary_key");
  const isComplete = key?.columns.every((name) => columns.some((column) => column.name === name)) === true;
  return key === undefined || !isComplete ? {} : { primaryKey: { name: key.name, columns: key.columns } };
}

/** The index of the database that a declared one stands for. A foreign key without an index gets none. */
function sourceIndex(index: Index, { indexes }: CatalogTable): Index[] {
  const method = index.method ?? "btree";
  const same = indexes.find(
    (other) =>
      other.unique === index.unique &&
      other.valid &&
      other.predicate === null &&
      other.method === method &&
      other.columns?.join("\0") === index.columns.join("\0"),
  );
  return same === undefined ? [] : [{ ...index, name: same.name }];
}

/** The unique index of an id that is not a primary key. */
function idIndexes(
  { columns }: Pick<Table, "columns">,
  source: CatalogTable,
  declared: readonly Index[],
): Index[] {
  const [first] = columns;
  const primary = source.constraints.some(({ kind }) => kind === "primary_key");
  const index = source.indexes.find(
    (one) => isPlainUnique(source, one) && one.columns?.length === 1 && one.columns[0] === first?.name,
  );
  const isNamed = declared.some(({ name }) => name === index?.name);
  if (primary || isNamed || index === undefined || index.columns === null) return [];
  return [{ name: index.name, columns: index.columns, unique: true, live: false }];
}

function columnOf({ default: declared, ...column }: Column, { columns }: CatalogTable): Column {
  const source = columns.find(({ name }) => name === column.name);
  const value = typeof declared === "object" && "literal" in declared ? declared : defaultOf(source);
  return value === null ? column : { ...column, default: value };
}

/** The default of a column in steps; null without one. */
function defaultOf(source: CatalogColumn | undefined): ColumnDefault | null {
  if (source === undefined) return null;
  const { default: expression, identity, generated, sequence, portable } = source;
  if (identity !== null) return identity === "always" ? "always_identity" : "identity";
  if (expression === null) return null;
  if (sequence && ["smallint", "integer", "bigint"].includes(source.type)) return "sequence";
  if (!portable) return "unmanaged";
  if (generated) return { computed: expression };
  if (expression === "now()") return "now";
  return expression === "gen_random_uuid()" ? "random_uuid" : { expression };
}

import type { Column, Index } from "../../vocabulary/migrations/migration-steps.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { isSamePart } from "./constraints.ts";
import { renamed, type TableRename } from "./renames.ts";
import type { Table } from "./schema.ts";
import { tableNameOf } from "./snapshot.ts";

/**
 * The tables of the models. A table that was there before Kirak keeps what models do not say: its primary key, the names of its
 * indexes and constraints, and the defaults that the database has.
 */
export function withFoundParts(
  before: readonly Table[],
  after: readonly Table[],
  renames: readonly TableRename[],
  { models }: ServiceDefinition,
): Table[] {
  const found = new Map(
    renamed(before, renames).flatMap((table) => (table.found === true ? [[table.name, table] as const] : [])),
  );
  const runtime = new Map(
    models.map((model) => [
      tableNameOf(model),
      Object.values(model.columns).flatMap((column) => column?.name ?? []),
    ]),
  );
  return after.map((table) => {
    const was = found.get(table.name);
    return was === undefined ? table : foundTable(was, table, new Set(runtime.get(table.name)));
  });
}

function foundTable(was: Table, { primaryKey: _, ...now }: Table, runtime: ReadonlySet<string>): Table {
  return {
    ...now,
    found: true,
    ...(was.primaryKey === undefined ? {} : { primaryKey: was.primaryKey }),
    columns: now.columns.map((column) => {
      const former = was.columns.find(({ name }) => name === column.name);
      const isTheirs = column.default === "unmanaged" || runtime.has(column.name);
      return former === undefined || !isTheirs ? column : withDefault(column, former.default);
    }),
    indexes: foundIndexes(was, now, runtime),
    foreignKeys: underFoundNames(was.foreignKeys, now.foreignKeys),
    checks: underFoundNames(was.checks, now.checks),
  };
}

function withDefault({ default: _, ...column }: Column, value: Column["default"]): Column {
  return value === undefined ? column : { ...column, default: value };
}

/** A found foreign key gets no index, and a unique column that serves as the id keeps its own. */
function foundIndexes(was: Table, now: Table, runtime: ReadonlySet<string>): Index[] {
  const wanted = underFoundNames(was.indexes, now.indexes).filter(
    (index) => was.indexes.some((other) => isSamePart(index, other)) || !isImplied(index, was, now),
  );
  const ofId = was.indexes.filter(
    (index) =>
      index.unique &&
      index.columns.every((column) => runtime.has(column)) &&
      !wanted.some((other) => isSamePart(index, other)),
  );
  return [...wanted, ...ofId];
}

function isImplied({ columns, unique }: Index, was: Table, now: Table): boolean {
  const [column, second] = columns;
  const isThere = was.columns.some(({ name }) => name === column);
  return !unique && second === undefined && isThere && now.foreignKeys.some((key) => key.column === column);
}

/** The parts with the names that equal parts of the table have. */
function underFoundNames<Part extends { readonly name: string }>(
  found: readonly Part[],
  wanted: readonly Part[],
): Part[] {
  const free = [...found];
  return wanted.map((part) => {
    const index = free.findIndex((other) => isSamePart({ ...other, name: part.name }, part));
    const [match] = index < 0 ? [] : free.splice(index, 1);
    return match === undefined ? part : { ...part, name: match.name };
  });
}

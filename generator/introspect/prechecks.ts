import type { CatalogConstraint, CatalogSchema, CatalogTable } from "../../vocabulary/migrations/catalog.ts";
import { internalTables } from "../../vocabulary/migrations/internal-tables.ts";
import type { ColumnType } from "../../vocabulary/migrations/migration-steps.ts";
import { columnType } from "../migrations/snapshot.ts";
import type { DraftColumn } from "./draft.ts";
import { type Adopted, jsonKindOf } from "./model-json.ts";
import type { Remark } from "./remarks.ts";

/** Objects that block the migrations after the baseline: drop or rename them first. */
export function prechecks(schema: CatalogSchema, adopted: readonly Adopted[]): Remark[] {
  return [
    ...adopted.flatMap((one) => [...blockingDependents(schema, one), ...blockingReferences(schema, one)]),
    ...takenNames(schema, adopted),
  ];
}

const ofTheService: ReadonlySet<string> = new Set(
  Object.entries(internalTables).flatMap(([table, indexes]) => [table, ...indexes]),
);

/** Tables, views and indexes with names that the service takes for its own, and that no migration gives other ones. */
function takenNames({ tables }: CatalogSchema, adopted: readonly Adopted[]): Remark[] {
  const renamed = new Set(
    adopted.flatMap(({ draft, keys }) => [draft.source.name, ...keys.map(({ index }) => index?.name)]),
  );
  return tables
    .flatMap((table) => [
      { table: table.name, name: table.name, what: `${table.kind} ${table.name}` },
      ...table.indexes.map(({ name }) => ({ table: table.name, name, what: `index ${name}` })),
    ])
    .filter(({ name }) => ofTheService.has(name) && !renamed.has(name))
    .map(({ table, what }) => ({
      table,
      what,
      outcome: "the service makes something of that name: RENAME IT BEFORE the next migration",
      loud: true,
    }));
}

/** PostgreSQL changes no type while a view shows the column, and drops no key that one groups by. */
function blockingDependents({ dependents }: CatalogSchema, one: Adopted): Remark[] {
  const { source, columns } = one.draft;
  const found = new Map<string, string[]>();
  for (const { table, column, dependent } of dependents.filter((entry) => entry.table === source.name)) {
    const used = columns.find((candidate) => candidate.source.name === column);
    const blocks = column === null ? losesKey(one) : used !== undefined && isRetyped(one, used);
    if (table === source.name && blocks)
      found.set(dependent, [...(found.get(dependent) ?? []), column ?? "primary key"]);
  }
  return [...found].map(([what, uses]) => ({
    table: source.name,
    what,
    outcome: `it uses ${uses.join(", ")}: DROP IT BEFORE the next migration, and make it again after`,
    loud: true,
  }));
}

/** A foreign key that no relation represents, to a primary key that goes. */
function blockingReferences({ tables, name }: CatalogSchema, one: Adopted): Remark[] {
  const { source, primaryKey } = one.draft;
  const known = new Set([...one.relations.values()].map(({ constraint }) => constraint));
  const blocks = ({ references }: CatalogConstraint) =>
    references?.schema === name &&
    references.table === source.name &&
    new Set([...references.columns, ...(primaryKey?.columns ?? [])]).size === primaryKey?.columns.length;
  if (!losesKey(one)) return [];
  return tables.flatMap((table: CatalogTable) =>
    table.constraints
      .filter((constraint) => !known.has(constraint) && blocks(constraint))
      .map((constraint) => ({
        table: table.name,
        what: `foreign key ${constraint.name}`,
        outcome: `it points at the primary key of ${source.name}, which goes: DROP IT BEFORE the next migration`,
        loud: true as const,
      })),
  );
}

function losesKey({ draft }: Adopted): boolean {
  return draft.primaryKey !== null && !draft.keepsIds;
}

function isRetyped(one: Adopted, column: DraftColumn): boolean {
  return typeAfter(one, column) !== column.type.column;
}

/** The type that a column has when the database is as the models say. */
function typeAfter({ relations }: Adopted, column: DraftColumn): ColumnType {
  if (column.place === "runtime") return "timestamptz(3)";
  const kind =
    column.place === "id" && column.type.kind !== "uuid" ? "bigint" : jsonKindOf(relations, column);
  return columnType({ ...targetOf(relations, column).type, kind });
}

function targetOf(relations: Adopted["relations"], column: DraftColumn): DraftColumn {
  const target = relations.get(column)?.target;
  return target === undefined ? column : targetOf(relations, target);
}

import type { CatalogConstraint, CatalogSchema, CatalogTable } from "../../vocabulary/migrations/catalog.ts";
import { internalTables } from "../../vocabulary/migrations/internal-tables.ts";
import type { ColumnType } from "../../vocabulary/migrations/migration-steps.ts";
import { columnType } from "../definition/column-type.ts";
import type { DraftColumn } from "./draft.ts";
import { type Adopted, jsonKindOf } from "./model-json.ts";
import type { Remark } from "./remarks.ts";

/** Finds objects that block the migrations after the baseline. Users must drop or rename them first. */
export function prechecks(schema: CatalogSchema, adopted: readonly Adopted[]): Remark[] {
  return [
    ...adopted.flatMap((one) => [...blockingDependents(schema, one), ...blockingReferences(schema, one)]),
    ...takenNames(schema, adopted),
  ];
}

const ofTheService: ReadonlySet<string> = new Set(
  Object.entries(internalTables).flatMap(([table, indexes]) => [table, ...indexes]),
);

/** Finds tables, views and indexes with names that the service needs, and that no migration renames. */
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
      outcome: "the service needs this name: RENAME IT BEFORE the next migration",
      loud: true,
    }));
}

/** PostgreSQL cannot change the type of a column that a view uses, or drop a key that a view groups by. */
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
    outcome: `it uses ${uses.join(", ")}: DROP IT BEFORE the next migration, and create it again after it`,
    loud: true,
  }));
}

/** Finds foreign keys that are not relations, to a primary key that the next migration drops. */
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
        outcome: `it refers to the primary key of ${source.name}, which is dropped: DROP IT BEFORE the next migration`,
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

/** The type of a column after the next migration. */
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

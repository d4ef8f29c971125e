import type { CatalogConstraint } from "../../../vocabulary/migrations/catalog.ts";
import { type FoundTable, type HeldColumn, isPlainUnique, isTextId } from "./found-table.ts";

/** A foreign key that becomes a `belongs_to`. */
export interface FoundRelation {
  readonly from: FoundTable;
  readonly column: HeldColumn;
  readonly to: FoundTable;
  /** The id of the other model, or a unique field. */
  readonly target: HeldColumn;
  readonly onDelete: "restrict" | "cascade" | "set_null";
}

/** A foreign key that stays a plain field, and why. */
export interface PlainKey {
  readonly table: FoundTable;
  readonly constraint: CatalogConstraint;
  readonly why: string;
}

export interface FoundRelations {
  readonly relations: readonly FoundRelation[];
  readonly plain: readonly PlainKey[];
}

/** The relations among tables. */
export function foundRelations(
  tables: readonly FoundTable[],
  isLarge: (table: FoundTable) => boolean,
): FoundRelations {
  const places = new Map(tables.map((table) => [placeOf(table.schema, table.source.name), table]));
  const relations: FoundRelation[] = [];
  const plain: PlainKey[] = [];
  for (const from of tables) {
    for (const constraint of from.source.constraints) {
      const { references } = constraint;
      if (references === null) continue;
      const to = places.get(placeOf(references.schema, references.table));
      const found =
        to === undefined ? "its table is not a model" : relationOf(from, constraint, to, isLarge(to));
      const why = typeof found === "string" ? found : conflictOf(found, relations);
      if (typeof found !== "string" && why === null) relations.push(found);
      else plain.push({ table: from, constraint, why: why ?? "" });
    }
  }
  return { relations, plain };
}

function placeOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

function relationOf(
  from: FoundTable,
  constraint: CatalogConstraint,
  to: FoundTable,
  isLarge: boolean,
): FoundRelation | string {
  const { columns, references } = constraint;
  const [name, second] = columns;
  if (second !== undefined || references === null) return "it has several columns";
  const column = from.columns.find(({ source }) => source.name === name);
  const target = to.columns.find(({ source }) => source.name === references.columns[0]);
  if (column === undefined || target === undefined) return "one of its columns is not a field";
  if (column.place !== "field" && column.place !== "id") return "the server sets its column";
  if (to.id === null) return "rows of its table have no id";
  if (target.place !== "id" && !isUniqueField(to, target)) return "it refers to a column that is not unique";
  if (column.place === "id" && target.place !== "id") return "its column is the id";
  const isNarrow = target.place === "id" && isLarge && column.held.column !== "bigint";
  if (isNarrow || !sameValues(column, target)) return "the columns have different types";
  if (references.onDelete === "set default") return "relations have no ON DELETE SET DEFAULT";
  if (references.onDelete === "set null" && !column.source.nullable)
    return "ON DELETE SET NULL is on a required column";
  const rules = {
    cascade: "cascade",
    "set null": "set_null",
    restrict: "restrict",
    "no action": "restrict",
  } as const;
  return { from, column, to, target, onDelete: rules[references.onDelete] };
}

/** Whether a field is unique by itself. */
export function isUniqueField({ source }: FoundTable, { source: { name } }: HeldColumn): boolean {
  return source.indexes.some(
    (index) => isPlainUnique(source, index) && index.columns?.length === 1 && index.columns[0] === name,
  );
}

const wholeNumbers = ["integer", "bigint"];

/** Whether a relation between two columns has one type of value in the API. */
function sameValues({ held: one }: HeldColumn, target: HeldColumn): boolean {
  const other = target.held;
  if (one.options["enum"] !== undefined || other.options["enum"] !== undefined)
    return one.column === other.column;
  if (wholeNumbers.includes(one.type))
    return target.place === "id" ? wholeNumbers.includes(other.type) : one.type === other.type;
  return isTextId(one) ? isTextId(other) : one.column === other.column;
}

function conflictOf(relation: FoundRelation, others: readonly FoundRelation[]): string | null {
  if (others.some(({ column }) => column === relation.column)) return "the column has another foreign key";
  return runsInCircle(relation, others) ? "it is part of a circle of foreign keys" : null;
}

/** A foreign key has the type of its target, so a circle has no type. */
function runsInCircle(relation: FoundRelation, others: readonly FoundRelation[]): boolean {
  let next: FoundRelation | undefined = relation;
  while (next !== undefined) {
    const { to, target }: FoundRelation = next;
    if (to === relation.from && target === relation.column) return true;
    next = others.find(({ from, column }) => from === to && column === target);
  }
  return false;
}

/**
 * The collections of each model: a `has_many` with the other model's key as its name, if that model refers to it once and the name is
 * free.
 */
export function foundCollections(
  relations: readonly FoundRelation[],
): ReadonlyMap<FoundTable, readonly FoundRelation[]> {
  const collections = new Map<FoundTable, FoundRelation[]>();
  for (const relation of relations) {
    const { from, to } = relation;
    const several = relations.some((other) => other !== relation && other.from === from && other.to === to);
    if (from === to || several || from.id === null || !isFree(from.key, to)) continue;
    collections.set(to, [...(collections.get(to) ?? []), relation]);
  }
  return collections;
}

/** Whether a name is neither that of a field nor that of a relation, such as `author` for `author_id`. */
function isFree(name: string, { columns }: FoundTable): boolean {
  const taken = ["id", "created_at", "updated_at", "deleted_at", ...columns.map((column) => column.name)];
  const lower = name.toLowerCase();
  return !taken.some((other) => [lower, `${lower}_id`].includes(other.toLowerCase()));
}

import type { CatalogConstraint, CatalogReference } from "../../vocabulary/migrations/catalog.ts";
import { type Draft, type DraftColumn, fieldOf } from "./draft.ts";
import type { Remark } from "./remarks.ts";

/** A foreign key that becomes a relation. */
export interface AdoptedRelation {
  readonly constraint: CatalogConstraint;
  readonly from: Draft;
  readonly field: DraftColumn;
  readonly to: Draft;
  /** `id`, or a unique field of the other model. */
  readonly target: DraftColumn;
  readonly onDelete: "restrict" | "cascade" | "set_null";
}

export interface Relations {
  readonly relations: readonly AdoptedRelation[];
  readonly remarks: readonly Remark[];
}

/** Fields that are unique by themselves, by table. */
export type UniqueFields = ReadonlyMap<Draft, ReadonlySet<string>>;

/** Whether a column could become a relation. */
export function canRefer({ source }: Draft, column: DraftColumn): boolean {
  return source.constraints.some(
    ({ references, columns }) =>
      references !== null && columns.length === 1 && columns[0] === column.source.name,
  );
}

/** Finds the relations among some tables. */
export function relationsOf(drafts: readonly Draft[], schema: string, unique: UniqueFields): Relations {
  const byTable = new Map(drafts.map((draft) => [draft.source.name, draft]));
  const relations: AdoptedRelation[] = [];
  const remarks: Remark[] = [];
  for (const from of drafts) {
    for (const constraint of from.source.constraints) {
      const { references } = constraint;
      if (references === null) continue;
      const to = references.schema === schema ? byTable.get(references.table) : undefined;
      const found = to === undefined ? noTarget : relationOf(from, constraint, to, unique);
      const why = typeof found === "string" ? found : conflictOf(found, relations);
      if (typeof found !== "string" && why === null) relations.push(found);
      else remarks.push(plainRemark(from, constraint, why ?? ""));
    }
  }
  return { relations, remarks };
}

const noTarget = "its table does not become a model";

function conflictOf(relation: AdoptedRelation, others: readonly AdoptedRelation[]): string | null {
  if (others.some(({ field }) => field === relation.field)) return "the column has another foreign key";
  return runsInCircle(relation, others) ? "it is part of a cycle of foreign keys" : null;
}

function plainRemark(
  { source }: Draft,
  { name, columns, references }: CatalogConstraint,
  why: string,
): Remark {
  const what = `foreign key ${name} (${columns.join(", ")} to ${references?.table})`;
  return {
    table: source.name,
    what,
    outcome: `${why}: it stays in the database, but does not become a relation`,
  };
}

function relationOf(
  from: Draft,
  constraint: CatalogConstraint,
  to: Draft,
  unique: UniqueFields,
): AdoptedRelation | string {
  const { columns, references } = constraint;
  const [column = "", ...more] = columns;
  const [referenced] = references?.columns ?? [];
  if (references === null || more.length > 0) return "it has several columns";
  const field = fieldOf(from, column);
  const target = to.columns.find(({ source }) => source.name === referenced);
  if (field === null || target === undefined) return "one of its columns is not a field";
  if (target.place !== "id" && (to.softDelete || !unique.get(to)?.has(target.name)))
    return `${referenced} of ${to.source.name} is not a unique field`;
  if (references.onDelete === "set default") return "relations do not support ON DELETE SET DEFAULT";
  return { constraint, from, field, to, target, onDelete: onDeleteOf(references.onDelete, field) };
}

function onDeleteOf(
  rule: CatalogReference["onDelete"],
  { source }: DraftColumn,
): AdoptedRelation["onDelete"] {
  if (rule === "cascade") return "cascade";
  // ON DELETE SET NULL on a NOT NULL column prevents the deletion too.
  return rule === "set null" && source.nullable ? "set_null" : "restrict";
}

/** Whether foreign keys form a circle. A foreign key has the type of its target, so a circle would have no type. */
function runsInCircle(relation: AdoptedRelation, others: readonly AdoptedRelation[]): boolean {
  let next: AdoptedRelation | undefined = relation;
  while (next !== undefined) {
    const { to, target }: AdoptedRelation = next;
    if (to === relation.from && target === relation.field) return true;
    next = others.find(({ from, field }) => from === to && field === target);
  }
  return false;
}

import type { Draft } from "./draft.ts";
import type { AdoptedRelation } from "./foreign-keys.ts";

/**
 * The ways back, by the model that they start from: a `has_many` under the other model's key, where one relation leads
 * from there and the name is free.
 */
export function collectionsOf(
  relations: readonly AdoptedRelation[],
): ReadonlyMap<Draft, ReadonlyMap<string, AdoptedRelation>> {
  const found = new Map<Draft, Map<string, AdoptedRelation>>();
  for (const relation of relations) {
    const { from, to } = relation;
    const several = relations.some((other) => other !== relation && other.from === from && other.to === to);
    if (from === to || several || !isFree(from.key, to)) continue;
    const own = found.get(to) ?? new Map<string, AdoptedRelation>();
    found.set(to, own.set(from.key, relation));
  }
  return found;
}

/** Not the name of a field, nor that of a relation: `author` for `author_id`. */
function isFree(name: string, { columns }: Draft): boolean {
  const taken = ["id", "created_at", "updated_at", "deleted_at", ...columns.map((column) => column.name)];
  const lower = name.toLowerCase();
  return !taken.some((other) => [lower, `${lower}_id`].includes(other.toLowerCase()));
}

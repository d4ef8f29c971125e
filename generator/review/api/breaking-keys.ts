import type { ApiModel } from "../../emit/views/api-surface.ts";
import type { ModelPair } from "../access/model-pairs.ts";
import type { BreakingChange } from "./breaking-fields.ts";
import type { Use } from "./callers-view.ts";

/** Fields of a key, in no order. */
type Key = readonly string[];

/** What callers notice of unique keys: a further one, and one that upsert decides by no more. */
export function keyChanges(
  { before, after }: ModelPair,
  was: ApiModel,
  is: ApiModel,
  use: Use,
): BreakingChange[] {
  const former = was.unique.map((key) => key.map(before.nameOf));
  const demanded = is.unique.filter((key) => use.sends && !former.some((other) => holds(other, key)));
  const gone = former.filter((key) => use.upserts && !is.unique.some((other) => holds(other, key)));
  return [
    ...demanded.map((key) => ({
      change: `${after.key}: ${key.join(", ")} must be unique now`,
      notices: "whoever sends what is there already",
    })),
    ...gone.map((key) => ({
      change: `${after.key}: ${key.join(", ")} need not be unique any more`,
      notices: "whoever upserts by it",
    })),
  ];
}

/** Where some fields are unique, these and further ones are unique too. */
function holds(unique: Key, fields: Key): boolean {
  return unique.every((name) => fields.includes(name));
}

import type { ConditionRelation, ConditionScope } from "./condition-scope.ts";

/** Why a name leads nowhere, and what to write. */
export interface Lost {
  readonly message: string;
  readonly hint: string | null;
  /** The model that has no such field, where only the name says what may be meant. */
  readonly unknownIn?: ConditionScope;
  /** The rows that EXISTS would ask for, and what the name is there: the hint is then the whole comparison. */
  readonly exists?: LostRows;
}

/** Rows that a plain path cannot go over. */
export interface LostRows {
  readonly path: string;
  /** What the field is called in a row of the path, and what was written for it. */
  readonly name: string;
  readonly written: string;
}

/** A `has_many` on a plain path has many rows, of which EXISTS asks for one. */
export function overMany(names: readonly string[], relations: readonly ConditionRelation[]): Lost {
  const start = names.length - 1 - relations.length;
  const last = relations.findLastIndex(({ kind }) => kind === "has_many");
  const many = relations[last];
  const path = names.slice(0, start + last + 1).join(".");
  const name = names.slice(start + last + 1).join(".");
  return {
    message: `"${many?.name}" is a has_many, so that there may be many rows`,
    hint: null,
    exists: { path, name, written: names.join(".") },
  };
}

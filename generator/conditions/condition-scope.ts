import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { FieldDefinition, RelationDefinition } from "../definition/definition.ts";

/** What a condition needs to know of a column. A null kind: a broken reference, reported elsewhere. */
export type ConditionColumn = Omit<
  Pick<FieldDefinition, "kind" | "enum" | "minimum" | "maximum" | "maxLength" | "decimal">,
  "kind"
> & { readonly kind: FieldKind | null };

/** What the conditions of one model may name. Relations lead to the scopes of other models, so that all of them are one graph. */
export interface ConditionScope {
  readonly model: string;
  readonly columns: ReadonlyMap<string, ConditionColumn>;
  /** Under their join name and under their field's own name. */
  readonly relations: ReadonlyMap<string, ConditionRelation>;
  /** Fields without a column: `has_many` and `has_one`, also those that lead nowhere, which is reported elsewhere. */
  readonly collections: ReadonlySet<string>;
  /** The columns of `users` that conditions may compare with. */
  readonly caller: CallerColumns;
  /** Those of all models, for messages. */
  models(): Iterable<ConditionScope>;
}

/** A relation, under its join name. */
export interface ConditionRelation
  extends Pick<RelationDefinition, "name" | "kind" | "field" | "references"> {
  /** What is on the other side. */
  readonly target: ConditionScope;
}

/** What `{user.<column>}` may be. */
export interface CallerColumns {
  readonly allowed: ReadonlyMap<string, ConditionColumn>;
  /** Why a column is not among them, and what to write instead. */
  refusal(column: string): { readonly reason: string; readonly hint: string | null };
}

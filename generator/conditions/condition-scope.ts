import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { FieldDefinition } from "../definition/definition.ts";

/** What a condition needs to know of a column. A null kind: a broken reference, reported elsewhere. */
export type ConditionColumn = Omit<
  Pick<FieldDefinition, "kind" | "enum" | "minimum" | "maximum" | "maxLength">,
  "kind"
> & { readonly kind: FieldKind | null };

/** The fields that the conditions of one model may use. */
export interface ConditionScope {
  readonly model: string;
  readonly columns: ReadonlyMap<string, ConditionColumn>;
  /** `belongs_to` joins, under their join name and under their field's name. */
  readonly joins: ReadonlyMap<string, ConditionJoin>;
  /** Fields without a column: `has_many` and `has_one`. */
  readonly collections: ReadonlySet<string>;
}

export interface ConditionJoin {
  /** Join name. */
  readonly name: string;
  readonly model: string;
  readonly columns: ReadonlyMap<string, ConditionColumn>;
}

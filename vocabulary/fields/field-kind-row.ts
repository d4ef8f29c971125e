import type { PlaceholderName } from "../conditions/conditions.ts";
import type { Json } from "../json.ts";
import type { ElementColumnType } from "../migrations/migration-steps.ts";

/** Formats of JSON Schema that validators know. */
export type ValueFormat = "int32" | "int64" | "datetime" | "date" | "time" | "email" | "password" | "uuid";

/** Row conditions compare two fields of one family. Exact numbers are comparable with integers, but not with floats. */
export type Family =
  | "number"
  | "number that is exact"
  | "text"
  | "UUID"
  | "boolean"
  | "date and time"
  | "date"
  | "time";

/** All that there is to say of a kind of field. A kind without one of these does not compile. */
export interface FieldKindRow {
  /** The name of its values in messages. */
  readonly called: string;
  /** Keys of a field that apply, next to `type` and `description`. */
  readonly options: readonly string[];
  /** The operators of filters and row conditions; except for lists, each step includes those before. */
  readonly compared: "never" | "for null" | "as list" | "for equality" | "in order" | "as text";
  /** Row conditions compare two fields that share a family; without one it is compared with no field. */
  readonly families: readonly Family[];
  /** Aggregates may sum it. */
  readonly summed: boolean;
  readonly placeholders: readonly PlaceholderName[];
  /** The name of its type in `FieldValues`. */
  readonly typescript: string;
  readonly graphql: {
    /** Its type in the schema. */
    readonly value: string;
    /** The type of its filter; null for what is only sent. */
    readonly filter: string | null;
    /** Types of variables that may represent a value as well. */
    readonly alike: readonly string[];
  };
  /** `type` and `format` of its JSON Schema. */
  readonly schema: { readonly type: Json; readonly format?: ValueFormat };
  /** Its column, of a list that of its elements; `varchar` gets the field's greatest length, `numeric` its precision and scale. */
  readonly column: ElementColumnType | "jsonb" | "varchar" | "numeric";
}

import type { PlaceholderName } from "../conditions/conditions.ts";
import type { Json } from "../json.ts";
import type { ElementColumnType } from "../migrations/migration-steps.ts";

/** Formats of JSON Schema that validators support. */
export type ValueFormat =
  | "int32"
  | "int64"
  | "datetime"
  | "date"
  | "time"
  | "microtime"
  | "email"
  | "password"
  | "uuid";

/**
 * Groups of kinds that row conditions can compare. Exact numbers are comparable with integers, but not with
 * floats.
 */
export type Family =
  | "number"
  | "number that is exact"
  | "text"
  | "UUID"
  | "boolean"
  | "date and time"
  | "date"
  | "time";

/** The properties of a kind of field. */
export interface FieldKindRow {
  /** The description of its values in messages, such as "an integer". */
  readonly called: string;
  /** Allowed keys of such a field, in addition to `type` and `description`. */
  readonly options: readonly string[];
  /**
   * The operators of filters and row conditions. Except for lists, each level includes the operators of the
   * levels before it.
   */
  readonly compared: "never" | "for null" | "as list" | "for equality" | "in order" | "as text";
  /** Row conditions can compare two fields that share a family. */
  readonly families: readonly Family[];
  /** Whether aggregates can sum it. */
  readonly summed: boolean;
  readonly placeholders: readonly PlaceholderName[];
  /** The name of its type in `FieldValues`. */
  readonly typescript: string;
  readonly graphql: {
    /** Its type in the schema. */
    readonly value: string;
    /** The type of its filter; null for kinds that only requests have. */
    readonly filter: string | null;
    /** Other types of variables that can hold a value. */
    readonly alike: readonly string[];
  };
  /** `type` and `format` of its JSON Schema. */
  readonly schema: { readonly type: Json; readonly format?: ValueFormat };
  /** The type of its column, or of a list's elements. `varchar` gets the field's length, `numeric` its precision and scale. */
  readonly column: ElementColumnType | "jsonb" | "varchar" | "numeric";
}

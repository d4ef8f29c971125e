/** The claims of the caller that a condition may use. */
export const claims = ["user_id", "role", "email"] as const;

export type Claim = (typeof claims)[number];

/** What is known only when a request comes: a claim of the caller, or the time of the statement. */
export type PlaceholderName = Claim | "now";

export interface Placeholder {
  readonly placeholder: PlaceholderName;
}

export type Operand = string | number | boolean | Placeholder;

export type Comparison = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "like" | "ilike";

/**
 * A row condition. `field` is a field of the model, or `relation.field` over one `belongs_to`
 * (decisions, part 4). Evaluated as SQL, with SQL's treatment of NULL.
 */
export type Condition<Field extends string = string> =
  | { readonly op: Comparison; readonly field: Field; readonly value: Operand }
  | { readonly op: "in" | "not_in"; readonly field: Field; readonly values: readonly Operand[] }
  | { readonly op: "between"; readonly field: Field; readonly from: Operand; readonly to: Operand }
  | { readonly op: "is_null" | "is_not_null"; readonly field: Field }
  | { readonly op: "and" | "or"; readonly conditions: readonly Condition<Field>[] }
  | { readonly op: "not"; readonly condition: Condition<Field> };

/**
 * Characters of a text to look for: `search_term`, and the values of `like` and `ilike` in requests and conditions (decisions,
 * part 5). They are counted as those of `max_length` are, an emoji as one. PostgreSQL tries a pattern at every place of a text,
 * so a long one costs minutes.
 */
export const longestPattern = 256;

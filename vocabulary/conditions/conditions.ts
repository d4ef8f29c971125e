/** Claims of the caller that conditions can use. */
export const claims = ["user_id", "role", "email"] as const;

export type Claim = (typeof claims)[number];

/** Values that each request sets: a claim of the caller, or the time of the statement. */
export type PlaceholderName = Claim | "now";

/** Units of intervals in a condition. A day has 24 hours. */
export const timeUnits = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

export type TimeUnit = keyof typeof timeUnits;

/** A claim of the caller's credential. */
export interface ClaimPlaceholder {
  readonly placeholder: Claim;
}

/** The time of the statement, with an optional offset. */
export interface Moment {
  readonly placeholder: "now";
  /** The offset. Negative amounts are earlier. */
  readonly offset?: { readonly amount: number; readonly unit: TimeUnit };
}

export type Placeholder = ClaimPlaceholder | Moment;

/** A column of the caller's row in `users`: `{user.team}`. NULL for a guest, and for a caller without a row. */
export interface CallerColumn<Column extends string = string> {
  readonly user: Column;
}

/** Another field, on the right of a comparison. */
export interface OtherField {
  readonly field: string;
}

/** The right side of a comparison, except other fields of the row. */
export type Value = string | number | boolean | Placeholder | CallerColumn;

export type Operand = Value | OtherField;

/** The left side of a comparison. */
export type Subject = string | CallerColumn;

/** Comparisons by order and equality, also between two fields. */
export type Comparison = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "like" | "ilike";

/** The SQL operator of each comparison. */
export const comparisonSigns: Readonly<Record<Comparison, string>> = {
  eq: "=",
  ne: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  like: "like",
  ilike: "ilike",
};

/**
 * A row condition, with SQL's treatment of NULL. `field` is a field of the current model, or a path over
 * `belongs_to` and `has_one` relations: `project.organisation.owner_id`. `path` is a path over relations of
 * any kind: `organisation.memberships`. Names in `where` are fields of the model at the end of `path`, and
 * `this.` starts at the row with the rule. Paths consist of the join names of relations.
 */
export type Condition =
  | { readonly op: Comparison; readonly field: Subject; readonly value: Operand }
  | { readonly op: "in" | "not_in"; readonly field: Subject; readonly values: readonly Value[] }
  | { readonly op: "between"; readonly field: Subject; readonly from: Value; readonly to: Value }
  /** Whether a list contains the value. */
  | { readonly op: "contains"; readonly field: Subject; readonly value: Value }
  /** Whether a list contains one of the values. */
  | { readonly op: "overlaps"; readonly field: Subject; readonly values: readonly Value[] }
  | { readonly op: "is_null" | "is_not_null"; readonly field: Subject }
  | { readonly op: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly op: "not"; readonly condition: Condition }
  | { readonly op: "exists"; readonly path: string; readonly where: Condition | null };

/**
 * Limits of conditions that use more than a single `belongs_to`: relations in a path, nested EXISTS, all
 * relations, characters.
 */
export const conditionLimits = {
  pathRelations: 6,
  existsDepth: 3,
  relations: 16,
  calls: 256,
  characters: 4_000,
} as const;

/** First name of a path that starts at the row with the rule. */
export const rowItself = "this";

/** Whether a path starts at the row with the rule. Only possible within EXISTS; `depth` is the number of EXISTS around it. */
export function startsAtRuleRow([first]: readonly string[], depth: number): boolean {
  return depth > 0 && first === rowItself;
}

/** Whether the right side of a comparison is another field. */
export function isOtherField(operand: Operand): operand is OtherField {
  return typeof operand === "object" && "field" in operand;
}

/**
 * Maximum length of a pattern, in characters, of `search_term` and of `like` and `ilike` in requests and conditions. An emoji counts
 * as one, as in `max_length`. PostgreSQL tests a pattern at every position, so a long pattern can take minutes.
 */
export const maxPatternLength = 256;

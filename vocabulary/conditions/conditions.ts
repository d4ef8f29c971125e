/** The claims of the caller that a condition may use. */
export const claims = ["user_id", "role", "email"] as const;

export type Claim = (typeof claims)[number];

/** What is known only when a request comes: a claim of the caller, or the time of the statement. */
export type PlaceholderName = Claim | "now";

/** Units of a span of time in a condition; a day has 24 hours. */
export const timeUnits = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

export type TimeUnit = keyof typeof timeUnits;

/** A claim of the caller's credential. */
export interface ClaimPlaceholder {
  readonly placeholder: Claim;
}

/** The time of the statement, or one a while before or after it. */
export interface Moment {
  readonly placeholder: "now";
  /** How much later, or earlier where the whole number is negative. */
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

/** What values are compared with: never another field of the row. */
export type Value = string | number | boolean | Placeholder | CallerColumn;

export type Operand = Value | OtherField;

/** What a comparison is about. */
export type Subject = string | CallerColumn;

/** Comparisons of order and equality: the ones that two fields can be in. */
export type Comparison = "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "like" | "ilike";

/** The SQL of each comparison. */
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
 * A row condition. `field` is a field of the model at hand, or a path to one over `belongs_to` and `has_one`
 * relations: `project.organisation.owner_id`. `path` leads over relations of any kind: `organisation.memberships`; within `where`
 * a name is a field of the model at its end, and `this.` begins at the row whose rule it is. Relations have their join names.
 * Evaluated as SQL, with SQL's treatment of NULL.
 */
export type Condition =
  | { readonly op: Comparison; readonly field: Subject; readonly value: Operand }
  | { readonly op: "in" | "not_in"; readonly field: Subject; readonly values: readonly Value[] }
  | { readonly op: "between"; readonly field: Subject; readonly from: Value; readonly to: Value }
  /** Of a list: whether it has the value. */
  | { readonly op: "contains"; readonly field: Subject; readonly value: Value }
  /** Of a list: whether it has one of the values. */
  | { readonly op: "overlaps"; readonly field: Subject; readonly values: readonly Value[] }
  | { readonly op: "is_null" | "is_not_null"; readonly field: Subject }
  | { readonly op: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly op: "not"; readonly condition: Condition }
  | { readonly op: "exists"; readonly path: string; readonly where: Condition | null };

/** Most relations on one path, most levels of EXISTS, most relations written in one condition, and its longest text; of conditions with the forms beyond one `belongs_to`. */
export const conditionLimits = {
  pathRelations: 6,
  existsDepth: 3,
  relations: 16,
  characters: 4_000,
} as const;

/** Where a path begins at the row whose rule it is. */
export const rowItself = "this";

/** Whether a path of a condition begins there: only within EXISTS, of which `depth` are around it. */
export function beginsAtItself([first]: readonly string[], depth: number): boolean {
  return depth > 0 && first === rowItself;
}

/** Whether what a condition compares with is another field. */
export function isOtherField(operand: Operand): operand is OtherField {
  return typeof operand === "object" && "field" in operand;
}

/**
 * Characters of a text to look for: `search_term`, and the values of `like` and `ilike` in requests and conditions (decisions,
 * part 5). They are counted as those of `max_length` are, an emoji as one. PostgreSQL tries a pattern at every place of a text,
 * so a long one costs minutes.
 */
export const longestPattern = 256;

/** One relation of a path, under names that both sides of a comparison share. */
export interface NamedHop {
  /** Columns and tables, and which of several rows counts: equal where it leads to the same rows, deleted ones too. */
  readonly leads: string;
  /** Deleted rows do not count. */
  readonly live: boolean;
  /** Another row takes the place of one that does not count. */
  readonly first: boolean;
  /** It leads to several rows. */
  readonly many: boolean;
}

/** Where a path leads. */
export interface NamedPath {
  readonly hops: readonly NamedHop[];
  /** The fields of the model at its end. */
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
}

/** What the fields of a condition are called when it is compared, and which of them the model has. */
export interface ConditionNames {
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
  /** Where relations lead, one after the other, from the row whose rule it is; null if it is unknown. */
  pathOf(relations: readonly string[]): NamedPath | null;
  /** What a column of the accounts is called. */
  callerColumn(column: string): string;
}

/** Literals by their keys; a row is open where all of them hold. Of two with one key both hold, or none. */
export type Clause = ReadonlyMap<string, ClauseLiteral>;

/** One condition of a clause, with its text. */
export type ClauseLiteral = { readonly key: string; readonly text: string } & (
  | {
      readonly kind: "comparison";
      readonly operator: string;
      /** Over paths, one or two. */
      readonly sides: readonly Side[];
      /** Seconds from now to what it compares with; null where that is not a moment. */
      readonly moment: number | null;
    }
  | { readonly kind: "exists"; readonly negated: boolean; readonly path: ClausePath; readonly clause: Clause }
  | { readonly kind: "other" }
);

/** Where a name begins, and the relations that it goes over. */
export interface ClausePath {
  /** The row at hand, or within EXISTS also the row whose rule it is. */
  readonly start: "here" | "this";
  readonly hops: readonly NamedHop[];
}

/** One side of a comparison, as far as it can differ where the key of all else is the same. */
export interface Side {
  /** Its name without what rows count. */
  readonly name: string;
  readonly hops: readonly NamedHop[];
}

/** Whether every row that fulfils one clause fulfils the other: each literal of the other follows from one of its literals. */
export function impliesClause(clause: Clause, other: Clause): boolean {
  return [...other.values()].every((literal) => follows(literal, clause));
}

/** Whether a literal follows from those of a clause. */
export function follows(literal: ClauseLiteral, from: Clause): boolean {
  return (
    from.has(literal.key) || (isLoose(literal) && [...from.values()].some((each) => implies(each, literal)))
  );
}

/** Whether it follows from others than itself: most literals do not. */
function isLoose(literal: ClauseLiteral): boolean {
  if (literal.kind !== "comparison") return literal.kind === "exists";
  return literal.moment !== null || literal.sides.some(({ hops }) => hops.length > 0);
}

/** Whether the first literal, where it holds, makes the other hold. Anything that is not proven does not. */
function implies(literal: ClauseLiteral, other: ClauseLiteral): boolean {
  if (literal.kind === "comparison" && other.kind === "comparison") return impliesComparison(literal, other);
  if (literal.kind !== "exists" || other.kind !== "exists" || literal.negated !== other.negated) return false;
  // A row that is not there with fewer literals is not there with more.
  const [one, all] = literal.negated ? [other, literal] : [literal, other];
  return (
    one.path.start === all.path.start &&
    isWithin(one.path.hops, all.path.hops) &&
    impliesClause(one.clause, all.clause)
  );
}

type Comparison = Extract<ClauseLiteral, { kind: "comparison" }>;

/**
 * A comparison with a field that is NULL never holds, so that it holds for fewer rows where fewer rows on its path count; IS NULL is
 * the other way round. A later moment is a stricter bound below, an earlier one above; `>` is stricter than `>=`.
 */
function impliesComparison(literal: Comparison, other: Comparison): boolean {
  const [one, all] = literal.operator === "is null" ? [other, literal] : [literal, other];
  const same =
    one.sides.length === all.sides.length &&
    one.sides.every(({ name, hops }, index) => {
      const side = all.sides[index];
      return side !== undefined && side.name === name && isWithin(hops, side.hops);
    });
  return same && isBound(literal, other);
}

/** Moments are days against dates, and two of them may be one day: from `>=` an earlier `>` does not follow. */
function isBound({ operator, moment }: Comparison, other: Comparison): boolean {
  if (operator === other.operator && moment === other.moment) return true;
  if (moment === null || other.moment === null) return false;
  if (other.operator !== operator && other.operator !== `${operator}=`) return false;
  if (operator.startsWith(">")) return moment >= other.moment;
  return operator.startsWith("<") && moment <= other.moment;
}

/** Whether a path leads to no row that the other does not lead to. Where the first of several counts, it must be the same one. */
function isWithin(path: readonly NamedHop[], other: readonly NamedHop[]): boolean {
  return (
    path.length === other.length &&
    path.every(({ leads, live, first }, index) => {
      const hop = other[index];
      return hop !== undefined && hop.leads === leads && (hop.live === live || (live && !first));
    })
  );
}

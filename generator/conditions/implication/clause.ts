import type { DefinitionOf } from "../language/expanded-expression.ts";

/** One relation of a path, with names that are the same on both sides of a comparison. */
export interface NamedHop {
  /** Columns, tables and row order. Equal if the relation leads to the same rows, including deleted ones. */
  readonly leads: string;
  /** Deleted rows do not count. */
  readonly live: boolean;
  /** If a row does not count, another one takes its place. */
  readonly first: boolean;
  /** The relation leads to several rows. */
  readonly many: boolean;
}

/** The end of a path. */
export interface NamedPath {
  readonly hops: readonly NamedHop[];
  /** The fields of the model there. */
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
}

/** Names of fields for comparing conditions, and the fields that the model has. */
export interface ConditionNames {
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
  /** The end of a relation path that starts at the row with the rule. Null if it is unknown. */
  pathOf(relations: readonly string[]): NamedPath | null;
  /** The name of a column of the accounts. */
  callerColumn(column: string): string;
  /** What a call means. A call without a definition equals only calls of the same name for the same row. */
  readonly definitionOf?: DefinitionOf;
}

/** Literals by key. A row is open if all of them are true. Literals with the same key are equivalent. */
export type Clause = ReadonlyMap<string, ClauseLiteral>;

/** One condition of a clause, with its text. */
export type ClauseLiteral = { readonly key: string; readonly text: string } & (
  | {
      readonly kind: "comparison";
      readonly operator: string;
      /** One or two sides. */
      readonly sides: readonly Side[];
      /** Seconds from now, if it compares with a moment. Otherwise null. */
      readonly moment: number | null;
    }
  | { readonly kind: "exists"; readonly negated: boolean; readonly path: ClausePath; readonly clause: Clause }
  | { readonly kind: "other" }
);

/** The start of a path, and its relations. */
export interface ClausePath {
  /** The current row, or within EXISTS also the row with the rule. */
  readonly start: "here" | "this";
  readonly hops: readonly NamedHop[];
}

/** The parts of a side that can differ between literals with the same key. */
export interface Side {
  /** Its name, without the rows that count. */
  readonly name: string;
  readonly hops: readonly NamedHop[];
}

/** Whether one clause implies another: each literal of the other follows from a literal of the first. */
export function impliesClause(clause: Clause, other: Clause): boolean {
  return [...other.values()].every((literal) => follows(literal, clause));
}

/** Whether a literal follows from a clause. */
export function follows(literal: ClauseLiteral, from: Clause): boolean {
  return (
    from.has(literal.key) || (isLoose(literal) && [...from.values()].some((each) => implies(each, literal)))
  );
}

/** Whether a literal can follow from a different one. Most cannot. */
function isLoose(literal: ClauseLiteral): boolean {
  if (literal.kind !== "comparison") return literal.kind === "exists";
  return literal.moment !== null || literal.sides.some(({ hops }) => hops.length > 0);
}

/** Whether the first literal implies the other. False if it cannot be proven. */
function implies(literal: ClauseLiteral, other: ClauseLiteral): boolean {
  if (literal.kind === "comparison" && other.kind === "comparison") return impliesComparison(literal, other);
  if (literal.kind !== "exists" || other.kind !== "exists" || literal.negated !== other.negated) return false;
  // For NOT EXISTS the direction is reversed: if no row matches fewer literals, none matches more.
  const [one, all] = literal.negated ? [other, literal] : [literal, other];
  return (
    one.path.start === all.path.start &&
    isWithin(one.path.hops, all.path.hops) &&
    impliesClause(one.clause, all.clause)
  );
}

type Comparison = Extract<ClauseLiteral, { kind: "comparison" }>;

/**
 * A comparison with NULL is never true, so it is true for fewer rows if fewer rows of its path count. IS NULL is the
 * other way round. Of two lower bounds the later moment is stricter, of two upper bounds the earlier one.
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

/** Compared with dates, moments are days, and two moments can be the same day: `>=` does not imply an earlier `>`. */
function isBound({ operator, moment }: Comparison, other: Comparison): boolean {
  if (operator === other.operator && moment === other.moment) return true;
  if (moment === null || other.moment === null) return false;
  if (other.operator !== operator && other.operator !== `${operator}=`) return false;
  if (operator.startsWith(">")) return moment >= other.moment;
  return operator.startsWith("<") && moment <= other.moment;
}

/** Whether a path leads only to rows of the other path. If only the first row counts, both must pick the same one. */
function isWithin(path: readonly NamedHop[], other: readonly NamedHop[]): boolean {
  return (
    path.length === other.length &&
    path.every(({ leads, live, first }, index) => {
      const hop = other[index];
      return hop !== undefined && hop.leads === leads && (hop.live === live || (live && !first));
    })
  );
}

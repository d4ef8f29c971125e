/** A difference from the expected catalog. `expected` or `actual` is null if it has no such object. */
export interface Difference {
  readonly kind:
    | "table"
    /** An enum type; `table` is its name. */
    | "enum"
    | "column"
    | "type"
    | "nullability"
    | "default"
    | "identity"
    | "sequence"
    | "collation"
    | "primary_key"
    | "index"
    | "unique"
    | "foreign_key"
    | "check"
    | "exclusion"
    | "trigger"
    | "policy"
    | "view"
    | "materialized view"
    | "rule"
    | "unlogged"
    | "inheritance"
    | "row_security";
  readonly table: string;
  /** The column, index, constraint, trigger or rule; null for the table itself and its primary key. */
  readonly name: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** The result of `compareCatalogs`. */
export interface Comparison {
  /** Differences that can make the service or the next migration fail. */
  readonly differences: readonly Difference[];
  /** Additions and variations that neither a service nor the next migration fails on. */
  readonly notes: readonly Difference[];
}

/** The differences as lines of text: object and difference. */
export function differenceLines(differences: readonly Difference[]): string[] {
  const subjects = differences.map(subjectOf);
  const width = Math.max(0, ...subjects.map(({ length }) => length));
  return differences.map((difference, index) =>
    printable(`${subjects[index]?.padEnd(width)}  ${describe(difference)}`),
  );
}

function subjectOf({ kind, table, name }: Difference): string {
  if (name === null) return identifier(table);
  const isColumn = ["column", "type", "nullability", "default", "identity", "sequence", "collation"].includes(
    kind,
  );
  return isColumn ? `${identifier(table)}.${identifier(name)}` : identifier(name);
}

function describe({ kind, table, expected, actual }: Difference): string {
  if (expected !== null && actual !== null) return `expected ${expected}, is ${actual}`;
  const what = expected ?? actual ?? "";
  const place = ["table", "column", "primary_key"].includes(kind) ? "" : ` on ${identifier(table)}`;
  return actual === null ? `${what}${place} is missing` : `${what}${place} is not in the migrations`;
}

function identifier(name: string): string {
  return /^\w+(?:\.\w+)?$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A name can contain terminal control characters. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

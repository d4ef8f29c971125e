/** One thing that is not as expected. Null: it is not there. */
export interface Difference {
  readonly kind:
    | "table"
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
    | "rule"
    | "unlogged"
    | "inheritance"
    | "row_security";
  readonly table: string;
  /**
   * Of the column, index, constraint, trigger or rule; null for what is the table's own, such as its primary
   * key.
   */
  readonly name: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** What `compareCatalogs` found. */
export interface Comparison {
  /** What a service or the next migration may fail on. */
  readonly differences: readonly Difference[];
  /** Additions and variations that neither a service nor the next migration fails on. */
  readonly notes: readonly Difference[];
}

/** The differences as lines for a person: what, and how it differs. */
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
  return /^\w+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A name may hold anything, commands to a terminal too. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

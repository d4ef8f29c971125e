import type {
  CatalogColumn,
  CatalogConstraint,
  CatalogCounter,
  CatalogIndex,
  CatalogTable,
} from "../../../../vocabulary/migrations/catalog.ts";
import { canonicalExpression, foreignKeyEffect, shortType, withoutState } from "./canonical.ts";
import type { Comparison, Difference } from "./difference.ts";

/** Compares the columns of a table, in any order. */
function compareColumns(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  return pairsByName(expected.columns, actual.columns).flatMap(([wanted, found]) => {
    if (wanted !== null && found !== null) return columnFindings(table, wanted, found);
    if (wanted !== null)
      return [
        fault({ kind: "column", table, name: wanted.name, expected: describeColumn(wanted), actual: null }),
      ];
    return found === null ? [] : [extraColumn(actual, found)];
  });
}

/** An additional column is harmless if rows can be inserted without a value for it. A trigger can fill it. */
function extraColumn({ name: table, triggers }: CatalogTable, column: CatalogColumn): Finding {
  const { name, nullable, default: filling, identity } = column;
  const difference = { kind: "column", table, name, expected: null, actual: describeColumn(column) } as const;
  const isFilled = filling !== null || identity !== null || triggers.length > 0;
  return nullable || isFilled ? remark(difference) : fault(difference);
}

function describeColumn(column: CatalogColumn): string {
  return `column ${shortType(column.type)}${column.nullable ? "" : " not null"}`;
}

interface Facet {
  readonly kind: "type" | "nullability" | "default" | "identity" | "sequence" | "collation";
  readonly text: (column: CatalogColumn) => string;
  /** The compared value; default: the text. */
  readonly key?: (column: CatalogColumn) => string;
  /** Whether it is compared; default: always. */
  readonly when?: (wanted: CatalogColumn, found: CatalogColumn) => boolean;
  /** Whether the service works with the found value; default: never. */
  readonly harmless?: (wanted: CatalogColumn, found: CatalogColumn) => boolean;
}

const facets: readonly Facet[] = [
  {
    kind: "type",
    text: ({ type }) => shortType(type),
    // A domain accepts fewer values. A refused value is an error of the caller.
    harmless: ({ type }, { baseType }) => type === baseType,
  },
  { kind: "nullability", text: nullabilityText },
  {
    kind: "identity",
    text: ({ identity }) => (identity === null ? "no identity" : `identity (generated ${identity})`),
  },
  {
    kind: "default",
    text: defaultText,
    key: defaultKey,
    // It fills in missing values: introspected databases keep defaults that models cannot express.
    harmless: (wanted, found) => wanted.default === null && found.default !== null && !found.generated,
  },
  {
    kind: "sequence",
    text: counterText,
    // Without a counter, the identity or the default differs.
    when: ({ counter: wanted }, { counter: found }) => wanted !== null && found !== null,
    harmless: ({ counter: wanted }, { counter: found }) =>
      wanted !== null && found !== null && countsAsFar(wanted, found),
  },
  {
    kind: "collation",
    text: ({ collation }) => `collation ${collation ?? "default"}`,
    harmless: () => true,
  },
];

function columnFindings(table: string, wanted: CatalogColumn, found: CatalogColumn): Finding[] {
  return facets
    .filter(({ text, key = text, when }) => key(wanted) !== key(found) && when?.(wanted, found) !== false)
    .map(({ kind, text, harmless = never }) => ({
      kind,
      table,
      name: wanted.name,
      expected: text(wanted),
      actual: text(found),
      harmless: harmless(wanted, found),
    }));
}

function never(): boolean {
  return false;
}

function nullabilityText({ nullable, validated }: CatalogColumn): string {
  if (nullable) return "nullable";
  return validated ? "not null" : "not null, not validated: older rows can be null";
}

/** Whether a sequence reaches the maximum without repeating a number. The increment can differ. */
function countsAsFar(wanted: CatalogCounter, found: CatalogCounter): boolean {
  return !found.cycle && BigInt(found.maximum) >= BigInt(wanted.maximum) && BigInt(found.increment) > 0n;
}

function counterText({ counter }: CatalogColumn): string {
  if (counter === null) return "no sequence";
  const { increment, maximum, cycle } = counter;
  return `counting to ${maximum} by ${increment}${cycle ? ", then from the beginning" : ""}`;
}

function defaultText({ default: value, generated, sequence }: CatalogColumn): string {
  if (value === null) return "no default";
  if (generated) return `generated as ${value}`;
  return sequence ? "the next number of a sequence" : `default ${value}`;
}

/** A sequence keeps its name when its table or its column is renamed. */
function defaultKey({ default: value, generated, sequence }: CatalogColumn): string {
  if (value === null || sequence) return sequence ? "sequence" : "";
  return `${generated ? "generated" : "default"} ${canonicalExpression(value)}`;
}

/** Compares triggers, rules and traits that affect writes. */
function compareBehaviour(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  const states = traits
    .filter(({ has }) => has(actual) && !has(expected))
    .map(({ kind, without, found }) =>
      fault({ kind, table, name: null, expected: without, actual: found(actual) }),
    );
  return [
    ...added(expected.triggers, actual.triggers).map((name) =>
      remark({ kind: "trigger", table, name, expected: null, actual: triggerText(name, actual) }),
    ),
    ...added(expected.rules, actual.rules).map((name) =>
      fault({ kind: "rule", table, name, expected: null, actual: "rule that rewrites statements" }),
    ),
    ...states,
  ];
}

interface Trait {
  readonly kind: "unlogged" | "inheritance" | "row_security";
  readonly has: (table: CatalogTable) => boolean;
  readonly without: string;
  readonly found: (table: CatalogTable) => string;
}

const traits: readonly Trait[] = [
  {
    kind: "unlogged",
    has: ({ unlogged }) => unlogged,
    without: "logged",
    found: () => "unlogged: a crash empties it",
  },
  {
    // Queries of this table also return rows of its children, which can have the same ids.
    kind: "inheritance",
    has: ({ children }) => children.length > 0,
    without: "not inherited",
    found: ({ children }) => `inherited by ${children.join(", ")}`,
  },
  {
    // A service that cannot see a row inserts a duplicate, or responds that the row does not exist.
    kind: "row_security",
    has: ({ rowSecurity }) => rowSecurity,
    without: "no row security",
    found: () => "row security that hides rows from this role",
  },
];

function added(known: readonly string[], found: readonly string[]): string[] {
  return found.filter((name) => !known.includes(name));
}

function triggerText(name: string, { rowTriggers }: CatalogTable): string {
  return rowTriggers.includes(name)
    ? "trigger before each row, which can change or skip the row,"
    : "trigger";
}

/** Compares two catalogs. Ignores the order of columns, comments, and names of primary keys and sequences. */
export function compareCatalogs(
  expected: readonly CatalogTable[],
  actual: readonly CatalogTable[],
): Comparison {
  const found = pairsByName(expected, actual).flatMap(([wanted, is]) => tableFindings(wanted, is));
  return {
    differences: found.filter(({ harmless }) => !harmless).map(difference),
    notes: found.filter(({ harmless }) => harmless).map(difference),
  };
}

function difference({ harmless: _, ...difference }: Finding): Difference {
  return difference;
}

function tableFindings(expected: CatalogTable | null, actual: CatalogTable | null): Finding[] {
  const table = expected?.name ?? actual?.name ?? "";
  const kinds = {
    kind: "table",
    table,
    name: null,
    expected: expected?.kind ?? null,
    actual: actual?.kind ?? null,
  } as const;
  if (expected === null) return [remark(kinds)];
  if (actual === null || actual.kind !== expected.kind) return [fault(kinds)];
  return [
    ...compareColumns(expected, actual),
    ...compareConstraints(expected, actual),
    ...compareIndexes(expected, actual),
    ...compareBehaviour(expected, actual),
  ];
}

/** Compares the constraints of a table. */
function compareConstraints(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  return [
    ...comparePrimaryKeys(table, primaryKey(expected), primaryKey(actual)),
    ...pairsByName(others(expected), others(actual)).flatMap(([wanted, found]) => {
      if (wanted !== null) return constraintFindings(table, wanted, found);
      return found === null ? [] : [extraConstraint(expected, found)];
    }),
  ];
}

function primaryKey({ constraints }: CatalogTable): CatalogConstraint | null {
  return constraints.find(({ kind }) => kind === "primary_key") ?? null;
}

function others({ constraints }: CatalogTable): CatalogConstraint[] {
  return constraints.filter(({ kind }) => kind !== "primary_key");
}

/** Ignores the name: PostgreSQL chose it, and it stays when the table is renamed. */
function comparePrimaryKeys(
  table: string,
  wanted: CatalogConstraint | null,
  found: CatalogConstraint | null,
): Finding[] {
  const [expected, actual] = [wanted?.definition ?? null, found?.definition ?? null];
  return expected === actual ? [] : [fault({ kind: "primary_key", table, name: null, expected, actual })];
}

function constraintFindings(
  table: string,
  wanted: CatalogConstraint,
  found: CatalogConstraint | null,
): Finding[] {
  const difference = { kind: wanted.kind, table, name: wanted.name } as const;
  const expected = withoutState(wanted.definition);
  if (found === null) return [fault({ ...difference, expected, actual: null })];
  const actual = withoutState(found.definition);
  if (wanted.kind !== found.kind || effect(wanted) !== effect(found))
    return [fault({ ...difference, expected, actual })];
  const hasOtherRules = wanted.kind === "foreign_key" && expected !== actual;
  return [
    ...(hasOtherRules ? [remark({ ...difference, expected, actual })] : []),
    ...stateFindings(difference, wanted, found),
  ];
}

function effect({ kind, definition }: CatalogConstraint): string {
  const plain = withoutState(definition);
  if (kind === "check") return canonicalExpression(plain);
  return kind === "foreign_key" ? foreignKeyEffect(plain) : plain;
}

function stateFindings(
  difference: Pick<Difference, "kind" | "table" | "name">,
  wanted: CatalogConstraint,
  found: CatalogConstraint,
): Finding[] {
  if (wanted.enforced && !found.enforced)
    return [fault({ ...difference, expected: "enforced", actual: "not enforced: it was turned off" })];
  return wanted.validated && !found.validated
    ? [
        fault({
          ...difference,
          expected: "validated",
          actual: "not validated: older rows can violate it",
        }),
      ]
    : [];
}

/** An additional constraint refuses valid rows, unless it is an expected unique index in another form. */
function extraConstraint({ name: table, indexes }: CatalogTable, found: CatalogConstraint): Finding {
  const { kind, name, definition } = found;
  const difference = { kind, table, name, expected: null, actual: definition };
  const isIndex = kind === "unique" && indexes.some((index) => index.name === name);
  return isIndex && !definition.includes(" DEFERRABLE") ? remark(difference) : fault(difference);
}

/** Compares the indexes of a table, except those of constraints. */
export function compareIndexes(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  const wantedKeys = keyNames(expected);
  const foundKeys = keyNames(actual);
  const wantedIndexes = expected.indexes.filter(({ name }) => !wantedKeys.has(name));
  return pairsByName(wantedIndexes, actual.indexes).flatMap(([wanted, found]) => {
    if (wanted !== null) return indexFindings(table, wanted, found);
    return found === null || foundKeys.has(found.name) ? [] : [extraIndex(table, found)];
  });
}

function keyNames({ constraints }: CatalogTable): ReadonlySet<string> {
  const keys = constraints.filter(({ kind }) => kind !== "check" && kind !== "foreign_key");
  return new Set(keys.map(({ name }) => name));
}

function indexFindings(table: string, wanted: CatalogIndex, found: CatalogIndex | null): Finding[] {
  const difference = { kind: "index", table, name: wanted.name } as const;
  const expected = describeIndex(wanted);
  if (found === null) return [fault({ ...difference, expected, actual: null })];
  if (!sameEffect(wanted, found)) return [fault({ ...difference, expected, actual: describeIndex(found) })];
  return found.valid || !wanted.valid
    ? []
    : [fault({ ...difference, expected: "a valid index", actual: "invalid: its creation failed" })];
}

/** Ignores storage parameters. */
function sameEffect(one: CatalogIndex, other: CatalogIndex): boolean {
  const effect = ({ unique, method, columns, predicate }: CatalogIndex) =>
    JSON.stringify([unique, method, columns, predicate]);
  if (one.columns === null || other.columns === null) return one.definition === other.definition;
  return effect(one) === effect(other);
}

/** An additional unique index refuses rows that the models allow. */
function extraIndex(table: string, index: CatalogIndex): Finding {
  const actual = `${index.valid ? "" : "invalid "}${describeIndex(index)}`;
  const difference = { kind: "index", table, name: index.name, expected: null, actual } as const;
  return index.unique ? fault(difference) : remark(difference);
}

function describeIndex({ unique, method, columns, predicate, definition }: CatalogIndex): string {
  const kind = `${method === "btree" ? "" : `${method} `}${unique ? "unique index" : "index"}`;
  if (columns === null)
    return `${unique ? "unique index" : "index"} ${definition.slice(definition.indexOf(" USING ") + 1)}`;
  return `${kind} (${columns.join(", ")})${predicate === null ? "" : ` where ${predicate}`}`;
}

interface Named {
  readonly name: string;
}

/** Pairs of two lists by name: first all expected elements, then those that only the other list has. */
export function pairsByName<Part extends Named>(
  expected: readonly Part[],
  actual: readonly Part[],
): (readonly [expected: Part | null, actual: Part | null])[] {
  const others = new Map(actual.map((part) => [part.name, part]));
  const known = new Set(expected.map(({ name }) => name));
  return [
    ...expected.map((part) => [part, others.get(part.name) ?? null] as const),
    ...actual.filter(({ name }) => !known.has(name)).map((part) => [null, part] as const),
  ];
}

/** A difference, and whether the service and its migrations work in spite of it. */
export interface Finding extends Difference {
  readonly harmless: boolean;
}

/** A difference that can make a service or a migration fail. */
export function fault(difference: Difference): Finding {
  return { ...difference, harmless: false };
}

/** A harmless difference. */
export function remark(difference: Difference): Finding {
  return { ...difference, harmless: true };
}

import type {
  CatalogConstraint,
  CatalogIndex,
  CatalogTable,
} from "../../../../vocabulary/migrations/catalog.ts";
import { canonicalExpression, foreignKeyEffect, withoutState } from "./canonical.ts";
import { compareColumns } from "./compare-columns.ts";
import type { Comparison, Difference } from "./difference.ts";
import { type Finding, fault, pairsByName, remark } from "./finding.ts";

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

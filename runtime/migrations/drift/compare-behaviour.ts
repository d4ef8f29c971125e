import type { CatalogTable } from "../../../vocabulary/catalog.ts";
import { type Finding, fault, note } from "./finding.ts";

/** What differs in how a table treats what is written to it, beyond its columns and constraints. */
export function compareBehaviour(expected: CatalogTable, actual: CatalogTable): Finding[] {
  const table = expected.name;
  const states = traits
    .filter(({ has }) => has(actual) && !has(expected))
    .map(({ kind, without, found }) =>
      fault({ kind, table, name: null, expected: without, actual: found(actual) }),
    );
  return [
    ...added(expected.triggers, actual.triggers).map((name) =>
      note({ kind: "trigger", table, name, expected: null, actual: triggerText(name, actual) }),
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
    // Their rows are found here too, with ids that rows of this table may have.
    kind: "inheritance",
    has: ({ children }) => children.length > 0,
    without: "not inherited",
    found: ({ children }) => `inherited by ${children.join(", ")}`,
  },
  {
    // A service that does not see a row makes another one, or says that there is none.
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
    ? "trigger before each row, which may change it or leave it out,"
    : "trigger";
}

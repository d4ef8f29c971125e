import type { CatalogConstraint, CatalogTable } from "../../../vocabulary/catalog.ts";
import { canonicalExpression, foreignKeyEffect, withoutState } from "./canonical.ts";
import type { Difference } from "./difference.ts";
import { type Finding, fault, note } from "./finding.ts";
import { pairsByName } from "./pairs-by-name.ts";

/** What differs in the constraints of a table. */
export function compareConstraints(expected: CatalogTable, actual: CatalogTable): Finding[] {
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

/** Its name does not count: PostgreSQL chose it, and it stays when the table is renamed. */
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
  const told = wanted.kind === "foreign_key" && expected !== actual;
  return [
    ...(told ? [note({ ...difference, expected, actual })] : []),
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
    return [fault({ ...difference, expected: "enforced", actual: "not enforced: somebody turned it off" })];
  return wanted.validated && !found.validated
    ? [
        fault({
          ...difference,
          expected: "validated",
          actual: "not validated: rows from before may break it",
        }),
      ]
    : [];
}

/** It refuses rows that the models allow, unless it is but another form of an index that is expected. */
function extraConstraint({ name: table, indexes }: CatalogTable, found: CatalogConstraint): Finding {
  const { kind, name, definition } = found;
  const difference = { kind, table, name, expected: null, actual: definition };
  const isIndex = kind === "unique" && indexes.some((index) => index.name === name);
  return isIndex && !definition.includes(" DEFERRABLE") ? note(difference) : fault(difference);
}

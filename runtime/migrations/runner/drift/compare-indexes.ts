import type { CatalogIndex, CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import { type Finding, fault, remark } from "./finding.ts";
import { pairsByName } from "./pairs-by-name.ts";

/** What differs in the indexes of a table, but for those that are part of a constraint. */
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
    : [fault({ ...difference, expected: "a valid index", actual: "invalid: making it failed half-way" })];
}

/** How it is stored does not count. */
function sameEffect(one: CatalogIndex, other: CatalogIndex): boolean {
  const effect = ({ unique, method, columns, predicate }: CatalogIndex) =>
    JSON.stringify([unique, method, columns, predicate]);
  if (one.columns === null || other.columns === null) return one.definition === other.definition;
  return effect(one) === effect(other);
}

/** A unique one refuses rows that the models allow. */
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

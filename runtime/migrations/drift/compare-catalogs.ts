import type { CatalogTable } from "../../../vocabulary/catalog.ts";
import { compareBehaviour } from "./compare-behaviour.ts";
import { compareColumns } from "./compare-columns.ts";
import { compareConstraints } from "./compare-constraints.ts";
import { compareIndexes } from "./compare-indexes.ts";
import type { Comparison, Difference } from "./difference.ts";
import { type Finding, fault, note } from "./finding.ts";
import { pairsByName } from "./pairs-by-name.ts";

/**
 * How the tables that are there differ from those that should be. Names of primary keys and of sequences, the order of
 * columns and comments do not count.
 */
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
  if (expected === null) return [note(kinds)];
  if (actual === null || actual.kind !== expected.kind) return [fault(kinds)];
  return [
    ...compareColumns(expected, actual),
    ...compareConstraints(expected, actual),
    ...compareIndexes(expected, actual),
    ...compareBehaviour(expected, actual),
  ];
}

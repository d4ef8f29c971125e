import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import type { CustomObject } from "../history/custom-objects.ts";
import { compareCatalogs } from "./compare-catalogs.ts";
import type { Comparison, Difference } from "./difference.ts";

/** Of a table itself: they have no name, and a table without them has another state. */
const traits: ReadonlySet<string> = new Set(["unlogged", "inheritance", "row_security"]);

/** The objects in addition to the expected ones. A changed or missing object is not an addition. */
export function additionsIn({ differences, notes }: Comparison): Difference[] {
  return [...differences, ...notes].filter(isAddition);
}

/** What own SQL made, by the tables before and after it. Views, functions and extensions do not matter. */
export function objectsCreatedBetween(
  migration: string,
  before: readonly CatalogTable[],
  after: readonly CatalogTable[],
): CustomObject[] {
  return additionsIn(compareCatalogs(before, after)).map((difference) =>
    customObjectOf(migration, difference),
  );
}

/** An additional object, recorded as made by a migration. */
export function customObjectOf(migration: string, { kind, table, name }: Difference): CustomObject {
  return { migration, kind, table, name };
}

/** A comparison without what own SQL made. `migrations` are those that are applied, in their order. */
export function withoutCustomObjects(
  { differences, notes }: Comparison,
  made: readonly CustomObject[],
  migrations: readonly Migration[],
): Comparison {
  const known = new Set(made.map((object) => keyOf({ ...object, table: tableNow(object, migrations) })));
  const isOthers = (difference: Difference) => !(isAddition(difference) && known.has(keyOf(difference)));
  return { differences: differences.filter(isOthers), notes: notes.filter(isOthers) };
}

function isAddition({ kind, expected }: Difference): boolean {
  return expected === null || traits.has(kind);
}

function keyOf({
  kind,
  table,
  name,
}: Pick<Difference, "table" | "name"> & { readonly kind: string }): string {
  return JSON.stringify([kind, table, name]);
}

/** Its table may have got another name since. */
function tableNow({ migration, table }: CustomObject, migrations: readonly Migration[]): string {
  const since = migrations.slice(migrations.findIndex(({ name }) => name === migration) + 1);
  return since
    .flatMap(({ up }) => up)
    .reduce((name, step) => (step.step === "rename_table" && step.table === name ? step.to : name), table);
}

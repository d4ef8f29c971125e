import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import type { CustomObject } from "../history/custom-objects.ts";
import { compareCatalogs } from "./compare-catalogs.ts";
import type { Comparison, Difference } from "./difference.ts";

/** Kinds of differences that belong to the table itself. Their expected value is never null. */
const traits: ReadonlySet<string> = new Set(["unlogged", "inheritance", "row_security"]);

/** The objects in addition to the expected ones. A changed or missing object is not an addition. */
export function additionsIn({ differences, notes }: Comparison): Difference[] {
  return [...differences, ...notes].filter(isAddition);
}

/** The objects that custom SQL created. Ignores views, functions and extensions. */
export function objectsCreatedBetween(
  migration: string,
  before: readonly CatalogTable[],
  after: readonly CatalogTable[],
): CustomObject[] {
  return additionsIn(compareCatalogs(before, after)).map((difference) =>
    customObjectOf(migration, difference),
  );
}

/** Returns the object of a difference as a custom object that this migration created. */
export function customObjectOf(migration: string, { kind, table, name }: Difference): CustomObject {
  return { migration, kind, table, name };
}

/** A comparison without the objects of custom SQL. `migrations` are the applied ones, in order. */
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

/** The current name of the table, which a later migration can have renamed. */
function tableNow({ migration, table }: CustomObject, migrations: readonly Migration[]): string {
  const since = migrations.slice(migrations.findIndex(({ name }) => name === migration) + 1);
  return since
    .flatMap(({ up }) => up)
    .reduce((name, step) => (step.step === "rename_table" && step.table === name ? step.to : name), table);
}

import type pg from "pg";
import { readCatalog } from "../../../runtime/catalog/index.ts";
import { stepToSql } from "../../../runtime/migrations/steps/steps-to-sql.ts";
import type { CatalogTable } from "../../../vocabulary/catalog.ts";
import type { Step } from "../../../vocabulary/migration-steps.ts";

/** The tables after each list of steps, in a schema that is then gone. */
export async function catalogs(client: pg.Client, ...stages: (readonly Step[])[]): Promise<CatalogTable[][]> {
  const found: CatalogTable[][] = [];
  await client.query("BEGIN; CREATE SCHEMA trial; SET LOCAL search_path = trial");
  try {
    for (const steps of stages) {
      await client.query(sqlOf(steps));
      found.push((await readCatalog(client, "trial")).map(comparable));
    }
  } finally {
    await client.query("ROLLBACK");
  }
  return found;
}

/** Without the order of columns, and the names of primary keys, which stay when a table is renamed. */
function comparable({ columns, indexes, constraints, ...table }: CatalogTable): CatalogTable {
  const keys = constraints.filter(({ kind }) => kind === "primary_key");
  const others = constraints.filter(({ kind }) => kind !== "primary_key");
  return {
    ...table,
    columns: sorted(columns),
    indexes: indexes.filter((index) => !keys.some(({ name }) => name === index.name)),
    constraints: [...keys.map((key) => ({ ...key, name: "" })), ...others],
  };
}

/** Parts in the order of their names. */
export function sorted<Part extends { readonly name: string }>(parts: readonly Part[]): Part[] {
  return [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The statements of some steps. */
export function sqlOf(steps: readonly Step[]): string {
  return steps.map(stepToSql).join(";\n");
}

/** A required column that was dropped comes back as one that may be null. */
export function withoutDemand(table: CatalogTable): CatalogTable {
  return { ...table, columns: table.columns.map((column) => ({ ...column, nullable: true })) };
}

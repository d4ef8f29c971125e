import type pg from "pg";
import { readCatalog } from "#runtime/migrations/catalog/index";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { CatalogTable } from "#vocabulary/migrations/catalog";
import type { Step } from "#vocabulary/migrations/migration-steps";

/** A schema for test runs of steps. */
export interface Trial {
  /** The tables after some more steps. */
  after(steps: readonly Step[]): Promise<CatalogTable[]>;
  /** Does something, and takes back what that did to the tables, also where it fails. */
  apart<Found>(work: () => Promise<Found>): Promise<Found>;
}

/** Tries steps after others, which may be many, in a schema that is then gone. */
export async function inTrial<Found>(
  client: pg.Client,
  first: readonly Step[],
  work: (trial: Trial) => Promise<Found>,
): Promise<Found> {
  await client.query("begin; create schema trial; set local search_path = trial");
  try {
    await client.query(sqlOf(first));
    return await work({
      async after(steps) {
        await client.query(sqlOf(steps));
        return (await readCatalog(client, "trial")).map(comparable);
      },
      async apart(part) {
        await client.query("savepoint before_part");
        try {
          return await part();
        } finally {
          await client.query("rollback to before_part; release before_part");
        }
      },
    });
  } finally {
    await client.query("rollback");
  }
}

/** The tables after each list of steps, in a schema that is then gone. */
export function catalogs(client: pg.Client, ...stages: (readonly Step[])[]): Promise<CatalogTable[][]> {
  return inTrial(client, [], async ({ after }) => {
    const found: CatalogTable[][] = [];
    for (const steps of stages) found.push(await after(steps));
    return found;
  });
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

/** A required column that was dropped comes back as one that may be null, and an enum type keeps the values that were added. */
export function withoutDemand(table: CatalogTable): CatalogTable {
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, nullable: true, enumValues: null })),
  };
}

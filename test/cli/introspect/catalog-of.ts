import pg from "pg";
import { readCatalog } from "#runtime/migrations/catalog/index";
import type { CatalogTable } from "#vocabulary/migrations/catalog";

/** The tables of a database without the order of columns and names of keys, which may differ. */
export async function catalogOf({ url }: { readonly url: string }): Promise<CatalogTable[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const tables = await readCatalog(client, "public");
    return tables.map((table) => ({ ...table, columns: [...table.columns].sort(byName) }));
  } finally {
    await client.end();
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}

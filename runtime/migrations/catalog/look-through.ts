import type pg from "pg";

/** How long a table is looked through; a large one may take longer, and then nothing is known of it. */
const scanTimeout = "5s";

/** The rows of a query that changes nothing; null where the table is large, or the role may not read it. */
export async function queryWithTimeout<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  query: string,
): Promise<Row[] | null> {
  await client.query(`begin read only; set local statement_timeout = '${scanTimeout}'`);
  try {
    return (await client.query<Row>(query)).rows;
  } catch {
    return null;
  } finally {
    await client.query("rollback");
  }
}

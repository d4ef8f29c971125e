import type pg from "pg";
import { MigrationError } from "../migration-error.ts";
import { revertProgressTable, tableExists } from "./history-tables.ts";
import { checksumOfContent } from "./migration-checksum.ts";

export async function createRevertProgress(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${revertProgressTable} (name text primary key, done text not null, texts int not null)`,
  );
}

/** How many texts of `down` are done that a stop came after. Throws a MigrationError where they were others. */
export async function revertedTexts(
  client: pg.Client,
  name: string,
  texts: readonly string[],
): Promise<number> {
  const { rows } = await client.query<{ done: string; texts: number }>(
    `select done, texts from ${revertProgressTable} where name = $1`,
    [name],
  );
  const [row] = rows;
  if (row === undefined) return 0;
  if (row.done === checksumOfContent(texts.slice(0, row.texts))) return row.texts;
  throw new MigrationError(
    `${name} is half-way taken back (${row.texts} of ${texts.length} texts), and what is done of down was altered since; restore the file`,
  );
}

/** Records that one more text is done. */
export async function recordRevertedTexts(
  client: pg.Client,
  name: string,
  done: readonly string[],
): Promise<void> {
  await client.query(
    `insert into ${revertProgressTable} (name, done, texts) values ($1, $2, $3)
      on conflict (name) do update set done = excluded.done, texts = excluded.texts`,
    [name, checksumOfContent(done), done.length],
  );
}

/** Must run in the transaction that records the migration as reverted. */
export async function deleteRevertProgress(client: pg.Client, name: string): Promise<void> {
  await client.query(`delete from ${revertProgressTable} where name = $1`, [name]);
}

/** Throws a MigrationError where taking a migration back was begun: what is done of it is not there any more. */
export async function requireNotReverting(client: pg.Client, name: string): Promise<void> {
  if (!(await tableExists(client, revertProgressTable))) return;
  const { rows } = await client.query(`select from ${revertProgressTable} where name = $1`, [name]);
  if (rows.length > 0)
    throw new MigrationError(
      `${name} is half-way taken back: take back the rest of it first, by npm run migrate -- down`,
    );
}

import type pg from "pg";
import { MigrationError } from "../migration-error.ts";
import { revertProgressTable, tableExists } from "./history-tables.ts";
import { checksumOfContent } from "./migration-checksum.ts";

export async function createRevertProgress(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${revertProgressTable} (name text primary key, done text not null, texts int not null)`,
  );
}

/** The number of finished texts of `down`. Throws a MigrationError if they were changed since then. */
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
    `${name} is partly reverted (${row.texts} of ${texts.length} texts), and these texts of down were changed since then; restore the file`,
  );
}

/** Records the finished texts. */
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

/** Throws a MigrationError if the migration is partly reverted: its recorded progress is no longer true. */
export async function requireNotReverting(client: pg.Client, name: string): Promise<void> {
  if (!(await tableExists(client, revertProgressTable))) return;
  const { rows } = await client.query(`select from ${revertProgressTable} where name = $1`, [name]);
  if (rows.length > 0)
    throw new MigrationError(
      `${name} is partly reverted: revert the rest first, with npm run migrate -- down`,
    );
}

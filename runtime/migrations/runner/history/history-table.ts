import type pg from "pg";

/** The migrations that were applied. */
export const historyTable = "kirak_migrations";
export const checksumTable = "kirak_migration_checksums";

/** A migration that the database knows. */
export interface Applied {
  readonly name: string;
  readonly appliedAt: Date;
  /** Null if it was removed. */
  readonly checksum: string | null;
}

/** What was applied, in that order. Changes nothing, also in a database that was never migrated. */
export async function readHistory(client: pg.Client): Promise<Applied[]> {
  if (!(await tableExists(client, historyTable))) return [];
  const hasChecksums = await tableExists(client, checksumTable);
  const checksum = hasChecksums ? `(select checksum from ${checksumTable} c where c.name = h.name)` : "null";
  const { rows } = await client.query<Applied>(
    `select h.name, h.migration_time as "appliedAt", ${checksum} as checksum from ${historyTable} h order by h.id`,
  );
  return rows;
}

/** Whether the search path has a table of this name. */
export async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    table,
  ]);
  return rows[0]?.found === true;
}

import type pg from "pg";
import { MigrationError } from "../migration-error.ts";

/** The applied migrations. */
export const historyTable = "kirak_migrations";
export const checksumTable = "kirak_migration_checksums";

/** An applied migration. */
export interface Applied {
  readonly name: string;
  readonly appliedAt: Date;
  /** Null if its row was deleted. */
  readonly checksum: string | null;
}

/** Returns the applied migrations in order. Changes nothing; works in a database that was never migrated. */
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

/** The preparation of a migration, and the steps that remove it: at most one row. */
export const preparationTable = "kirak_migration_progress";

/** Progress of applying a migration of custom SQL in several transactions. */
export const sqlProgressTable = "kirak_sql_progress";

/** Progress of reverting one. */
export const revertProgressTable = "kirak_sql_taken_back";

/** Objects that custom SQL created and that the models do not have. */
export const customObjectsTable = "kirak_sql_objects";

/** All tables in which Kirak records its migrations. */
export const historyTables = [
  historyTable,
  checksumTable,
  preparationTable,
  sqlProgressTable,
  revertProgressTable,
  customObjectsTable,
];

/**
 * A superuser is a member of every role. For it, the owner must be a superuser or the owner of the history
 * table.
 */
const foreignTablesQuery = `
  select c.relname::text as name, pg_get_userbyid(c.relowner)::text as owner
  from unnest($1::text[]) as own(name) join pg_class c on c.oid = to_regclass(own.name)
  join pg_roles me on me.rolname = current_user join pg_roles o on o.oid = c.relowner
  where not o.rolsuper and not case when me.rolsuper
    then c.relowner is not distinct from (select relowner from pg_class where oid = to_regclass($2))
    else pg_has_role(current_user, c.relowner, 'MEMBER') end
  order by 1`;

/**
 * Throws a MigrationError if one of Kirak's tables belongs to another role. A role that can create tables
 * could replace one of them. Its triggers would then run with the rights of the role that migrates.
 */
export async function requireTableOwnership(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; owner: string }>(foreignTablesQuery, [
    historyTables,
    historyTable,
  ]);
  const [first] = rows;
  if (first !== undefined)
    throw new MigrationError(
      `the table ${first.name} belongs to ${first.owner}, whose rights this role does not have: ` +
        "drop it, or make the migrating role its owner",
    );
}

import type pg from "pg";
import { MigrationError } from "../migration-error.ts";
import { checksumTable, historyTable } from "./history-table.ts";

/** What was prepared for a migration outside its transaction, and how that is undone: at most one row. */
export const progressTable = "kirak_migration_progress";

/** What Kirak keeps for itself, to tell what it did. */
export const ownTables = [historyTable, checksumTable, progressTable];

/** To a superuser every role is its own: where one migrates, the tables belong to it or to the owner of the history. */
const foreign = `
  SELECT c.relname::text AS name, pg_get_userbyid(c.relowner)::text AS owner
  FROM unnest($1::text[]) AS own(name) JOIN pg_class c ON c.oid = to_regclass(own.name)
  JOIN pg_roles me ON me.rolname = current_user JOIN pg_roles o ON o.oid = c.relowner
  WHERE NOT o.rolsuper AND NOT CASE WHEN me.rolsuper
    THEN c.relowner IS NOT DISTINCT FROM (SELECT relowner FROM pg_class WHERE oid = to_regclass($2))
    ELSE pg_has_role(current_user, c.relowner, 'MEMBER') END
  ORDER BY 1`;

/**
 * Throws a MigrationError where one of Kirak's tables belongs to somebody else: whoever may create tables could put one in
 * its place, and have it read, or its triggers run, with the rights of who migrates.
 */
export async function requireOwnTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; owner: string }>(foreign, [ownTables, historyTable]);
  const [first] = rows;
  if (first !== undefined)
    throw new MigrationError(
      `the table ${first.name} belongs to ${first.owner}, whose rights this role does not have: ` +
        "drop it, or make the role that migrates its owner",
    );
}

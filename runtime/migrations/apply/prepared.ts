import type pg from "pg";
import { MigrationError } from "../migration-error.ts";
import type { Change } from "../plan/migration-change.ts";
import { name } from "../steps/quoting.ts";

const unready = `
  SELECT p.name FROM jsonb_to_recordset($1) AS p(drop text, "table" text, name text)
  WHERE CASE p.drop
    WHEN 'index' THEN NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(p.name) AND indisvalid)
    WHEN 'constraint' THEN NOT EXISTS (SELECT FROM pg_constraint
      WHERE conrelid = to_regclass(p."table") AND conname = p.name AND convalidated)
  END`;

/** Throws a MigrationError unless all indexes and constraints that were prepared are there, and whole. */
export async function requireReady(connection: pg.ClientBase, { migration, plan }: Change): Promise<void> {
  const prepared = plan.undo.map((undo) => ({ ...undo, table: name(undo.table) }));
  const { rows } = await connection.query(unready, [JSON.stringify(prepared)]);
  if (rows.length > 0)
    throw new MigrationError(`what was prepared for ${migration.name} is not whole any more: start again`);
}

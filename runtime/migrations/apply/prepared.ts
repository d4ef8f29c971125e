import type pg from "pg";
import { MigrationError } from "../migration-error.ts";
import type { Change } from "../plan/migration-change.ts";
import { name } from "../steps/quoting.ts";

const unready = `
  select p.name from jsonb_to_recordset($1) as p(drop text, "table" text, name text)
  where case p.drop
    when 'index' then not exists (select from pg_index where indexrelid = to_regclass(p.name) and indisvalid)
    when 'constraint' then not exists (select from pg_constraint
      where conrelid = to_regclass(p."table") and conname = p.name and convalidated)
  end`;

/** Throws a MigrationError unless all indexes and constraints that were prepared are there, and whole. */
export async function requireReady(connection: pg.ClientBase, { migration, plan }: Change): Promise<void> {
  const prepared = plan.undo.map((undo) => ({ ...undo, table: name(undo.table) }));
  const { rows } = await connection.query(unready, [JSON.stringify(prepared)]);
  if (rows.length > 0)
    throw new MigrationError(`what was prepared for ${migration.name} is not whole any more: start again`);
}

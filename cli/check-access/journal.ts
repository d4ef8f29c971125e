import type { TestDatabase } from "#runtime/testing/index";

/** A row that a request changed. Values are as `to_jsonb` gives them. */
export interface RowChange {
  readonly table: string;
  readonly operation: "INSERT" | "UPDATE" | "DELETE";
  /** The row after the change; of a deleted row, the row before it. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** Records all changes of the app's tables, and reverts them, so that no question depends on another one. */
export interface Journal {
  /** The changes since the last revert, oldest first. */
  changes(): Promise<RowChange[]>;
  /** Reverts the changes. */
  revert(): Promise<void>;
}

/** A session that reverts must not record, and must not run triggers of the app where it can turn them off. */
const schema = `create schema kirak_check;
create table kirak_check.changes (
  n bigint generated always as identity, tab text, op text, old jsonb, new jsonb
);
create function kirak_check.record() returns trigger language plpgsql security definer as $$
begin
  if current_setting('kirak_check.reverting', true) = 'on' then return null; end if;
  insert into kirak_check.changes (tab, op, old, new) values (
    tg_table_name, tg_op,
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end
  );
  return null;
end $$;
create function kirak_check.revert() returns void language plpgsql as $$
declare
  change record;
  columns text;
begin
  perform set_config('kirak_check.reverting', 'on', true);
  if (select rolsuper from pg_roles where rolname = current_user) then
    perform set_config('session_replication_role', 'replica', true);
  end if;
  for change in select * from kirak_check.changes order by n desc loop
    select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
      where attrelid = to_regclass(quote_ident(change.tab)) and attnum > 0 and not attisdropped
        and attgenerated = '' and (change.op = 'DELETE' or attname <> 'id');
    if change.op = 'INSERT' then
      execute format('delete from %1$I where id = (jsonb_populate_record(null::%1$I, $1)).id', change.tab)
        using change.new;
    elsif change.op = 'DELETE' then
      execute format(
        'insert into %1$I (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$I, $1)',
        change.tab, columns) using change.old;
    else
      execute format(
        'update %1$I set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$I, $1)) where id = (jsonb_populate_record(null::%1$I, $2)).id',
        change.tab, columns) using change.old, change.new;
    end if;
  end loop;
  delete from kirak_check.changes;
  perform set_config('session_replication_role', 'origin', true)
    where (select rolsuper from pg_roles where rolname = current_user);
  perform set_config('kirak_check.reverting', 'off', true);
end $$`;

const read = `select tab as "table", op as operation, coalesce(new, old) as row from kirak_check.changes order by n`;

/** Installs the journal for some tables. What was written before is not in it. */
export async function installJournal(database: TestDatabase, tables: readonly string[]): Promise<Journal> {
  await database.query(schema);
  for (const table of tables)
    await database.query(
      `create trigger kirak_check_record after insert or update or delete on "${table}"
       for each row execute function kirak_check.record()`,
    );
  return {
    changes: () => database.query<RowChange>(read),
    async revert() {
      await database.query("select kirak_check.revert() where exists (select from kirak_check.changes)");
    },
  };
}

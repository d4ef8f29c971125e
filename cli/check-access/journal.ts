import { type Models, plan, policyValue, sql, tableSql } from "#runtime/data/sql/index";
import { columnName, columnsOf, hasId, type Model } from "#runtime/models/index";
import type { TestDatabase } from "#runtime/testing/index";

/** A row that a request changed. Values are as `to_jsonb` gives them. */
export interface RowChange {
  /** The key of its model. */
  readonly model: string;
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

/**
 * The trigger gets the key of the model and the column of the id. All its values find a row without an id.
 * A session that reverts must not record, and must not run triggers of the app where it can turn them off.
 */
const schema = `create schema kirak_check;
create table kirak_check.changes (
  n bigint generated always as identity, model text, tab text, id text, op text, old jsonb, new jsonb
);
create function kirak_check.record() returns trigger language plpgsql security definer as $$
begin
  if current_setting('kirak_check.reverting', true) = 'on' then return null; end if;
  insert into kirak_check.changes (model, tab, id, op, old, new) values (
    tg_argv[0], format('%I.%I', tg_table_schema, tg_table_name), tg_argv[1], tg_op,
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end
  );
  return null;
end $$;
create function kirak_check.revert() returns void language plpgsql as $$
declare
  change record;
  columns text;
  same text;
begin
  perform set_config('kirak_check.reverting', 'on', true);
  if (select rolsuper from pg_roles where rolname = current_user) then
    perform set_config('session_replication_role', 'replica', true);
  end if;
  for change in select * from kirak_check.changes order by n desc loop
    select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
      where attrelid = to_regclass(change.tab) and attnum > 0 and not attisdropped
        and attgenerated = '' and (change.op = 'DELETE' or attidentity <> 'a');
    same := case when change.id = '' then 'to_jsonb(t) = $1'
      else format('t.%1$I = (jsonb_populate_record(null::%2$s, $1)).%1$I', change.id, change.tab) end;
    if change.op = 'INSERT' then
      execute format('delete from %s t where %s', change.tab, same) using change.new;
    elsif change.op = 'DELETE' then
      execute format(
        'insert into %1$s (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$s, $1)',
        change.tab, columns) using change.old;
    else
      execute format(
        'update %1$s t set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$s, $2)) where %3$s',
        change.tab, columns, same) using change.new, change.old;
    end if;
  end loop;
  delete from kirak_check.changes;
  perform set_config('session_replication_role', 'origin', true)
    where (select rolsuper from pg_roles where rolname = current_user);
  perform set_config('kirak_check.reverting', 'off', true);
end $$`;

const read = `select model, op as operation, coalesce(new, old) as row from kirak_check.changes order by n`;

/** Installs the journal for the tables of some models. What was written before is not in it. */
export async function installJournal(database: TestDatabase, models: Models): Promise<Journal> {
  await database.query(schema);
  for (const [key, model] of models) {
    const id = policyValue(hasId(model) ? columnName(model, "id") : "");
    const text = `create trigger kirak_check_record after insert or update or delete on ?
      for each row execute function kirak_check.record(?, ?)`;
    await database.query(plan(sql(text, tableSql(model), policyValue(key), id)).statement.text);
  }
  return {
    async changes() {
      const found = await database.query<RowChange>(read);
      return found.map((change) => ({ ...change, row: namedRow(models.get(change.model), change.row) }));
    },
    async revert() {
      await database.query("select kirak_check.revert() where exists (select from kirak_check.changes)");
    },
  };
}

/** The values of a row by the names of the model. */
function namedRow(model: Model | undefined, row: RowChange["row"]): RowChange["row"] {
  const columns = model === undefined ? [] : [...columnsOf(model).values()];
  return Object.fromEntries(
    columns.map(({ name, column }) => [name, name === "id" ? String(row[column]).trimEnd() : row[column]]),
  );
}

import type { TestDatabase } from "../../support/database.ts";
import { eventually, passesBefore } from "../../support/eventually.ts";

/** Tables whose writers can be stopped once a row is written and its foreign keys are checked, before they commit. */
export const pausable = (tables: readonly string[]): string => `
  create table pauses (name text);
  create function paused() returns trigger language plpgsql as $$ begin
    if exists (select from pauses where name = tg_table_name || ':' || case tg_op when 'INSERT' then 'new' else old.id::text end)
    then perform pg_advisory_xact_lock_shared(1); end if;
    return null; end $$;
  ${tables.map((table) => `create trigger paused after insert or update or delete on ${table} for each row execute function paused();`).join("\n")}`;

export interface Met<First, Second> {
  readonly first: First;
  readonly second: Second;
  /** The second one waited for the first one; else it was done before. */
  readonly waited: boolean;
}

/** Stops `first` where it has written the row of this name, such as `tasks:5` or `bans:new`, until `second` waits for it or is done. */
export async function meeting<First, Second>(
  db: TestDatabase,
  name: string,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<Met<First, Second>> {
  await db.query(`insert into pauses values ('${name}')`);
  await db.query("select pg_advisory_lock(1)");
  try {
    const begun = first();
    await passesBefore(begun, () => someone(db, "locktype = 'advisory'"));
    await db.query("delete from pauses");
    const met = second();
    const waited = await passesBefore(met, () => someone(db, "locktype <> 'advisory'"));
    await db.query("select pg_advisory_unlock(1)");
    const [one, two] = await Promise.all([begun, met]);
    return { first: one, second: two, waited };
  } finally {
    await db.query("delete from pauses; select pg_advisory_unlock_all()");
  }
}

async function someone(db: TestDatabase, waitsFor: string): Promise<void> {
  if ((await waiters(db, waitsFor)) === 0) throw new Error("nobody waits");
}

/** Waits until so many connections wait for a lock. */
export function waiting(db: TestDatabase, count: number, waitsFor = "true"): Promise<void> {
  return eventually(() => areWaiting(db, count, waitsFor));
}

/** Waits for the same unless a promise is settled before, and says whether they wait. */
export function waitingBefore(
  settled: Promise<unknown>,
  db: TestDatabase,
  count: number,
  waitsFor = "true",
): Promise<boolean> {
  return passesBefore(settled, () => areWaiting(db, count, waitsFor));
}

async function areWaiting(db: TestDatabase, count: number, waitsFor: string): Promise<void> {
  const found = await waiters(db, waitsFor);
  if (found !== count) throw new Error(`${found} wait`);
}

/** Those of this database: others of the same server are of other tests. */
async function waiters(db: TestDatabase, waitsFor: string): Promise<number> {
  const found = await db.query(`select distinct pid from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database() and ${waitsFor}`);
  return found.length;
}

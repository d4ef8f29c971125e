import type { AnyHooks } from "#runtime/hooks/index";
import type { Relation } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { TestDatabase } from "../../support/database.ts";
import { eventually, passesBefore } from "../../support/eventually.ts";
import {
  child,
  children,
  model,
  modelService,
  mounted,
  parent,
  type ShortField,
  sameRules,
  tablesOf,
  type World,
  type WorldOptions,
} from "../../support/model-service.ts";

/** Tables whose writers can be stopped once a row is written and its foreign keys are checked, before they commit. */
export const pausable = (tables: readonly string[]): string => `
  create table pauses (name text);
  create function paused() returns trigger language plpgsql as $$ begin
    if exists (select from pauses where name = tg_table_name || ':' || case tg_op when 'INSERT' then 'new' else old.id::text end)
    then perform pg_advisory_xact_lock_shared(1); end if;
    return null; end $$;
  ${tables.map((table) => `create trigger paused after insert or update or delete on ${table} for each row execute function paused();`).join("\n")}`;

/** The rows that a role may touch, by its name. */
export type Rules = Readonly<Record<string, Condition | true>>;

/** EXISTS as the generator writes it, whose types a policy checks: here it stands outside of one. */
export const found = (path: string, where: Condition | null = null): Condition => ({
  op: "exists",
  path,
  where,
});

const kept = (
  name: string,
  fields: Readonly<Record<string, ShortField>>,
  relations: Readonly<Record<string, Relation>>,
) => model(name, fields, { softDelete: true, relations, unique: "code" in fields ? [["code"]] : [] });

const organisation = parent("organisations", "organisation_id");
const user = parent("users", "user_id");

/** A multi-tenant tracker, each relation of which some condition goes over. */
// biome-ignore format: one model a line
export const tenantModels = {
  users: model("users", { role: "string?", team: "text?", is_active: "boolean?", level: "integer?" }),
  organisations: kept("organisations", { name: "string?", owner_id: "bigint?", founded: "date?" }, { owner: parent("users", "owner_id"),
    memberships: children("memberships", "organisation_id"), projects: children("projects", "organisation_id"),
    bans: children("bans", "organisation_id"), plan: child("plans", "organisation_id") }),
  plans: kept("plans", { organisation_id: "bigint?", tier: "string?" }, { organisation }),
  memberships: kept("memberships", { organisation_id: "bigint?", user_id: "bigint?", role: "string?", code: "string?" }, { organisation, user,
    suspensions: children("suspensions", "membership_id") }),
  suspensions: kept("suspensions", { membership_id: "bigint?", reason: "string?" }, { membership: parent("memberships", "membership_id") }),
  bans: kept("bans", { organisation_id: "bigint?", user_id: "bigint?", reason: "string?" }, { organisation, user }),
  projects: kept("projects", { organisation_id: "bigint?", status: "string?", lead_id: "bigint?" }, { organisation, lead: parent("users", "lead_id"),
    tasks: children("tasks", "project_id") }),
  tasks: kept(
    "tasks",
    {
      project_id: "bigint?",
      parent_id: "bigint?",
      assignee_id: "bigint?",
      reporter_id: "bigint?",
      code: "string?",
      title: { kind: "text", nullable: true, searchable: true },
      due: "datetime?",
      day: "date?",
    },
    {
      project: parent("projects", "project_id"),
      parent: parent("tasks", "parent_id"),
      assignee: parent("users", "assignee_id"),
      subtasks: children("tasks", "parent_id"),
    },
  ),
} as const;

const { users, ...routed } = tenantModels;
const cascading = ["memberships", "tasks"];
const pauses = pausable(Object.keys(tenantModels));

export const tenantTables = tablesOf(Object.values(tenantModels), cascading) + pauses;

/** SQL that empties the tables. Files of tables stay as they are: to make new ones takes longer than most tests. */
export const emptyTables = `begin; set local session_replication_role = replica; ${Object.values(tenantModels)
  .map(({ table }) => `delete from ${table};`)
  .join(" ")} commit;`;

interface TenantOptions extends WorldOptions {
  /** Of tasks. */
  readonly hooks?: AnyHooks;
}

/** A service with these rules; models without rules are open to `admin`, who may touch all rows of the others too. */
export function tenantWorld(
  rules: Partial<Record<keyof typeof tenantModels, Rules>>,
  { hooks = {}, sql = "", ...options }: TenantOptions = {},
): Promise<World> {
  const given: Readonly<Record<string, Rules | undefined>> = rules;
  const models = Object.values(routed).map((subject) =>
    mounted(subject, sameRules({ admin: true, ...given[subject.key] }), subject.key === "tasks" ? hooks : {}),
  );
  return modelService(models, {
    maxConnections: 8,
    cascading,
    internalModels: [users],
    sql: pauses + sql,
    ...options,
  });
}

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
  if ((await waiters(db, waitsFor)) === 0) throw new Error("no connection waits");
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

import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import type { AnyHooks } from "#runtime/hooks/index";
import {
  and,
  caller,
  callerColumn,
  eq,
  field,
  isIn,
  isNotNull,
  isNull,
  ne,
  not,
  or,
} from "#runtime/models/access/index";
import { call, type Reply, type Request, sender, token } from "../support/model-service.ts";
import {
  emptyTables,
  found,
  meeting,
  type Rules,
  tenantWorld,
  waiting,
  waitingBefore,
} from "./support/tenants.ts";

const me = caller.user_id;
const memberships = "project.organisation.memberships";
const mine = and(eq("user_id", me), isIn("role", ["owner", "admin"]));

/** The roles of these tests are named after what their writes rest on. */
const rules = {
  member: found(memberships, mine),
  status: eq("project.status", "open"),
  owner: eq("project.organisation.owner_id", me),
  tier: eq("project.organisation.plan.tier", "gold"),
  no_tier: isNull("project.organisation.plan.tier"),
  orphan: isNull("project.status"),
  no_orphan: not(isNull("project.status")),
  lost: not(isNotNull("project.status")),
  unbanned: not(found("project.organisation.bans", eq("user_id", me))),
  unsuspended: found(memberships, and(eq("user_id", me), not(found("suspensions", eq("reason", "late"))))),
  calm: not(found(memberships, found("suspensions", eq("reason", "late")))),
  childless: not(found("subtasks")),
  team: eq(callerColumn("team"), "red"),
  honest: not(found(memberships, and(eq("user_id", me), eq("user.is_active", false)))),
  twin: and(ne("assignee_id", field("reporter_id")), found("parent", eq("title", "open"))),
  either: or(eq("assignee_id", me), found(memberships, mine)),
} satisfies Rules;

/** Of connections that are yet to be opened. */
const shortDeadlocks = `
  do $$ begin execute format('alter database %I set deadlock_timeout = ''20ms''', current_database()); end $$;`;

type Role = keyof typeof rules;

const rows = `
  insert into users (id, role, team, is_active) values (1, 'user', 'red', true), (2, 'user', 'blue', true);
  insert into organisations (id, name, owner_id) values (1, 'red', 1), (2, 'blue', 2), (3, 'third', 2);
  insert into plans (id, organisation_id, tier, deleted_at) values (1, 1, 'dead', now()), (2, 1, 'gold', null), (3, 3, 'dead', now());
  insert into memberships (id, organisation_id, user_id, role, deleted_at) values
    (1, 1, 1, 'owner', null), (2, 2, 2, 'owner', null), (3, 1, 2, 'guest', null), (4, 2, 1, 'owner', now());
  insert into suspensions (id, membership_id, reason, deleted_at) values (1, 1, 'old', null), (2, 1, 'late', now()), (3, 2, 'late', null), (4, 3, 'old', null);
  insert into bans (id, organisation_id, user_id, reason, deleted_at) values (1, 1, 1, 'old', now()), (2, 1, 2, 'spam', null), (3, 2, 1, 'spam', null);
  insert into projects (id, organisation_id, status, deleted_at) values (1, 1, 'open', null), (2, 2, 'open', null), (3, 3, 'open', null), (4, 1, 'shut', now());
  insert into tasks (id, project_id, parent_id, assignee_id, reporter_id, code, title) values
    (1, 1, null, 1, 2, 't1', 'open'), (2, 4, null, 2, 2, 't2', 'open'), (3, 1, 1, 2, 1, 't3', 'sub'), (4, 3, null, 2, 1, 't4', 'open'), (5, 1, null, 1, 2, 't5', 'x');
  insert into tasks (id, project_id, parent_id, code, deleted_at) values (6, 1, 5, 't6', now());
  select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['organisations', 'bans', 'projects', 'memberships', 'suspensions', 'plans', 'tasks']) as name;
`;

describe("requests that meet, by what their conditions rest on", async () => {
  const admin = token("admin");
  const world = await tenantWorld({ tasks: rules });

  beforeEach(async () => {
    await world.db.query(emptyTables + rows);
  });

  const send = sender(world);

  const as = (role: Role) => token(role, "1");
  const put = (table: string, id: number, data: object): Request =>
    call(`PUT /${table}/update`, { where: { id }, data }, admin);
  const post = (table: string, data: object): Request => call(`POST /${table}/create`, { data }, admin);
  const drop = (table: string, id: number, operation = "delete"): Request =>
    call(`DELETE /${table}/${operation}`, { ids: [id] }, admin);
  const back = (table: string, id: number): Request =>
    call(`PATCH /${table}/restore`, { where: { id }, data: { deleted_at: null } }, admin);

  /** Every way to write task `id` of project `project` as a role. */
  const writes = (role: Role, id: number, project: number): [string, Request][] => {
    const given = { token: as(role) };
    const record = {
      project_id: project,
      parent_id: role === "twin" ? 1 : null,
      assignee_id: 2,
      reporter_id: 1,
    };
    const body = (value: object) => ({ body: value });
    // biome-ignore format: one case a line
    const all: [string, Request][] = [
      ["create", { ...given, method: "POST", path: "/tasks/create", ...body({ data: { ...record, code: "new" } }) }],
      ["bulk create", { ...given, method: "POST", path: "/tasks/create", ...body({ data: [{ ...record, code: "new" }] }) }],
      ["upsert, new", { ...given, method: "PUT", path: "/tasks/upsert", ...body({ data: { ...record, code: "new" } }) }],
      ["update", { ...given, method: "PUT", path: "/tasks/update", ...body({ where: { id }, data: { title: "open" } }) }],
      ["bulk update", { ...given, method: "PUT", path: "/tasks/update", ...body({ data: [{ id, title: "open" }] }) }],
      ["upsert", { ...given, method: "PUT", path: "/tasks/upsert", ...body({ data: { code: `t${id}`, title: "open" } }) }],
      ["upsert by id", { ...given, method: "PUT", path: "/tasks/upsert", ...body({ data: { id, title: "open" } }) }],
      ["delete", { ...given, method: "DELETE", path: "/tasks/delete", ...body({ ids: [id] }) }],
      ["destroy", { ...given, method: "DELETE", path: "/tasks/destroy", ...body({ where: { id } }) }],
    ];
    // A new task has no subtasks yet.
    return role === "childless" ? all.slice(3) : all;
  };

  /** What a write rests on, the task and its project, and what others do to it by routes of their own. */
  // biome-ignore format: one case a line
  const meetings: [string, Role, [number, number], Request][] = [
    ["a membership is removed", "member", [5, 1], drop("memberships", 1, "destroy")],
    ["a membership is soft-deleted", "member", [5, 1], drop("memberships", 1)],
    ["a membership changes its role", "member", [5, 1], put("memberships", 1, { role: "guest" })],
    ["a membership moves", "member", [5, 1], put("memberships", 1, { organisation_id: 2 })],
    ["the project moves", "member", [5, 1], put("projects", 1, { organisation_id: 2 })],
    ["the project is soft-deleted", "member", [5, 1], drop("projects", 1)],
    ["the organisation is soft-deleted", "member", [5, 1], drop("organisations", 1)],
    ["one of two reasons goes", "either", [3, 1], drop("memberships", 1)],
    ["a parent changes", "status", [5, 1], put("projects", 1, { status: "shut" })],
    ["a row two relations away changes", "owner", [5, 1], put("organisations", 1, { owner_id: 2 })],
    ["a row on the way moves", "owner", [5, 1], put("projects", 1, { organisation_id: 2 })],
    ["a has_one changes", "tier", [5, 1], put("plans", 2, { tier: "lead" })],
    ["another has_one becomes the first, restored", "tier", [5, 1], back("plans", 1)],
    ["another has_one becomes the first, created", "no_tier", [4, 3], post("plans", { organisation_id: 3, tier: "gold" })],
    ["a has_one comes back", "no_tier", [4, 3], back("plans", 3)],
    ["a has_one moves here", "no_tier", [4, 3], put("plans", 2, { organisation_id: 3 })],
    ["a soft-deleted parent is restored", "orphan", [2, 4], back("projects", 4)],
    ["a ban is created", "unbanned", [5, 1], post("bans", { organisation_id: 1, user_id: 1 })],
    ["a ban moves here", "unbanned", [5, 1], put("bans", 3, { organisation_id: 1 })],
    ["a ban changes", "unbanned", [5, 1], put("bans", 2, { user_id: 1 })],
    ["a ban is restored", "unbanned", [5, 1], back("bans", 1)],
    ["the project moves to where there is a ban", "unbanned", [5, 1], put("projects", 1, { organisation_id: 2 })],
    ["a suspension is created", "unsuspended", [5, 1], post("suspensions", { membership_id: 1, reason: "late" })],
    ["a suspension changes", "unsuspended", [5, 1], put("suspensions", 1, { reason: "late" })],
    ["a suspension is restored", "unsuspended", [5, 1], back("suspensions", 2)],
    ["a suspension moves", "unsuspended", [5, 1], put("suspensions", 3, { membership_id: 1 })],
    ["any suspension is created", "calm", [5, 1], post("suspensions", { membership_id: 3, reason: "late" })],
    ["any suspension changes", "calm", [5, 1], put("suspensions", 4, { reason: "late" })],
    ["a suspended membership moves here", "calm", [5, 1], put("memberships", 2, { organisation_id: 1 })],
    ["a subtask is created", "childless", [5, 1], post("tasks", { parent_id: 5 })],
    ["a subtask is restored", "childless", [5, 1], back("tasks", 6)],
    ["the caller moves to another team", "team", [5, 1], { path: "users" }],
    ["a user on a path within NOT EXISTS changes", "honest", [5, 1], { path: "active" }],
    ["a parent of its own table changes", "twin", [3, 1], put("tasks", 1, { title: "shut" })],
  ];

  const inFull = new Set([
    "a membership is soft-deleted",
    "a ban is created",
    "any suspension is created",
    "a subtask is created",
    "a parent of its own table changes",
  ]);

  /** Accounts have no routes of models. */
  const onAccounts: Readonly<Record<string, string>> = {
    users: "update users set team = 'blue' where id = 1",
    active: "update users set is_active = false where id = 1",
  };

  async function attempt(request: Request): Promise<Reply | null> {
    const text = onAccounts[request.path];
    if (text === undefined) return send(request);
    await world.database.run({ name: null, text }, []);
    return null;
  }

  async function act(request: Request): Promise<void> {
    const reply = await attempt(request);
    expect(reply?.status ?? 200, reply?.text).toBe(200);
  }

  /** The name of the row that a request to `/<table>/…` writes. */
  const nameOf = ({ path, body }: Request): string => {
    const [, table = "", operation] = path.split("/");
    if (table === "") return "users:1";
    const { ids = [], where = {} }: { ids?: number[]; where?: { id?: number } } = Object(body);
    return operation === "create" ? `${table}:new` : `${table}:${where.id ?? ids[0]}`;
  };

  const rowOf = ({ body }: Request, id: number): string =>
    JSON.stringify(body).includes('"new"') ? "tasks:new" : `tasks:${id}`;

  describe.each(meetings)("%s", (name, role, [id, project], change) => {
    const all = writes(role, id, project);
    // The statements of all ways are made of the same parts.
    const ways = inFull.has(name) ? all : all.filter(([way]) => way === "create" || way === "update");
    const changed = nameOf(change);

    it.each(ways)("during %s: the change waits for the write", async (_, write) => {
      const written = rowOf(write, id);
      const { first, waited } = await meeting(
        world.db,
        written,
        () => send(write),
        () => attempt(change),
      );
      expect(first.status, first.text).toBe(200);
      expect(waited).toBe(true);
    });

    it.each(ways)("before %s: the write waits, and is checked again", async (_, write) => {
      const { second, waited } = await meeting(
        world.db,
        changed,
        () => act(change),
        () => send(write),
      );
      expect(waited).toBe(true);
      expect(second.status, second.text).not.toBe(200);
      expect(second.json.error).toMatch(/PERMISSION_DENIED|VALIDATION_ERROR/);
    });
  });

  // biome-ignore format: one case a line
  it.each<[string, Role, number, Request]>([
    ["another membership of the organisation changes", "member", 5, put("memberships", 3, { role: "guest" })],
    ["a membership is created", "member", 5, post("memberships", { organisation_id: 1, user_id: 2 })],
    ["a project is created in the organisation", "member", 5, post("projects", { organisation_id: 1 })],
    ["another ban of another organisation changes", "unbanned", 5, put("bans", 3, { reason: "x" })],
    ["a ban of another organisation is created", "unbanned", 5, post("bans", { organisation_id: 2 })],
    ["a suspension of another membership is created", "unsuspended", 5, post("suspensions", { membership_id: 3 })],
    ["a suspension of another membership changes", "unsuspended", 5, put("suspensions", 4, { reason: "late" })],
    ["a plan of another organisation is created", "tier", 5, post("plans", { organisation_id: 2 })],
    ["a row that does not matter changes", "either", 5, put("memberships", 1, { role: "guest" })],
    ["a subtask of another task is created", "childless", 5, post("tasks", { parent_id: 4 })],
  ])("%s: it does not wait for the write", async (_, role, id, change) => {
    const { first, waited } = await meeting(
      world.db,
      `tasks:${id}`,
      () => write(role, id),
      () => act(change),
    );
    expect([first.status, waited]).toEqual([200, false]);
  });

  it.each<[string, boolean, Role, number, number, string?]>([
    ["the same membership", false, "member", 5, 3],
    ["the same organisation, two relations away", false, "owner", 5, 3],
    ["the same row of the caller", false, "team", 5, 3],
    ["the same membership, and what it does not have", true, "unsuspended", 5, 3],
    ["the memberships of two callers, and what they do not have", false, "unsuspended", 5, 3, "2"],
    ["what one organisation does not have", true, "unbanned", 5, 3],
    ["what two organisations do not have", false, "unbanned", 5, 4],
    ["the first row of one organisation", true, "tier", 5, 3],
    ["a parent that one belongs_to leads to", true, "status", 5, 3],
    ["what two tasks do not have", false, "childless", 5, 4],
  ])("two writes that rest on %s: waits %s", async (_, waits, role, one, other, user) => {
    const { first, second, waited } = await meeting(
      world.db,
      `tasks:${one}`,
      () => write(role, one),
      () => write(role, other, user),
    );
    expect([first.status, second.status, waited]).toEqual([200, 200, waits]);
  });

  const writeOpen = (role: Role) =>
    send(call("PUT /tasks/update", { where: { title: "open" }, data: { reporter_id: 1 } }, as(role)));

  it.each<[string, Role]>([
    ["EXISTS", "member"],
    ["a path", "owner"],
  ])("a filter counts a row by %s as it is after the wait", async (_, role) => {
    await world.db.query("insert into projects (id, organisation_id) values (9, 1)");
    const { second, waited } = await meeting(
      world.db,
      "tasks:1",
      () => act(put("tasks", 1, { project_id: 9 })),
      () => writeOpen(role),
    );
    expect([second.json.data.updated_ids, waited]).toEqual([[1], true]);
  });

  it("a filter waits for no row that does not count", async () => {
    const { second, waited } = await meeting(
      world.db,
      "tasks:4",
      () => act(put("tasks", 4, { reporter_id: 2 })),
      () => writeOpen("member"),
    );
    expect([second.json.data.updated_ids, waited]).toEqual([[1], false]);
  });

  const write = (role: Role, id: number, user = "1") =>
    send(call("PUT /tasks/update", { where: { id }, data: { title: "b" } }, token(role, user)));

  describe("between the locks and the write", () => {
    /** Holds the organisation, where the locks of a write wait; lets them go on once `then` is done or waits as well. */
    async function beforeLocks<Result>(
      write: () => Promise<Reply>,
      then: () => Promise<Result>,
      afterwards: () => Promise<void> = async () => {},
    ): Promise<{ reply: Reply; waited: boolean }> {
      await world.db.query("begin; select from organisations where id = 1 for share");
      const sent = write();
      await waiting(world.db, 1);
      const done = then();
      const waited = await waitingBefore(done, world.db, 2);
      await world.db.query("commit");
      await done;
      await afterwards();
      return { reply: await sent, waited };
    }

    it("a row that came while the first locks were waited for is locked too", async () => {
      await world.db.query("insert into pauses values ('tasks:5'); select pg_advisory_lock(1)");
      let change: Promise<void> = Promise.resolve();
      const { waited } = await beforeLocks(
        () => write("calm", 5),
        () => act(post("memberships", { organisation_id: 1, user_id: 2 })),
        async () => {
          const [row] = await world.db.query("select max(id)::int as id from memberships");
          await waiting(world.db, 1);
          change = act(post("suspensions", { membership_id: row?.["id"], reason: "late" }));
          expect(await waitingBefore(change, world.db, 2)).toBe(true);
          await world.db.query("delete from pauses; select pg_advisory_unlock_all()");
        },
      );
      await change;
      expect(waited).toBe(false);
    });

    it("what leads to the locks stays", async () => {
      const change = put("projects", 1, { organisation_id: 2 });
      const { reply, waited } = await beforeLocks(
        () => write("unbanned", 5),
        () => act(change),
      );
      expect([reply.status, waited]).toEqual([200, true]);
    });

    it.each([
      ["update", { where: { title: "x" }, data: { reporter_id: 2 } }],
      ["bulk update", { data: [5, 6].map((id) => ({ id, reporter_id: 2 })) }],
    ])("%s: no row is written that was not locked", async (_, body) => {
      await world.db.query(
        "update tasks set title = 'x', assignee_id = 1, reporter_id = 1 where id in (5, 6)",
      );
      const request = call("PUT /tasks/update", body, as("unbanned"));
      const { reply } = await beforeLocks(
        () => send(request),
        () => act(back("tasks", 6)),
      );
      expect(reply.json.data.updated_ids).toEqual([5]);
      expect(
        await world.db.query("select reporter_id::int from tasks where id in (5, 6) order by id"),
      ).toEqual([{ reporter_id: 2 }, { reporter_id: 1 }]);
    });

    /** Holds a row, where a write waits; `then` is done meanwhile, and `intrusion` must wait once the row is written. */
    async function intruded(
      hold: string,
      pause: string,
      write: () => Promise<Reply>,
      then: () => Promise<void>,
      intrusion: () => Promise<void>,
    ): Promise<{ reply: Reply; intruder: string }> {
      await world.db.query(`insert into pauses values ('${pause}'); select pg_advisory_lock(1)`);
      try {
        await world.db.query(`begin; ${hold}`);
        const sent = write();
        await waiting(world.db, 1);
        await then();
        await world.db.query("commit");
        const written = await waitingBefore(sent, world.db, 1, "locktype = 'advisory'");
        if (!written) return { reply: await sent, intruder: "came after" };
        await world.db.query("delete from pauses");
        const change = intrusion();
        const intruder = (await waitingBefore(change, world.db, 2)) ? "came after" : "came between";
        await world.db.query("select pg_advisory_unlock_all()");
        await change;
        return { reply: await sent, intruder };
      } finally {
        await world.db.query("delete from pauses; select pg_advisory_unlock_all()");
      }
    }

    it("NOT EXISTS within EXISTS: a membership that came while the locks were waited for", async () => {
      const { intruder } = await intruded(
        "select from organisations where id = 2 for no key update",
        "tasks:new",
        () => send(call("POST /tasks/create", { data: { project_id: 2 } }, as("unsuspended"))),
        () => act(back("memberships", 4)),
        () => act(post("suspensions", { membership_id: 4, reason: "late" })),
      );
      expect(intruder).toBe("came after");
    });

    it("an organisation that came while the locks were waited for", async () => {
      const { intruder } = await intruded(
        "select from tasks where id = 5 for update",
        "tasks:5",
        () => write("unbanned", 5),
        async () => {
          await act(post("organisations", { name: "new" }));
          const [row] = await world.db.query("select max(id)::int as id from organisations");
          await act(put("projects", 1, { organisation_id: row?.["id"] }));
        },
        async () => {
          const [row] = await world.db.query("select max(id)::int as id from organisations");
          await act(post("bans", { organisation_id: row?.["id"], user_id: 1 }));
        },
      );
      expect(intruder).toBe("came after");
    });

    it.each<[Role, string]>([
      ["orphan", "null"],
      ["lost", "null"],
      ["no_orphan", "1"],
    ])("%s: 403 if a row's parent changes during the wait for earlier rows", async (role, was) => {
      await world.db.query(`update tasks set project_id = ${was}, title = 'z' where id in (3, 5)`);
      await world.db.query("begin; select from tasks where id = 3 for update");
      const sent = send(
        call("PUT /tasks/update", { where: { title: "z" }, data: { reporter_id: 2 } }, as(role)),
      );
      await waiting(world.db, 1);
      await act(post("projects", { organisation_id: 1, status: role === "no_orphan" ? null : "open" }));
      const [row] = await world.db.query("select max(id)::int as id from projects");
      await act(put("tasks", 5, { project_id: row?.["id"] }));
      await world.db.query("commit");
      expect((await sent).status).toBe(403);
    });

    it("upsert: a row that is created meanwhile is locked as well, before it is written", async () => {
      const data = { code: "made", project_id: 1, title: "mine" };
      const request = call("PUT /tasks/upsert", { data }, as("unbanned"));
      const made = (project: number) => post("tasks", { code: "made", project_id: project, title: "theirs" });
      const theirs = await beforeLocks(
        () => send(request),
        () => act(made(2)),
      );
      expect(theirs.reply.status).toBe(403);
      await world.db.query("delete from tasks where code = 'made'");
      const mine = await beforeLocks(
        () => send(request),
        () => act(made(3)),
      );
      expect(mine.reply.status, mine.reply.text).toBe(200);
      expect(await world.db.query("select title from tasks where code = 'made'")).toEqual([
        { title: "mine" },
      ]);
    });
  });
});

describe("a hook that changes what its write holds", () => {
  it("can cause a deadlock, which is retried", async () => {
    const changes: unknown[] = [];
    let bothHold = () => {};
    const held = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    const hooks: AnyHooks = {
      async after_create(data, { transaction }) {
        changes.push(data);
        if (changes.length === 2) bothHold();
        await held;
        await transaction.raw("update memberships set code = ? where id = 1", [String(changes.length)]);
        return data;
      },
    };
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    const { db, send } = await tenantWorld(
      { tasks: { member: rules.member } },
      { hooks, sql: shortDeadlocks, logger },
    );
    await db.query(rows);
    // Both hold the membership before one of them changes it.
    const writes = [1, 2].map((n) =>
      send(call("POST /tasks/create", { data: { project_id: 1, code: `h${n}` } }, token("member", "1"))),
    );
    expect(
      (await Promise.all(writes)).map(({ status }) => status),
      lines.join(),
    ).toEqual([200, 200]);
    expect(changes.length).toBe(3);
  });

  it.each<[string, Role, string]>([
    ["a membership", "member", "update memberships set code = coalesce(code, '') || 'x' where id = 1"],
    ["two relations away", "owner", "update organisations set name = name || 'x' where id = 1"],
    ["the caller's", "team", "update users set level = coalesce(level, 0) + 1 where id = 1"],
  ])("many writers whose hooks change one row, %s, are all done", async (_, role, change) => {
    const hooks: AnyHooks = {
      async after_create(data, { transaction }) {
        await transaction.raw(change);
        return data;
      },
    };
    const { db, send } = await tenantWorld(
      { tasks: { [role]: rules[role] } },
      { hooks, sql: shortDeadlocks },
    );
    await db.query(rows);
    const writes = Array.from({ length: 60 }, () =>
      send(call("POST /tasks/create", { data: { project_id: 1 } }, token(role, "1"))),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});

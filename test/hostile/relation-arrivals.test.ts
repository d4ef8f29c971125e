import { beforeEach, describe, expect, it } from "vitest";
import { and, caller, eq, isNotNull, isNull, ne, not } from "#runtime/models/access/index";
import { call, type Reply, type Request, sender, token } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { watchedDatabase } from "../support/watched-database.ts";
import { emptyTables, found, type Rules, tenantWorld, waiting, waitingBefore } from "./support/tenants.ts";

const me = caller.user_id;
const memberships = "project.organisation.memberships";

/** The roles of these tests are named after what their writes rest on. Each is true of what is not there. */
const rules = {
  unshut: not(found("project", eq("status", "shut"))),
  unbanned: not(found("project.organisation.bans", eq("user_id", me))),
  open_parent: and(ne("parent.title", "closed"), not(found("project", eq("status", "shut")))),
  unbanned_parent: and(ne("parent.title", "closed"), not(found("project.organisation.bans"))),
  ownerless: and(ne("parent.title", "closed"), isNull("project.organisation.owner_id")),
  owned: and(ne("parent.title", "closed"), not(isNotNull("project.organisation.owner_id"))),
  stateless: isNull("project.status"),
  active: not(found(memberships, eq("user.is_active", false))),
  activated: not(found(memberships, not(eq("user.is_active", true)))),
  active_found: not(found(memberships, found("user", eq("is_active", false)))),
  active_unfound: not(found(memberships, not(found("user", eq("is_active", true))))),
  teamless: not(found(memberships, isNotNull("user.team"))),
  teamed: not(found(memberships, isNull("user.team"))),
  no_teamless: not(found(memberships, not(isNotNull("user.team")))),
  no_teamed: not(found(memberships, not(isNull("user.team")))),
  compared: not(found(memberships, eq("role", { field: "user.team" }))),
  active_one: found(memberships, not(found("user", eq("is_active", false)))),
  untiered: not(found("subtasks", eq("project.organisation.plan.tier", "gold"))),
  tiered: not(found("subtasks", not(eq("project.organisation.plan.tier", "lead")))),
  unplanned: not(found("subtasks", found("project.organisation.plan", eq("tier", "gold")))),
  unsuspended: not(found("subtasks", found("project.organisation.bans", eq("user_id", me)))),
} satisfies Rules;

type Role = keyof typeof rules;

const rows = `
  insert into users (id, role, team, is_active) values (1, 'user', 'red', true), (2, 'user', null, true), (3, 'user', 'guest', true);
  insert into organisations (id, name, owner_id) values (1, 'red', null), (2, 'blue', 2);
  insert into plans (id, organisation_id, tier) values (1, 1, 'lead');
  insert into memberships (id, organisation_id, user_id, role) values (1, 1, 1, 'owner'), (2, 2, 2, 'owner');
  insert into bans (id, organisation_id, user_id) values (1, 2, 1);
  insert into projects (id, organisation_id, status) values (1, 1, 'open'), (2, 2, 'shut');
  insert into tasks (id, project_id, code, title) values (1, 1, 't1', 'open'), (3, 1, 't3', 'z'), (5, 1, 't5', 'z');
  insert into tasks (id, project_id, code, title, deleted_at) values (7, 1, 't7', 'gone', now());
  update tasks set parent_id = 1 where id > 1;
  select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['users', 'organisations', 'bans', 'projects', 'memberships', 'plans', 'tasks']) as name;
`;

describe("rows created while a write waits, after its statement began", async () => {
  const world = await tenantWorld({ tasks: rules });

  beforeEach(async () => {
    await world.db.query(emptyTables + rows);
  });

  const send = sender(world);

  /** Sends a write that waits for a row, changes what it rests on meanwhile, and lets it go on. */
  async function meanwhile(row: string, write: Request, change: string): Promise<Reply> {
    await world.db.query(`begin; select from ${row} for update`);
    try {
      const sent = send(write);
      if (!(await waitingBefore(sent, world.db, 1)))
        expect((await sent).text).toBe("no answer yet: it waits");
      await world.db.query(change);
      await world.db.query("commit");
      return await sent;
    } finally {
      await world.db.query("rollback");
    }
  }

  const by = (role: Role, method: string, operation: string, body: object): Request =>
    call(`${method} /tasks/${operation}`, body, token(role, "1"));
  const update = (role: Role): Request =>
    by(role, "PUT", "update", { where: { id: 5 }, data: { reporter_id: 1 } });

  /** Every way to write task 5, or 7 to restore it. */
  const ways = (role: Role): [string, Request, number][] => [
    ["update", update(role), 5],
    ["bulk update", by(role, "PUT", "update", { data: [{ id: 5, reporter_id: 1 }] }), 5],
    ["upsert", by(role, "PUT", "upsert", { data: { code: "t5", reporter_id: 1 } }), 5],
    ["upsert by id", by(role, "PUT", "upsert", { data: { id: 5, reporter_id: 1 } }), 5],
    ["delete", by(role, "DELETE", "delete", { ids: [5] }), 5],
    ["delete by filters", by(role, "DELETE", "delete", { where: { code: "t5" } }), 5],
    ["destroy", by(role, "DELETE", "destroy", { ids: [5] }), 5],
    ["restore", by(role, "PATCH", "restore", { where: { id: 7 }, data: { deleted_at: null } }), 7],
  ];

  const made = "insert into projects (id, organisation_id, status) values (500, 2, 'shut');";

  describe.each<Role>(["unshut", "unbanned"])("%s: a parent that came to be", (role) => {
    it.each(ways(role))("%s", async (_, write, id) => {
      const moved = `${made} update tasks set project_id = 500 where id = ${id}`;
      const { status, text } = await meanwhile(`tasks where id = ${id}`, write, moved);
      expect([400, 403], text).toContain(status);
      expect(await world.db.query("select from tasks where reporter_id = 1 and id in (5, 7)")).toEqual([]);
    });
  });

  const data = { code: "new", project_id: 500, parent_id: 1 };

  it.each<[string, Role, Request]>(
    (["open_parent", "unbanned_parent", "ownerless", "owned"] as const).flatMap((role) => [
      [`${role}, create`, role, by(role, "POST", "create", { data })],
      [`${role}, bulk create`, role, by(role, "POST", "create", { data: [data] })],
      [`${role}, upsert`, role, by(role, "PUT", "upsert", { data })],
      [`${role}, update`, role, by(role, "PUT", "update", { where: { id: 5 }, data: { project_id: 500 } })],
      [`${role}, bulk update`, role, by(role, "PUT", "update", { data: [{ id: 5, project_id: 500 }] })],
      [`${role}, upsert of one`, role, by(role, "PUT", "upsert", { data: { code: "t5", project_id: 500 } })],
    ]),
  )("%s: the id of a new parent", async (way, _, write) => {
    const { status, text } = await meanwhile("tasks where id = 1", write, made);
    // As if it had not been there.
    const { details } = JSON.parse(text);
    if (!way.includes("bulk")) expect([status, details.field], text).toEqual([400, "project_id"]);
    else expect([status, details.failed_records], text).toEqual([400, [expect.anything()]]);
    expect(await world.db.query("select from tasks where project_id = 500")).toEqual([]);
  });

  it.each<[Role, string, string]>([
    ["stateless", "projects where id = 1", "update projects set status = 'open' where id = 1"],
    ["ownerless", "organisations where id = 1", "update organisations set owner_id = 2 where id = 1"],
    ["owned", "projects where id = 1", "update projects set organisation_id = 2 where id = 1"],
  ])("%s: IS NULL of a new row's parent that changes", async (role, row, change) => {
    await world.db.query("update projects set status = null where id = 1");
    const given = { ...data, project_id: 1 };
    for (const write of [
      by(role, "POST", "create", { data: given }),
      by(role, "PUT", "upsert", { data: given }),
    ]) {
      const { status, text } = await meanwhile(row, write, change);
      expect(status, text).toBe(403);
      await world.db.query(
        "update projects set status = null, organisation_id = 1 where id = 1; update organisations set owner_id = null where id = 1",
      );
      expect((await send(write)).status).toBe(200);
      await world.db.query("delete from tasks where code = 'new'");
    }
  });

  it.each<[Role, string]>([
    ["active", "false, 'x'"],
    ["activated", "false, 'x'"],
    ["active_found", "false, 'x'"],
    ["active_unfound", "false, 'x'"],
    ["teamless", "true, 'x'"],
    ["teamed", "true, null"],
    ["no_teamless", "true, null"],
    ["no_teamed", "true, 'x'"],
    ["compared", "true, 'owner'"],
    ["active_one", "false, 'x'"],
  ])("%s: the user of a membership came to be", async (role, columns) => {
    // So that the condition holds before.
    await world.db.query(
      `update users set team = ${role === "teamless" || role === "no_teamed" ? "null" : "'x'"} where id = 1`,
    );
    const moved = `insert into users (id, is_active, team) values (50, ${columns}); update memberships set user_id = 50 where id = 1`;
    for (const write of [update(role), by(role, "POST", "create", { data: { ...data, project_id: 1 } })]) {
      const { status, text } = await meanwhile("memberships where id = 1", write, moved);
      expect(status, text).toBe(403);
      await world.db.query("update memberships set user_id = 1; delete from users where id = 50");
      expect((await send(write)).status).toBe(200);
    }
  });

  it.each<[Role, string]>([
    ["untiered", "insert into plans (organisation_id, tier) values (50, 'gold')"],
    ["tiered", "insert into plans (organisation_id, tier) values (50, 'gold')"],
    ["unplanned", "insert into plans (organisation_id, tier) values (50, 'gold')"],
    ["unsuspended", "insert into bans (organisation_id, user_id) values (50, 1)"],
  ])(
    "%s: what began to lead to another row is locked there, or the write is refused",
    async (role, intrusion) => {
      const write = by(role, "PUT", "update", { where: { id: 1 }, data: { reporter_id: 1 } });
      expect((await send(write)).status).toBe(200);
      await world.db.query("insert into pauses values ('tasks:1'); select pg_advisory_lock(1)");
      await world.db.query("begin; select from projects where id = 1 for update");
      const sent = send(write);
      try {
        await waiting(world.db, 1);
        await world.db.query(
          "insert into organisations (id) values (50); update projects set organisation_id = 50 where id = 1; commit",
        );
        const written = await waitingBefore(sent, world.db, 1, "locktype = 'advisory'");
        if (!written) return expect((await sent).status).toBe(403);
        const change = world.database.run({ name: null, text: intrusion }, []);
        const waits = await waitingBefore(change, world.db, 2);
        await world.db.query("delete from pauses; select pg_advisory_unlock_all()");
        await change;
        expect(waits, "or it comes between").toBe(true);
      } finally {
        await world.db.query("rollback; delete from pauses; select pg_advisory_unlock_all()");
        await sent;
      }
    },
  );
});

/** Rules that lead to rows of the own table, and are true of a project that is not there. */
const rulesOfBulks = {
  unshut: and(ne("parent.title", "closed"), not(found("project", ne("status", "open")))),
  unbanned: and(ne("parent.title", "closed"), not(found("project.organisation.bans"))),
  deep: not(found("parent.project", ne("status", "open"))),
} satisfies Rules;

type RoleOfBulks = keyof typeof rulesOfBulks;

const rowsOfBulks = `
  insert into users (id) values (1);
  insert into organisations (id) values (1), (2);
  insert into bans (organisation_id, user_id) values (2, 1);
  insert into projects (id, organisation_id, status) values (1, 1, 'open'), (2, 2, 'shut');
  insert into tasks (id, project_id, code, title) values (1, 1, 't1', 'open'), (3, 1, 't3', 'z'), (5, 1, 't5', 'z'), (7, 1, 't7', 'z');
  update tasks set parent_id = 1 where id > 1;
  select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['projects', 'tasks']) as name;
`;

const arrivals = {
  project: "insert into projects (id, organisation_id, status) values (500, 2, 'shut')",
  task: "insert into tasks (id, project_id) values (500, 2)",
};

/** What runs once the records of a bulk were judged apart, before they are written. */
const isJudging = /_admitted then _unseen|target\.unseen/;

describe("a bulk of which the database refuses a record is judged by one statement and written by another", async () => {
  let between: string | null = null;
  let judged = 0;

  const world = await tenantWorld(
    { tasks: rulesOfBulks },
    {
      watch: (database) =>
        watchedDatabase(database, (connection) => async (statement, values) => {
          const result = await connection.run(statement, values);
          if (isJudging.test(statement.text)) {
            judged++;
            if (between !== null) await world.db.query(between);
          }
          return result;
        }),
    },
  );

  beforeEach(async () => {
    [between, judged] = [null, 0];
    await world.db.query(emptyTables + rowsOfBulks);
  });

  /** Of three records one is a duplicate, one has the key, and one is good. */
  const bulks = (role: RoleOfBulks): [string, Request, string][] => {
    const key = role === "deep" ? { parent_id: 500 } : { project_id: 500 };
    const child = { project_id: 1, parent_id: 1 };
    const create = [
      { ...child, code: "t3" },
      { ...child, code: "new", ...key },
      { ...child, code: "good" },
    ];
    const update = [
      { id: 3, code: "t5" },
      { id: 5, ...key },
      { id: 7, title: "good" },
    ];
    const request = { token: token(role, "1") };
    return [
      [
        `${role}, create`,
        { ...request, method: "POST", path: "/tasks/create", body: { data: create } },
        "code",
      ],
      [
        `${role}, update`,
        { ...request, method: "PUT", path: "/tasks/update", body: { data: update } },
        "title",
      ],
    ];
  };

  describe.each((["unshut", "unbanned", "deep"] as const).flatMap(bulks))("%s", (way, request, written) => {
    const field = way.startsWith("deep") ? "parent_id" : "project_id";

    it.each([
      ["is created between both", true],
      ["does not exist", false],
    ])("a parent that %s", async (_, comes) => {
      if (comes) between = arrivals[field === "parent_id" ? "task" : "project"];
      const reply = await world.send(request);
      expectEnvelope(reply, request);
      expect(judged).toBe(1);
      expect(
        reply.json.data.failed_records.map((failed) => [failed["index"], failed["error"], failed["field"]]),
        reply.text,
      ).toEqual([
        [0, "VALIDATION_ERROR", "code"],
        [1, "VALIDATION_ERROR", field],
      ]);
      expect(await world.db.query(`select from tasks where ${field} = 500`)).toEqual([]);
      expect(await world.db.query(`select from tasks where ${written} = 'good'`)).toHaveLength(1);
    });
  });

  it.each<[string, string, string, object]>([
    ["create", "POST", "create", { data: { code: "new", parent_id: 1, project_id: 500 } }],
    ["bulk create", "POST", "create", { data: [{ code: "new", parent_id: 1, project_id: 500 }] }],
    ["upsert, new", "PUT", "upsert", { data: { code: "new", parent_id: 1, project_id: 500 } }],
    ["upsert", "PUT", "upsert", { data: { code: "t5", project_id: 500 } }],
    ["update", "PUT", "update", { where: { id: 5 }, data: { project_id: 500 } }],
    ["bulk update", "PUT", "update", { data: [{ id: 5, project_id: 500 }] }],
  ])("%s: a parent that does not exist at all is 400", async (way, method, operation, body) => {
    for (const role of ["unshut", "unbanned"] as const) {
      const request = call(`${method} /tasks/${operation}`, body, token(role, "1"));
      const reply = await world.send(request);
      expectEnvelope(reply, request);
      const { details } = JSON.parse(reply.text);
      const failed = way.startsWith("bulk") ? details.failed_records : [details];
      expect([reply.status, failed], reply.text).toEqual([
        400,
        [expect.objectContaining({ field: "project_id" })],
      ]);
    }
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import type { Statement } from "#runtime/core/database/index";
import type { AnyHooks } from "#runtime/hooks/index";
import {
  and,
  caller,
  callerColumn,
  eq,
  field,
  isIn,
  isNull,
  lte,
  ne,
  not,
  now,
} from "#runtime/models/access/index";
import { call, type Reply, type Request, token } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { watchedDatabase } from "../support/watched-database.ts";
import { emptyTables, found, type Rules, tenantWorld } from "./support/tenants.ts";

const me = caller.user_id;
const memberships = "project.organisation.memberships";

const rules = {
  member: found(memberships, and(eq("user_id", me), isIn("role", ["owner"]))),
  owner: eq("project.organisation.owner_id", me),
  team: eq(callerColumn("team"), "red"),
  tier: eq("project.organisation.plan.tier", "gold"),
  unbanned: not(found("project.organisation.bans", eq("user_id", me))),
  calm: not(found(memberships, found("suspensions", eq("reason", "late")))),
  childless: not(found("subtasks")),
} satisfies Rules;

const ofMemberships = {
  owner: found("organisation.memberships", and(eq("user_id", me), eq("role", "owner"))),
  conditionOnly: not(
    found("organisation.memberships", and(eq("user_id", field("this.user_id")), ne("id", field("this.id")))),
  ),
  first: not(found("organisation.memberships", eq("user_id", field("this.user_id")))),
  fellow: found("organisation.memberships", eq("role", "owner")),
} satisfies Rules;

const ofTasks = {
  ...rules,
  shoot: and(isNull("parent.parent_id"), eq("parent.title", "open")),
} satisfies Rules;

const rows = `
  insert into users (id, team) values (1, 'red'), (2, 'blue'), (3, null);
  insert into organisations (id, owner_id) values (1, 1), (2, 2);
  insert into plans (organisation_id, tier) values (1, 'gold');
  insert into memberships (id, organisation_id, user_id, role, code) values (1, 1, 1, 'owner', 'm1'), (2, 2, 2, 'owner', 'm2');
  insert into projects (id, organisation_id) values (1, 1), (2, 2);
  insert into bans (organisation_id, user_id) values (2, 1);
  insert into tasks (id, project_id, code, title) select n, 1, 't' || n, 'open' from generate_series(1, 3) as n;
  insert into tasks (id, project_id, code, deleted_at) values (4, 1, 't4', now());
  select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['memberships', 'tasks']) as name;
`;

describe("conditions over relations, written", async () => {
  let statements: Statement[] = [];

  const world = await tenantWorld(
    { tasks: ofTasks, memberships: ofMemberships },
    {
      watch: (database) =>
        watchedDatabase(database, (connection) => (statement, values) => {
          statements.push(statement);
          return connection.run(statement, values);
        }),
    },
  );

  beforeEach(async () => {
    await world.db.query(emptyTables + rows);
  });

  async function send(role: string, method: string, path: string, body: object): Promise<Reply> {
    const request: Request = call(`${method} ${path}`, body, token(role, "1"));
    statements = [];
    const reply = await world.send(request);
    expectEnvelope(reply, request);
    // Whether the credential was revoked is asked for as well, and requests are counted.
    statements = statements.filter(({ text }) => !/auth_token_blacklist|max_requests/.test(text));
    return reply;
  }

  const record = { project_id: 1, code: "new" };
  const many = [record, { ...record, code: "newer" }];
  const ways: [string, string, string, object][] = [
    ["create", "POST", "/tasks/create", { data: record }],
    ["bulk create", "POST", "/tasks/create", { data: many }],
    ["upsert, new", "PUT", "/tasks/upsert", { data: record }],
    ["update", "PUT", "/tasks/update", { where: { project_id: 1 }, data: { title: "b" } }],
    ["bulk update", "PUT", "/tasks/update", { data: [1, 2].map((id) => ({ id, title: "b" })) }],
    ["upsert", "PUT", "/tasks/upsert", { data: { code: "t1", project_id: 1, title: "b" } }],
    ["delete", "DELETE", "/tasks/delete", { ids: [1, 2] }],
    ["destroy", "DELETE", "/tasks/destroy", { where: { title: "open" } }],
    ["restore", "PATCH", "/tasks/restore", { where: { id: 4 }, data: { deleted_at: null } }],
  ];
  const added = ["create", "bulk create", "upsert, new"];

  describe.each(ways)("%s", (way, method, path, body) => {
    it.each<[keyof typeof rules, number]>([
      ["member", 1],
      ["owner", 1],
      ["team", 1],
      ["tier", 2],
      ["unbanned", 2],
      ["calm", 3],
      // Nothing refers to a row that is not there yet.
      ["childless", added.includes(way) && way !== "upsert, new" ? 1 : 2],
    ])("%s takes %i statements", async (role, count) => {
      const reply = await send(role, method, path, body);
      expect(reply.status, reply.text).toBe(200);
      expect(statements).toHaveLength(count);
    });
  });

  it("over GraphQL it takes as many, and one that reads what was selected", async () => {
    const query = 'mutation { createTasks(input: { project_id: 1, code: "g" }) { id code } }';
    for (const [role, count] of [
      ["member", 2],
      ["unbanned", 3],
    ] as const) {
      await world.db.query("delete from tasks where code = 'g'");
      const { text } = await send(role, "POST", "/graphql", { query });
      expect(JSON.parse(text).data.createTasks).toEqual({ id: expect.any(Number), code: "g" });
      expect(statements).toHaveLength(count);
    }
  });

  it("before and after: a row can be moved neither out of reach nor into it", async () => {
    await world.db.query("update tasks set project_id = 2 where id = 2");
    for (const role of ["member", "owner", "unbanned", "tier"]) {
      const update = (id: number, data: object) =>
        send(role, "PUT", "/tasks/update", { where: { id }, data });
      expect((await update(1, { project_id: 2 })).status).toBe(403);
      expect((await update(2, { project_id: 1 })).status).toBe(403);
      expect((await update(1, { project_id: 1 })).status).toBe(200);
      const bulk = [
        { id: 1, project_id: 2 },
        { id: 2, title: "b" },
        { id: 3, title: "b" },
      ];
      const { json } = await send(role, "PUT", "/tasks/update", { data: bulk });
      expect([json.data.updated_ids, json.data.failed_records.map(({ error }) => error)]).toEqual([
        [3],
        ["PERMISSION_DENIED", "PERMISSION_DENIED"],
      ]);
      const upsert = (data: object) => send(role, "PUT", "/tasks/upsert", { data });
      expect((await upsert({ code: "t1", project_id: 2 })).status).toBe(403);
      expect((await upsert({ code: "t2", project_id: 1 })).status).toBe(403);
      expect((await upsert({ code: `fresh ${role}`, project_id: 2 })).status).toBe(403);
      expect((await upsert({ code: `fresh ${role}`, project_id: 1 })).status).toBe(200);
      const restored = { where: { id: 4 }, data: { project_id: 2 } };
      expect((await send(role, "PATCH", "/tasks/restore", restored)).status).toBe(403);
    }
  });

  it("who adds a membership is not yet a member, nor by another row of the same bulk", async () => {
    await world.db.query("delete from memberships where id = 1");
    const mine = { organisation_id: 1, user_id: 1, role: "owner" };
    const create = (data: object) => send("owner", "POST", "/memberships/create", { data });
    expect((await create(mine)).status).toBe(403);
    expect((await create([mine, { ...mine, user_id: 3 }])).status).toBe(400);
    // A taken unique key splits the bulk into smaller statements.
    expect((await create([mine, { ...mine, user_id: 3 }, { ...mine, code: "m2" }])).status).toBe(400);
    expect(await world.db.query("select from memberships")).toHaveLength(1);
  });

  it("an owner may lay down what made him one, once", async () => {
    const update = (data: object) => send("owner", "PUT", "/memberships/update", data);
    expect((await update({ where: { id: 1 }, data: { role: "guest" } })).status).toBe(200);
    expect((await update({ where: { id: 1 }, data: { role: "owner" } })).status).toBe(403);
  });

  it("a bulk of which some fail is judged before any of it is written", async () => {
    const one = { organisation_id: 1, user_id: 3, role: "x" };
    const records = [
      one,
      { ...one, code: "m2" },
      { ...one, code: "fresh" },
      { ...one, organisation_id: 99 },
      { ...one, user_id: 1 },
    ];
    const { json } = await send("first", "POST", "/memberships/create", { data: records });
    expect(json.data.inserted_count).toBe(2);
    expect(json.data.failed_records.map(({ index, error, field: of }) => [index, error, of])).toEqual([
      [1, "VALIDATION_ERROR", "code"],
      [3, "VALIDATION_ERROR", "organisation_id"],
      [4, "PERMISSION_DENIED", undefined],
    ]);
  });

  it("and so is a bulk update", async () => {
    await world.db.query(`insert into memberships (id, organisation_id, user_id, role, code) values
      (11, 1, 3, 'x', 'a'), (12, 1, 3, 'x', 'b'), (13, 2, 3, 'x', 'c')`);
    const data = [
      { id: 1, role: "guest" },
      { id: 2, role: "guest" },
      { id: 11, role: "y" },
      { id: 12, code: "m2" },
      { id: 13, code: "fresh" },
      { id: 99, code: "fresher" },
    ];
    const { json } = await send("fellow", "PUT", "/memberships/update", { data });
    expect(json.data.updated_ids).toEqual([1, 2, 11, 13]);
    expect(json.data.failed_records.map(({ index, error }) => [index, error])).toEqual([
      [3, "VALIDATION_ERROR"],
      [5, "NOT_FOUND"],
    ]);
  });

  it("a row of its own table that the same statement changes counts as it was", async () => {
    await world.db.query(
      "update tasks set parent_id = 1 where id in (2, 3); update tasks set parent_id = 3 where id = 4",
    );
    const body = { where: { id__in: [2, 3] }, data: { title: "b" } };
    expect((await send("shoot", "PUT", "/tasks/update", body)).status).toBe(200);
    const both = [
      { id: 2, title: "shut" },
      { id: 3, parent_id: 2 },
    ];
    await world.db.query("update tasks set title = 'open'");
    const { json } = await send("shoot", "PUT", "/tasks/update", { data: both });
    // Task 2 has a parent, so its children are not children of a root.
    expect(json.data.updated_ids).toEqual([2]);
    const chain = [1, 2, 3].map((id) => ({ id, title: "shut" }));
    expect((await send("childless", "PUT", "/tasks/update", { data: chain })).json.data.updated_ids).toEqual([
      2, 3,
    ]);
  });

  it("each mutation of a document is judged after the one before", async () => {
    const create = "createTasks(input: { parent_id: 1, project_id: 1 }) { id }";
    const update = 'updateTasks(where: { id: 1 }, input: { title: "mine" }) { id }';
    const titles = () => world.db.query("select from tasks where title = 'mine'");
    const ask = (query: string) => send("childless", "POST", "/graphql", { query });
    const refused = await ask(`mutation { a: ${create} b: ${update} }`);
    expect(refused.status, refused.text).toBe(403);
    expect([await titles(), await world.db.query("select from tasks where parent_id = 1")]).toEqual([[], []]);
    const done = await ask(`mutation { b: ${update} a: ${create} }`);
    expect(done.status, done.text).toBe(200);
    expect(await titles()).toHaveLength(1);
    expect((await ask(`mutation { b: ${update} }`)).status).toBe(403);
    // Its only child goes first.
    const [child] = await world.db.query("select id from tasks where parent_id = 1");
    const both = await ask(
      `mutation { a: destroyTasks(where: { id: ${child?.["id"]} }) { id } b: ${update} }`,
    );
    expect(both.status, both.text).toBe(200);
  });

  it("destroy: what refers to a row goes with it, and counts until then", async () => {
    const destroy = (role: string, ids: number[]) => send(role, "DELETE", "/tasks/destroy", { ids });
    const left = async () =>
      (await world.db.query("select id::int from tasks order by id")).map(({ id }) => id);
    await world.db.query(
      "update tasks set parent_id = 1 where id in (2, 4); update tasks set project_id = 2 where id = 2",
    );
    for (const ids of [[1], [1, 2], [1, 2, 4]]) expect((await destroy("childless", ids)).status).toBe(403);
    expect(await left()).toEqual([1, 2, 3, 4]);
    // Deleted rows are none.
    expect((await destroy("childless", [2])).status).toBe(200);
    expect((await destroy("childless", [1])).status).toBe(200);
    expect(await left()).toEqual([3]);
    await world.db.query("insert into tasks (id, project_id, parent_id) values (5, 2, 3), (6, 2, 5)");
    expect((await destroy("member", [5])).status).toBe(403);
    expect((await destroy("member", [3])).status).toBe(200);
    expect(await left()).toEqual([]);
  });
});

describe("now()", () => {
  it("is when the statement of the write began, not its transaction", async () => {
    const hooks: AnyHooks = {
      async before_create(data, { transaction }) {
        const later = "select clock_timestamp() as due where clock_timestamp() > now() + interval '2 ms'";
        for (;;) {
          const { rows } = await transaction.raw(later);
          if (rows.length > 0) return { ...data, due: rows[0].due };
        }
      },
    };
    const { send } = await tenantWorld({ tasks: { punctual: lte("due", now) } }, { hooks });
    const body = { data: { code: "n" } };
    const reply = await send(call("POST /tasks/create", body, token("punctual", "1")));
    expect(reply.status, reply.text).toBe(200);
  });
});

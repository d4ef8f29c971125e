import { beforeEach, describe, expect, it } from "vitest";
import { call, type Reply, token } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { startWorld } from "./support/models.ts";

/** Filters that filter nothing, however they are dressed up. */
// biome-ignore format: a list of values
const empty = [
  "{}", "null", "[]", "[{}]", '""', "0", "false", "true", '"id"', '{"deleted_at":null}', '{"deleted_at__is_null":true}',
  '{"deleted_at__is_not_null":true}', '{"deleted_at__in":[]}', '{"deleted_at__nonsense":1}', '{"deleted_at":"2020-01-01","deleted_at__gte":"x"}',
  '{"id__not_in":[]}', '{"id__not_in":"[]"}', '{"id__not_in":[],"title__not_in":[],"deleted_at":null}', '{"":1}', '{"__proto__":{"id":1}}',
  '{"id":{}}', '{"id":[]}', '{"id":{"$ne":0}}', '{"id":{"ne":0}}', '{"id":true}', '{"id":1e400}', '{"id":"NaN"}', '{"id":""}', '{"id":" "}',
  '{"id__in":null}', '{"id__in":{}}', '{"id__in":"[1"}', '{"id__between":[1]}', '{"id__between":[1,2,3]}', '{"id__between":[null,null]}',
  '{"id__ne":null}', '{"id__gte":null}', '{"title__like":""}', '{"title__like":null}', '{"or":[{"id":1}]}', '{"where":{"id":1}}',
];

describe("a write never reaches a whole table", async () => {
  const admin = token("admin");
  const world = await startWorld();
  await world.db.query(`
      insert into papers (owner_id, title, deleted_at) select 1, 'b', case when n > 3 then now() end
      from generate_series(1, 6) as n`);

  const snapshot = () => world.db.query("select * from papers order by id");

  async function refused(method: string, path: string, body?: string): Promise<void> {
    const before = await snapshot();
    const reply = await world.send({ method, path, token: admin, ...(body !== undefined && { body }) });
    expectEnvelope(reply, body);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.json.error).toBe("VALIDATION_ERROR");
    expect(await snapshot()).toEqual(before);
  }

  it.each(empty)("where %s", async (where) => {
    await refused("PUT", "/papers/update", `{"where":${where},"data":{"title":"x"}}`);
    await refused("PATCH", "/papers/restore", `{"where":${where},"data":{"deleted_at":null}}`);
    for (const operation of ["delete", "destroy"]) {
      await refused("DELETE", `/papers/${operation}`, `{"where":${where}}`);
      await refused("DELETE", `/papers/${operation}`, `{"query":${where}}`);
    }
  });

  // biome-ignore format: many a line
  it.each([
    "", "?", "?deleted_at=x", "?deleted_at__is_null=1&deleted_at=2", "?id__not_in=[]", "?&&", "?=", "?id=", "?id", "?id=1&id=2", "?limit=1",
    "?ids=1",
  ])("query string %j", async (tail) => {
    await refused("DELETE", `/papers/delete${tail}`);
    await refused("DELETE", `/papers/destroy${tail}`);
    await refused("DELETE", `/papers/destroy${tail}`, "");
  });

  // biome-ignore format: many a line
  it.each([
    "{}", '{"ids":[]}', '{"ids":null}', '{"ids":{}}', '{"ids":"1"}', '{"ids":[null]}', '{"ids":[[1]]}', '{"ids":[1],"where":{"id":2}}',
    '{"ids":[1.5]}', '{"query":{"id":1},"where":{"id":1}}',
  ])("removal by %s", async (body) => {
    await refused("DELETE", "/papers/delete", body);
    await refused("DELETE", "/papers/destroy", body);
  });

  // biome-ignore format: many a line
  it.each([
    "{}", "null", "[]", "1", '{"data":{}}', '{"data":null}', '{"where":{"id":1}}', '{"where":{"id":1},"data":{}}', '{"where":{"id":1},"data":[]}',
    '{"where":{"id":1},"data":[{"id":1,"title":"x"}]}', '{"data":[{"title":"x"}]}', '{"data":[{"id":null,"title":"x"}]}',
  ])("update with %s", async (body) => {
    await refused("PUT", "/papers/update", body);
  });

  it("filters in addition to a body are refused, since one of them would be ignored", async () => {
    await refused("DELETE", "/papers/destroy?id=1", '{"ids":[2]}');
  });
});

const stamp = "2000-01-01T00:00:00.000Z";

/** What no caller sets, spelled as an attacker would. */
const forbidden: [string, string][] = [
  ["id", "7"],
  ["id", '"7"'],
  ["id", "null"],
  ["created_at", `"${stamp}"`],
  ["updated_at", `"${stamp}"`],
  ["deleted_at", `"${stamp}"`],
  ["deleted_at", "null"],
  ["ID", "7"],
  ["id ", "7"],
  ["Created_At", `"${stamp}"`],
  ["_admitted", "true"],
  ["_position", "1"],
  ["xmax", "1"],
  ["ctid", '"(0,1)"'],
  ["tableoid", "1"],
  ["owner_id.x", "1"],
  ["owner_id[]", "1"],
  ["__proto__", '{"owner_id":2}'],
  ["constructor", '{"prototype":{"owner_id":2}}'],
  ["toString", "1"],
];

describe("fields that no caller may set", async () => {
  const admin = token("admin");
  const world = await startWorld();

  beforeEach(async () => {
    await world.db.query("truncate papers, slips, folders restart identity cascade");
    await world.db.query(`
      insert into papers (owner_id, title, code, deleted_at) values (1, 'one', 'c1', null), (1, 'two', 'c2', now());
      insert into folders (owner_id) values (1);
    `);
  });

  const snapshot = () => world.db.query("select * from papers order by id");

  async function write(method: string, path: string, body: string): Promise<Reply> {
    const reply = await world.send(call(`${method} ${path}`, body, admin));
    expectEnvelope(reply, body);
    return reply;
  }

  it.each(forbidden)("%j: %s", async (name, value) => {
    const before = await snapshot();
    const extra = `${JSON.stringify(name)}:${value}`;
    const record = `{"owner_id":1,"title":"b","code":"new",${extra}}`;
    const replies = [
      await write("POST", "/papers/create", `{"data":${record}}`),
      await write("POST", "/papers/create", `{"data":[${record},${record}]}`),
      await write("PUT", "/papers/update", `{"where":{"id":1},"data":{"title":"b",${extra}}}`),
    ];
    if (name !== "deleted_at" || value !== "null") {
      replies.push(await write("PATCH", "/papers/restore", `{"where":{"id":2},"data":{${extra}}}`));
    }
    if (name !== "id") {
      replies.push(await write("PUT", "/papers/update", `{"data":[{"id":1,"title":"b",${extra}}]}`));
      replies.push(await write("PUT", "/papers/upsert", `{"data":${record}}`));
      replies.push(
        await write("PUT", "/papers/upsert", `{"data":{"owner_id":1,"title":"b","id":1,${extra}}}`),
      );
    }
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 400));
    expect(replies.map(({ json }) => json.error)).toEqual(replies.map(() => "VALIDATION_ERROR"));
    expect(await snapshot()).toEqual(before);
    expect({}).not.toHaveProperty("owner_id");
  });

  it("an unknown id in an upsert of an integer model is 404, and makes no row with that id", async () => {
    const reply = await write(
      "PUT",
      "/papers/upsert",
      '{"data":{"id":777,"owner_id":1,"title":"b","code":"new"}}',
    );
    expect(reply.status).toBe(404);
    expect(await world.db.query("select from papers")).toHaveLength(2);
  });

  it("keys of the body that no operation knows are refused, `__proto__` among them", async () => {
    const before = await snapshot();
    for (const [name, value] of [...forbidden, ["limit", "1"], ["user_id", "1"], ["role", '"admin"']]) {
      const extra = `${JSON.stringify(name)}:${value}`;
      const replies = [
        await write("POST", "/papers/create", `{"data":{"owner_id":1,"title":"b"},${extra}}`),
        await write("PUT", "/papers/update", `{"where":{"id":1},"data":{"title":"b"},${extra}}`),
        await write("DELETE", "/papers/destroy", `{"ids":[1],${extra}}`),
        await write("PATCH", "/papers/restore", `{"where":{"id":2},"data":{"deleted_at":null},${extra}}`),
      ];
      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("of a key that stands twice only the last one counts, in the checks as in the row", async () => {
    const user = token("user", "1");
    const twice = '{"data":{"owner_id":1,"owner_id":2,"title":"b"}}';
    const reply = await world.send(call("POST /papers/create", twice, user));
    expect(reply.status).toBe(403);
    expect(await world.db.query("select from papers where owner_id = 2")).toHaveLength(0);
  });

  it("`__proto__` inside a json field is data, in bulk too", async () => {
    const doc = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    await write("POST", "/papers/create", `{"data":{"owner_id":1,"title":"b","doc":${doc}}}`);
    await write("POST", "/papers/create", `{"data":[{"owner_id":1,"title":"b","doc":${doc}}]}`);
    const saved = await world.db.query("select doc::text from papers where doc is not null");
    expect(saved.map((row) => row["doc"])).toEqual([
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
    ]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("a caller can choose the id of a uuid row, but not of an existing one", async () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const first = await write("POST", "/slips/create", `{"data":{"id":"${id}","folder_id":1,"code":"x"}}`);
    expect(first.json.data.id).toBe(id);
    const second = await write(
      "POST",
      "/slips/create",
      `{"data":{"id":"${id.toUpperCase()}","folder_id":1,"code":"y"}}`,
    );
    expect(second.json).toMatchObject({ statusCode: 400, details: { field: "id" } });
    const moved = await write(
      "PUT",
      "/slips/update",
      `{"where":{"id":"${id}"},"data":{"id":"${id}","code":"z"}}`,
    );
    expect(moved.status).toBe(400);
  });
});

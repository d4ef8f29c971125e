import { beforeAll, describe, expect, it } from "vitest";
import { expectEnvelope } from "./support/envelope.ts";
import { startWorld, token, type World } from "./support/world.ts";

/** Filters that filter nothing, however they are dressed up. */
const empty = [
  "{}",
  "null",
  "[]",
  "[{}]",
  '""',
  "0",
  "false",
  "true",
  '"id"',
  '{"deleted_at":null}',
  '{"deleted_at__is_null":true}',
  '{"deleted_at__is_not_null":true}',
  '{"deleted_at__in":[]}',
  '{"deleted_at__nonsense":1}',
  '{"deleted_at":"2020-01-01","deleted_at__gte":"x"}',
  '{"id__not_in":[]}',
  '{"id__not_in":"[]"}',
  '{"id__not_in":[],"title__not_in":[],"deleted_at":null}',
  '{"":1}',
  '{"__proto__":{"id":1}}',
  '{"id":{}}',
  '{"id":[]}',
  '{"id":{"$ne":0}}',
  '{"id":{"ne":0}}',
  '{"id":true}',
  '{"id":1e400}',
  '{"id":"NaN"}',
  '{"id":""}',
  '{"id":" "}',
  '{"id__in":null}',
  '{"id__in":{}}',
  '{"id__in":"[1"}',
  '{"id__between":[1]}',
  '{"id__between":[1,2,3]}',
  '{"id__between":[null,null]}',
  '{"id__ne":null}',
  '{"id__gte":null}',
  '{"title__like":""}',
  '{"title__like":null}',
  '{"or":[{"id":1}]}',
  '{"where":{"id":1}}',
];

describe("a write never reaches a whole table", () => {
  let world: World;
  const admin = token("admin");

  beforeAll(async () => {
    world = await startWorld();
    await world.db.query(`
      insert into papers (owner_id, title, deleted_at) select 1, 'b', case when n > 3 then now() end
      from generate_series(1, 6) as n`);
  });

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

  it.each([
    "",
    "?",
    "?deleted_at=x",
    "?deleted_at__is_null=1&deleted_at=2",
    "?id__not_in=[]",
    "?&&",
    "?=",
    "?id=",
    "?id",
    "?id=1&id=2",
    "?limit=1",
    "?where[id]=1",
    "?ids=1",
  ])("query string %j", async (tail) => {
    await refused("DELETE", `/papers/delete${tail}`);
    await refused("DELETE", `/papers/destroy${tail}`);
    await refused("DELETE", `/papers/destroy${tail}`, "");
  });

  it.each([
    "{}",
    '{"ids":[]}',
    '{"ids":null}',
    '{"ids":{}}',
    '{"ids":"1"}',
    '{"ids":[null]}',
    '{"ids":[[1]]}',
    '{"ids":[1],"where":{"id":2}}',
    '{"ids":[1.5]}',
    '{"query":{"id":1},"where":{"id":1}}',
  ])("removal by %s", async (body) => {
    await refused("DELETE", "/papers/delete", body);
    await refused("DELETE", "/papers/destroy", body);
  });

  it.each([
    "{}",
    "null",
    "[]",
    "1",
    '{"data":{}}',
    '{"data":null}',
    '{"where":{"id":1}}',
    '{"where":{"id":1},"data":{}}',
    '{"where":{"id":1},"data":[]}',
    '{"where":{"id":1},"data":[{"id":1,"title":"x"}]}',
    '{"data":[{"title":"x"}]}',
    '{"data":[{"id":null,"title":"x"}]}',
  ])("update with %s", async (body) => {
    await refused("PUT", "/papers/update", body);
  });

  it("filters beside a body are refused, since one of them would be ignored", async () => {
    await refused("DELETE", "/papers/destroy?id=1", '{"ids":[2]}');
  });
});

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectEnvelope } from "./support/envelope.ts";
import { query, type Reply, startWorld, token, type World } from "./support/world.ts";

const payloads = [
  "'; drop table papers; --",
  '"; drop table papers; --',
  "' or '1'='1",
  "1 or 1=1",
  "1); delete from papers; --",
  'id" desc, (select content from vaults limit 1) --',
  "(select content from vaults limit 1)",
  "title` or 1",
  "$1",
  "$$; select pg_sleep(9); $$",
  "?",
  "??",
  "\\'; drop table papers; --",
  "E'\\x27",
  '{"a":1}\'::jsonb; --',
  "papers.title",
  "t.secret",
  "title::text",
  "\u2019 or 1=1 --",
  "%27 or 1=1 --",
];

describe("SQL in every place that takes text", () => {
  let world: World;
  const admin = token("admin");

  beforeAll(async () => {
    world = await startWorld();
    await world.db.query("insert into vaults (content) values ('canary')");
  });

  beforeEach(async () => {
    await world.db.query("truncate papers restart identity");
    await world.db.query(
      "insert into papers (owner_id, title, code) values (1, 'one', 'c1'), (2, 'two', 'c2')",
    );
  });

  async function get(parameters: Record<string, string>, operation = "fetch"): Promise<Reply> {
    const reply = await world.send({ path: `/papers/${operation}${query(parameters)}`, token: admin });
    expectEnvelope(reply, parameters);
    expect(reply.text).not.toContain("canary");
    return reply;
  }

  async function write(method: string, operation: string, body: unknown): Promise<Reply> {
    const reply = await world.send({ method, path: `/papers/${operation}`, token: admin, body });
    expectEnvelope(reply, body);
    return reply;
  }

  const count = async () => (await world.db.query("select count(*)::int as n from papers"))[0]?.["n"];

  it.each(payloads)("as a name: %s", async (payload) => {
    const names = [
      await get({ [payload]: "1" }),
      await get({ [`title__${payload}`]: "1" }),
      await get({ [`${payload}__like`]: "1" }),
      await get({ order_by: payload }),
      await get({ order_by: "title", order: payload }),
      await get({ select_fields: payload }),
      await get({ select_fields: JSON.stringify(["id", payload]) }),
      await get({ limit: payload }),
      await get({ page: payload }),
      await get({ offset: payload }),
      await get({ [payload]: "1" }, "count"),
      await get({ [payload]: "1" }, "exists"),
      await write("POST", "create", { data: { owner_id: 1, title: "b", [payload]: 1 } }),
      await write("POST", "create", { data: [{ owner_id: 1, title: "b", [payload]: 1 }] }),
      await write("PUT", "update", { where: { [payload]: 1 }, data: { title: "b" } }),
      await write("PUT", "update", { where: { id: 1 }, data: { [payload]: "b" } }),
      await write("PUT", "update", { data: [{ id: 1, [payload]: "b" }] }),
      await write("PUT", "upsert", { data: { owner_id: 1, title: "b", code: "c", [payload]: 1 } }),
      await write("DELETE", "delete", { query: { [payload]: 1 } }),
      await write("DELETE", "destroy", { where: { [`id__${payload}`]: 1 } }),
      await write("PATCH", "restore", { where: { [payload]: 1 }, data: { deleted_at: null } }),
    ];
    expect(names.map(({ status }) => status)).toEqual(names.map(() => 400));
    expect(await count()).toBe(2);
  });

  it.each(payloads)("as a value: %s", async (payload) => {
    for (const operator of ["", "__ne", "__gt", "__like", "__ilike", "__in", "__not_in"]) {
      const { status } = await get({ [`title${operator}`]: payload });
      expect([200, 400]).toContain(status);
    }
    expect((await get({ title: payload })).json.data).toEqual([]);
    expect((await get({ title__between: JSON.stringify([payload, payload]) })).json.data).toEqual([]);
    expect((await get({ title__in: JSON.stringify([payload]) })).json.data).toEqual([]);
    expect((await get({ search_term: payload }, "search")).json.data).toEqual([]);
    expect((await get({ id: payload })).status).toBe(400);
    expect((await get({ id__in: payload })).status).toBe(400);
    expect((await get({ state: payload })).status).toBe(400);
    expect((await write("DELETE", "delete", { ids: [payload] })).status).toBe(400);
    expect((await write("DELETE", "delete", { query: { title: payload } })).status).toBe(404);
    expect((await write("PUT", "update", { data: [{ id: payload, title: "b" }] })).status).toBe(400);
    expect(await count()).toBe(2);
  });

  it("what looks like SQL is stored and answered as it is", async () => {
    const stored = payloads.map((payload) => `b${payload}`);
    for (const text of stored) {
      const data = { owner_id: 1, title: "b", secret: text, code: text, doc: { [text]: text } };
      const created = await write("POST", "create", { data });
      expect(created.json.data).toMatchObject(data);
      expect((await get({ code: text })).json.data).toMatchObject([data]);
      const id = created.json.data.id;
      const changed = await write("PUT", "update", { where: { code: text }, data: { secret: `${text}!` } });
      expect(changed.json.data).toEqual({ updated_count: 1, updated_ids: [id] });
    }
    const more = stored.map((text) => ({ owner_id: 1, title: "b", code: `bulk ${text}`, doc: [text] }));
    const { json } = await write("POST", "create", { data: more });
    expect(json.data).toMatchObject({ inserted_count: more.length, failed_count: 0 });
    const records = json.data.inserted_ids.map((id: number, at: number) => ({ id, secret: stored[at] }));
    expect((await write("PUT", "update", { data: records })).json.data.updated_count).toBe(more.length);
    const saved = await world.db.query("select secret from papers where code like 'bulk%' order by id");
    expect(saved.map(({ secret }) => secret)).toEqual(stored);
  });
});

import { beforeEach, describe, expect, it, test } from "vitest";
import { dataOf, sendGraphql, type Variables } from "../support/graphql.ts";
import { call, query, type Reply, token } from "../support/model-service.ts";
import { requestOf } from "../support/request.ts";
import { expectKeys, outcome } from "../support/scenarios.ts";
import { graphqlWorld } from "./support/graphql-world.ts";
import { startWorld } from "./support/models.ts";

// biome-ignore format: a list of values
const payloads = [
  "'; drop table papers; --", '"; drop table papers; --', "' or '1'='1", "1 or 1=1",
  "1); delete from papers; --", 'id" desc, (select content from vaults limit 1) --',
  "(select content from vaults limit 1)", "title` or 1", "$1", "$$; select pg_sleep(9); $$", "?", "??",
  "\\'; drop table papers; --", "E'\\x27", '{"a":1}\'::jsonb; --', "papers.title", "t.secret", "title::text",
  "\u2019 or 1=1 --", "%27 or 1=1 --",
];

describe("SQL in every place that takes text", async () => {
  const admin = token("admin");
  const world = await startWorld();
  await world.db.query("insert into vaults (content) values ('canary')");

  beforeEach(async () => {
    await world.db.query("truncate papers restart identity");
    await world.db.query(
      "insert into papers (owner_id, title, code) values (1, 'one', 'c1'), (2, 'two', 'c2')",
    );
  });

  async function get(parameters: Record<string, string>, operation = "fetch"): Promise<Reply> {
    const reply = await world.send(call(`GET /papers/${operation}${query(parameters)}`, undefined, admin));
    expectKeys(reply, parameters);
    expect(reply.text).not.toContain("canary");
    return reply;
  }

  async function write(method: string, operation: string, body: unknown): Promise<Reply> {
    const reply = await world.send(call(`${method} /papers/${operation}`, body, admin));
    expectKeys(reply, body);
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

const { service, ask } = await graphqlWorld();

const overGraphql = [
  "'; drop table folders; --",
  '"; drop table folders; --',
  "' or '1'='1",
  "1 or 1=1",
  '") from folders; delete from folders; --',
  'id" desc, (select combination from vaults limit 1) --',
  "(select combination from vaults limit 1)",
  "$1",
  "$$; select pg_sleep(9); $$",
  "??",
  "\\'; drop table folders; --",
  "title::text",
  "t0.id",
  "\u2019 or 1=1 --",
  "a\u0000b",
  "\ud800",
  "{1,2}",
  "x".repeat(5000),
  "__proto__",
  "constructor",
];

describe("SQL in every place that takes text", () => {
  /** The status; messages may hold what was sent, and nothing else of the kind. */
  async function told(query: string, variables?: Variables): Promise<number> {
    const { status, text } = await sendGraphql(service, query, "admin", variables);
    expect(status, `${text} for ${query}`).toBeLessThan(500);
    expect(text).not.toMatch(/"123"|syntax error|relation|violates/);
    return status;
  }

  test.each(overGraphql)("%s", async (payload) => {
    const text = JSON.stringify(payload);
    // biome-ignore format: many a line
    const queries = [
      `{ folders(name: ${text}) { id } }`, `{ folders(name: { like: ${text} }) { id } }`, `{ folders(name: { in: [${text}, "root"] }) { name } }`,
      `{ folders(search: ${text}) { id } }`, `{ folders(orderBy: ${text}) { id } }`, `{ folders(id: ${text}) { id } }`,
      `{ folders(limit: ${text}) { id } }`, `{ folders { children(name: ${text}, orderBy: ${text}) { id } } }`,
      `{ folders_aggregate(groupBy: ${text}) { count } }`, `{ folders_aggregate(groupBy: [name, ${text}], orderBy: ${text}) { count } }`,
      `{ folders_aggregate(orderBy: "-sum_${payload.replaceAll(/[^\w ]/g, "")}") { count } }`, `{ books(printed_at: ${text}) { id } }`,
      `{ books(code: { nin: [${text}] }) { id } }`, `mutation { updateFolders(where: { name: ${text} }, input: { size: 1 }) { id } }`,
      `mutation { destroyFolders(ids: [${text}]) { id } }`,
    ];
    for (const query of queries) await told(query);
    const bound: readonly (readonly [kind: string, use: string])[] = [
      ...["name: $v", "search: $v", "orderBy: $v", "id: $v", "name: { in: [$v] }"].map(
        (use) => ["String", use] as const,
      ),
      ["StringFilter", "name: $v"],
      ["FoldersOrderBy", "orderBy: $v"],
    ];
    for (const [kind, use] of bound)
      await told(`query ($v: ${kind}) { folders(${use}) { id } }`, { v: payload });
    await told("query ($v: [FoldersOrderBy!]) { folders_aggregate(groupBy: $v) { count } }", { v: payload });
    for (const key of [payload, `name${payload}`]) {
      await told("query ($v: StringFilter) { folders(name: $v) { id } }", { v: { [key]: "x" } });
      expect(
        await told("mutation ($v: FoldersWhere) { destroyFolders(where: $v) { id } }", { v: { [key]: "x" } }),
      ).toBe(400);
      const input = { name: "n", [key]: 1 };
      expect(
        await told("mutation ($v: FoldersCreate!) { createFolders(input: $v) { id } }", { v: input }),
      ).toBe(400);
    }
    const [left] = await service.query(
      "SELECT count(*)::int AS folders, (SELECT count(*)::int FROM vaults) AS vaults FROM folders",
    );
    expect(left).toEqual({ folders: 7, vaults: 2 });
  });

  test("a text that is stored is stored as it is", async () => {
    for (const payload of overGraphql.filter(
      (text) => text.length < 200 && text.isWellFormed() && !text.includes("\u0000"),
    )) {
      const data = await dataOf(
        service,
        "mutation ($i: FoldersCreate!) { createFolders(input: $i) { name } }",
        "admin",
        { i: { name: payload } },
      );
      expect(data).toEqual({ createFolders: { name: payload } });
    }
  });
});

describe("names", () => {
  const long = (length: number): string => "a".repeat(length);

  test("a key as long as PostgreSQL takes, and no longer", async () => {
    const fits = `{ ${long(63)}: folders(id: 1) { ${long(63)}: name } }`;
    expect(await dataOf(service, fits)).toEqual({ [long(63)]: [{ [long(63)]: "root" }] });
    for (const query of [
      `{ folders(id: 1) { ${long(64)}: name } }`,
      `{ folders(id: 1) { ${long(63)}b: id ${long(63)}c: name } }`,
      `{ folders(id: 1) { ${long(3000)}: name } }`,
      `{ folders(id: 1) { ${long(64)}: children { id } } }`,
    ])
      expect(outcome(await ask(query))).toMatch("400 VALIDATION_ERROR");
  });

  test("a root key is never a name of the database", async () => {
    expect(await dataOf(service, `{ ${long(200)}: folders(id: 1) { id } }`)).toEqual({
      [long(200)]: [{ id: 1 }],
    });
  });

  test("keys that differ only in case are two", async () => {
    expect(await dataOf(service, "{ folders(id: 1) { a: id A: name } A: folders(id: 9) { id } }")).toEqual({
      folders: [{ a: 1, A: "root" }],
      A: [{ id: 9 }],
    });
  });

  test("keys that statements use themselves", async () => {
    // biome-ignore format: a list of values
    for (const key of [
      "t0", "t1", "j1", "j", "r", "row", "select", "order", "id", "folders", "json_agg", "text", "value",
      "ctid", "oid", "xmin", "tableoid",
    ]) {
      const query = `{ ${key}: folders(id: 1) { ${key}: name x: children(limit: 1) { ${key}: id } ${key}_: parent { id } } }`;
      expect(await dataOf(service, query)).toEqual({ [key]: [{ [key]: "root", x: [{ [key]: 2 }], [`${key}_`]: null }],
      });
      expect(await dataOf(service, `{ folders(id: 2) { ${key}: parent { ${key}: name } } }`)).toEqual({ folders: [{ [key]: { [key]: "root" } }],
      });
    }
  });

  test("columns of the system are no fields", async () => {
    for (const name of ["ctid", "xmin", "tableoid", "oid", "t0", "j1", "search_path"])
      for (const query of [
        `{ folders { ${name} } }`,
        `{ folders(${name}: 1) { id } }`,
        `{ folders(orderBy: "${name}") { id } }`,
        `{ folders_aggregate(groupBy: ${name}) { count } }`,
        `{ folders_aggregate { max { ${name} } } }`,
      ])
        expect(outcome(await ask(query)), query).toMatch("400 VALIDATION_ERROR");
  });

  test("names of Object.prototype are unknown fields", async () => {
    // biome-ignore format: a list of values
    for (const name of [
      "__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__",
    ])
      // biome-ignore format: many a line
      for (const query of [
        `{ folders { ${name} } }`, `{ folders(${name}: 1) { id } }`, `{ folders(size: { ${name}: 1 }) { id } }`,
        `{ folders(orderBy: ${name}) { id } }`, `{ folders { ${name} { id } } }`, `{ folders_aggregate { ${name} { size } } }`,
        `{ folders_aggregate { max { ${name} } } }`, `{ folders_aggregate { max_${name} } }`, `{ folders_aggregate(groupBy: [${name}]) { count } }`,
        `mutation { updateFolders(where: { ${name}: 1 }, input: { size: 1 }) { id } }`,
        `mutation { createFolders(input: { name: "x", ${name}: 1 }) { id } }`, `{ folders { ...${name} } }`,
      ])
        expect(outcome(await ask(query, "admin")), query).toMatch("400 VALIDATION_ERROR");
    const polluted =
      '{"query":"query ($v: IntFilter) { folders(size: $v) { id } }","variables":{"v":{"__proto__":{"eq":5}}}}';
    const reply = await service.send({
      ...requestOf("POST /graphql", polluted),
      headers: { "content-type": "application/json" },
    });
    expect(outcome(reply)).toMatch("400 VALIDATION_ERROR");
    expect(Object.hasOwn(Object.prototype, "eq")).toBe(false);
    const named =
      '{"query":"query ($__proto__: Int) { folders(size: $__proto__) { id } }","variables":{"__proto__":5}}';
    const own = await service.send({
      ...requestOf("POST /graphql", named),
      headers: { "content-type": "application/json" },
    });
    expect(own.envelope.data).toEqual({ folders: [{ id: 1 }] });
  });
});

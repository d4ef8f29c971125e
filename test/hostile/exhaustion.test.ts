import { describe, expect, it, test } from "vitest";
import type { Database } from "#runtime/core/database/index";
import { dataOf, sendGraphql } from "../support/graphql.ts";
import { call, query, type Reply, type Request, token } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { type Rows, testService } from "../support/service.ts";
import { watchedDatabase } from "../support/watched-database.ts";
import { startWorld } from "./support/models.ts";

const mebibyte = 1024 * 1024;

/** For any request, the response time and the memory of the service are bounded. */
describe("requests that are made to cost much", async () => {
  const admin = token("admin");
  const world = await startWorld({ maxConnections: 1 });
  await world.db.query(
    "insert into papers (owner_id, title, secret) select 1, 'b', repeat('a', 5000) from generate_series(1, 150)",
  );

  async function quick(request: Request): Promise<Reply> {
    const startedAt = performance.now();
    const reply = await world.send({ token: admin, ...request });
    expect(performance.now() - startedAt, request.path).toBeLessThan(5000);
    expectEnvelope(reply, request.path);
    expect(reply.status).toBeLessThan(500);
    return reply;
  }

  const post = (body: string) => quick(call("POST /papers/create", body));

  it("a pattern that makes other engines despair", async () => {
    const title = "a".repeat(80);
    expect((await post(`{"data":{"owner_id":1,"title":"${title}"}}`)).status).toBe(400);
    const records = Array.from({ length: 1000 }, () => ({ owner_id: 1, title }));
    expect((await post(JSON.stringify({ data: records }))).status).toBe(400);
    expect((await post(`{"data":{"owner_id":1,"title":"${"a".repeat(mebibyte - 100)}"}}`)).status).toBe(400);
  });

  it("a LIKE that must be matched at every position of long texts", async () => {
    for (const pattern of [`${"%a".repeat(125)}%b%`, `%${"a".repeat(253)}b%`, `${"%a_".repeat(85)}b`]) {
      const filters = { secret__like: pattern, secret__ilike: pattern };
      expect((await quick({ path: `/papers/count${query(filters)}` })).json.data).toEqual({ count: 0 });
    }
    for (const pattern of ["%a".repeat(500), "a".repeat(7_500)]) {
      const path = `/papers/count${query({ secret__ilike: pattern })}`;
      expect((await quick({ path })).json.details).toEqual({ field: "secret__ilike" });
    }
  });

  it("a mebibyte of anything", async () => {
    const fill = (piece: string, around: [string, string] = ["", ""]) =>
      around[0] + piece.repeat(Math.floor((mebibyte - 300) / piece.length)) + around[1];
    const bodies = [
      fill("[", ['{"data":', ""]),
      fill('{"a":', ["", ""]),
      fill('{"data":1},', ['{"data":[', "1]}"]),
      fill("1,", ['{"data":[', "1]}"]),
      fill("{},", ['{"data":[', "{}]}"]),
      fill("9", ['{"data":{"owner_id":', "}}"]),
      fill('\\"', ['{"data":{"title":"', '"}}']),
      fill("\\\\", ['{"data":{"title":"', '"}}']),
      fill("\\u0061", ['{"data":{"title":"', '"}}']),
      fill('"title":"b",', ['{"data":{', '"owner_id":1}}']),
      fill(" ", ["", "{}"]),
      fill("\u{1F600}".slice(0, 1), ["", ""]),
    ];
    for (const body of bodies) expect((await post(body)).json).toBeTypeOf("object");
    const keys = Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join();
    const many = await post(`{"data":{${keys}}}`);
    expect(many.json.details).toEqual({ field: "data" });
    const where = await quick(call("PUT /papers/update", `{"where":{${keys}},"data":{"title":"b"}}`));
    expect(where.json.details).toEqual({ field: "where" });
    const name = await post(`{"data":{"${"x".repeat(900_000)}":1}}`);
    expect(name.text.length).toBeLessThan(3 * mebibyte);
  });

  it("long lists", async () => {
    const list = `[${Array.from({ length: 130_000 }, (_, n) => n + 1e6).join()}]`;
    const body = `{"where":{"id__in":${list}},"data":{"title":"b"}}`;
    expect((await quick(call("PUT /papers/update", body))).status).toBe(404);
    const ids = `{"ids":${list}}`;
    expect((await quick(call("DELETE /papers/destroy", ids))).status).toBe(400);
    const path = `/papers/count?id__not_in=${"1,".repeat(7000)}1`;
    const [row] = await world.db.query("select count(*)::int as count from papers where id <> 1");
    expect((await quick({ path })).json.data).toEqual(row);
    expect(
      (await quick({ path: `/papers/fetch?limit=${"9".repeat(5000)}&page=1&select_fields=id` })).json.data,
    ).toHaveLength(100);
    expect((await quick({ path: `/papers/fetch?page=${"9".repeat(5000)}` })).status).toBe(400);
  });

  it("parameters without end", async () => {
    const tail = Array.from({ length: 3000 }, (_, n) => `a${n}`).join("&");
    expect((await quick({ path: `/papers/fetch?${tail.slice(0, 15_000)}` })).status).toBe(400);
    expect((await quick({ path: `/papers/fetch?${"&".repeat(15_000)}` })).status).toBe(200);
    expect((await quick({ path: `/papers/fetch?select_fields=${"[".repeat(15_000)}` })).status).toBe(400);
    expect(
      (await quick({ path: `/papers/fetch?select_fields=${"[".repeat(7000)}${"]".repeat(7000)}` })).status,
    ).toBe(400);
    expect(
      (await quick({ path: `/papers/fetch?id__in=${"[".repeat(7000)}${"]".repeat(7000)}` })).status,
    ).toBe(400);
    expect((await quick({ path: `/papers/fetch?${"%".repeat(15_000)}` })).status).toBe(400);
  });

  const preparedCount = async () => {
    const [row] = await world.database.run(
      { name: null, text: "select count(*) from pg_prepared_statements" },
      [],
    );
    return Number(row?.[0]);
  };

  it("endless shapes of queries: no connection holds more than a thousand statements", async () => {
    // biome-ignore format: a list of values
    const names = [
      "title", "code", "state", "mail", "owner_id", "id", "doc", "created_at", "updated_at", "grade",
      "secret",
    ];
    for (let n = 0; n < 1200; n++) {
      const chosen = names.filter((_, bit) => ((n + 1) >> bit) & 1).join();
      await world.send(call(`GET /papers/fetch?select_fields=${chosen}&limit=1`, undefined, admin));
    }
    expect(await preparedCount()).toBeLessThanOrEqual(1001);
  });

  it("a query of very many filters is not prepared", async () => {
    const before = await preparedCount();
    const text = ["__ne", "__gt", "__gte", "__lt", "__lte", "__like", "__ilike", "__in", "__not_in"];
    const names = ["title", "code", "mail", "secret"].flatMap((name) =>
      text.map((operator) => name + operator),
    );
    const dates = ["created_at", "updated_at"].flatMap((name) =>
      ["__ne", "__gt", "__gte", "__lt", "__lte", "__in", "__not_in"].map((o) => name + o),
    );
    const numbers = ["id", "owner_id"].flatMap((name) =>
      ["__ne", "__gt", "__gte", "__lt", "__lte", "__in", "__not_in"].map((o) => name + o),
    );
    const filters = [
      ...names.map((name) => [name, "x"]),
      ...dates.map((name) => [name, "2024-01-01"]),
      ...numbers.map((name) => [name, "1"]),
    ];
    for (let n = 0; n < 20; n++) {
      const rotated = [...filters.slice(n), ...filters.slice(0, n)];
      const reply = await quick({ path: `/papers/count${query(Object.fromEntries(rotated))}` });
      expect(reply.status).toBe(200);
    }
    expect(await preparedCount()).toBeLessThanOrEqual(before + 1);
  });
});

/** How many statements ran at once. */
const running = { now: 0, most: 0 };
const watch = (database: Database): Database =>
  watchedDatabase(database, (connection) => async (statement, values) => {
    running.most = Math.max(running.most, ++running.now);
    try {
      return await connection.run(statement, values);
    } finally {
      running.now--;
    }
  });
const service = await testService({ server: { bodyLimitBytes: 2 ** 20 } }, { watch });

/** A folder that is its own parent and its own child. */
const rows: Rows = { folders: [{ id: 1, name: "root", parent_id: 1, size: 1 }] };

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

// Each element is checked and bound at each place: 150 places took minutes of the event loop and gigabytes.
// biome-ignore format: one case a line
test.each([
  ["in joins", `query ($v: [Int!]) { folders { ${times(120, (at) => `a${at}: children(size: { in: $v }) { id }`)} } }`],
  [
    "in a fragment",
    `query ($v: [Int!]) { folders { ${times(150, (at) => `a${at}: parent { ...many }`)} } }
    fragment many on folders { children(size: { in: $v }) { id } }`,
  ],
  ["in root fields", `query ($v: [Int!]) { ${times(20, (at) => `a${at}: folders(size: { in: $v }) { id }`)} }`],
])("a variable of a whole body cannot be read at many places: %s", async (_, query) => {
  await service.store(rows);
  const list = Array.from({ length: 300_000 }, (_, at) => at % 10);
  const { status, envelope } = await sendGraphql(service, query, null, { v: list });
  expect([status, envelope.details]).toEqual([400, { field: "v" }]);
});

// Each place remembered the text, twenty megabytes for a document.
test.each([
  ["a text", `name: { gt: "${"x".repeat(80_000)}" }`],
  ["a list", `size: { in: [${times(900, (at) => `${100_000 + at}`)}] }`],
])("a fragment cannot bring a long value to many places: %s", async (_, argument) => {
  const query = (places: number) =>
    `{ folders { ${times(places, (at) => `a${at}: parent { ...many }`)} } }
     fragment many on folders { children(${argument}) { id } }`;
  const { status, envelope } = await sendGraphql(service, query(125));
  expect([status, envelope.details]).toEqual([400, { field: "query" }]);
  await dataOf(service, query(10));
});

test("a long list can be used in a few places, and a short list in many", async () => {
  await service.store(rows);
  const places = (count: number) =>
    `query ($v: [Int!]) { folders { ${times(count, (at) => `a${at}: children(size: { in: $v }) { id }`)} } }`;
  await dataOf(service, places(3), null, { v: Array.from({ length: 40_000 }, (_, at) => at) });
  await dataOf(service, places(120), null, { v: Array.from({ length: 100 }, (_, at) => at) });
});

// PostgreSQL took ten seconds to plan what is done in one.
test.each([
  ["parents", (joins: string) => `{ folders { ${joins.replaceAll("join", "parent")} } }`],
  ["of a parent", (joins: string) => `{ folders { parent { ${joins.replaceAll("join", "parent_id")} } } }`],
  ["of children", (joins: string) => `{ folders { children { ${joins.replaceAll("join", "parent")} } } }`],
  ["has_one", (joins: string) => `{ authors { ${joins.replaceAll("join", "profile")} } }`],
])("as many joins as a document can hold are planned at once: %s", async (_, query) => {
  await service.store(rows);
  const begin = performance.now();
  await dataOf(service, query(times(320, (at) => `a${at}: join { id }`)), "staff");
  expect(performance.now() - begin).toBeLessThan(5_000);
});

// With its plan each took two megabytes of the database, of a thousand for each connection.
test("a connection does not collect long statements without end", async () => {
  await service.store(rows);
  for (let count = 0; count < 60; count++)
    await dataOf(service, `{ folders { ${times(60, (at) => `a${count}_${at}: parent { id }`)} } }`);
  const text = "select coalesce(sum(length(statement)), 0)::int, count(*)::int from pg_prepared_statements";
  const [[length, number] = []] = await service.pool.run({ name: null, text }, []);
  expect(Number(number)).toBeGreaterThan(0);
  expect(Number(length)).toBeLessThan(520_000);
});

test("one request leaves connections to others", async () => {
  await service.store(rows);
  running.most = 0;
  const data = await dataOf(service, `{ ${times(20, (at) => `a${at}: folders(offset: ${at}) { id }`)} }`);
  expect(running.most).toBe(4);
  expect(Object.entries(data ?? {})).toEqual(
    Array.from({ length: 20 }, (_, at) => [`a${at}`, at === 0 ? [{ id: 1 }] : []]),
  );
});

import { beforeAll, describe, expect, it } from "vitest";
import { expectEnvelope } from "./support/envelope.ts";
import { query, type Reply, type Request, startWorld, token, type World } from "./support/world.ts";

const mebibyte = 1024 * 1024;

/** Answers come within a bound, and what the service keeps stays bounded, whatever is asked. */
describe("requests that are made to cost much", () => {
  let world: World;
  const admin = token("admin");

  beforeAll(async () => {
    world = await startWorld({ maxConnections: 1 });
    await world.db.query(
      "insert into papers (owner_id, title, secret) select 1, 'b', repeat('a', 5000) from generate_series(1, 150)",
    );
  });

  async function quick(request: Request): Promise<Reply> {
    const startedAt = performance.now();
    const reply = await world.send({ token: admin, ...request });
    expect(performance.now() - startedAt, request.path).toBeLessThan(5000);
    expectEnvelope(reply, request.path);
    expect(reply.status).toBeLessThan(500);
    return reply;
  }

  const post = (body: string) => quick({ method: "POST", path: "/papers/create", body });

  it("a pattern that makes other engines despair", async () => {
    const title = "a".repeat(80);
    expect((await post(`{"data":{"owner_id":1,"title":"${title}"}}`)).status).toBe(400);
    const records = Array.from({ length: 1000 }, () => ({ owner_id: 1, title }));
    expect((await post(JSON.stringify({ data: records }))).status).toBe(400);
    expect((await post(`{"data":{"owner_id":1,"title":"${"a".repeat(mebibyte - 100)}"}}`)).status).toBe(400);
  });

  it("a LIKE that must be tried at every place of long texts", async () => {
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
    const where = await quick({
      method: "PUT",
      path: "/papers/update",
      body: `{"where":{${keys}},"data":{"title":"b"}}`,
    });
    expect(where.json.details).toEqual({ field: "where" });
    const name = await post(`{"data":{"${"x".repeat(900_000)}":1}}`);
    expect(name.text.length).toBeLessThan(3 * mebibyte);
  });

  it("long lists", async () => {
    const list = `[${Array.from({ length: 130_000 }, (_, n) => n + 1e6).join()}]`;
    const body = `{"where":{"id__in":${list}},"data":{"title":"b"}}`;
    expect((await quick({ method: "PUT", path: "/papers/update", body })).status).toBe(404);
    const ids = `{"ids":${list}}`;
    expect((await quick({ method: "DELETE", path: "/papers/destroy", body: ids })).status).toBe(400);
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
    const names = [
      "title",
      "code",
      "state",
      "mail",
      "owner_id",
      "id",
      "doc",
      "created_at",
      "updated_at",
      "grade",
      "secret",
    ];
    for (let n = 0; n < 1200; n++) {
      const chosen = names.filter((_, bit) => ((n + 1) >> bit) & 1).join();
      await world.send({ token: admin, path: `/papers/fetch?select_fields=${chosen}&limit=1` });
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

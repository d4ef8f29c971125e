import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { eq } from "#runtime/models/access/index";
import {
  call,
  model,
  modelService,
  mounted,
  policyOf,
  type Row,
  rulesFor,
  sameRules,
  sender,
  token,
  type World,
} from "../support/model-service.ts";
import { requestOf } from "../support/request.ts";
import { runs } from "../support/seeded.ts";
import { testService } from "../support/service.ts";
import { type StagedHooks, stage } from "./fixture/stage.ts";

const everyone = sameRules({ "*": true });
const items = model(
  "items",
  {
    string: "string?",
    text: "text?",
    integer: "integer?",
    float: "float?",
    boolean: "boolean?",
    datetime: "datetime?",
    date: "date?",
    uuid: "uuid?",
    decimal: "decimal?",
    int64: "int64?",
    time: "time?",
    required: { kind: "integer", default: 0 },
  },
  { maxLimit: 200 },
);
const many = model(
  "many",
  { owner: "string", rank: "integer", note: { kind: "text", searchable: true, nullable: true } },
  { id: "uuid", softDelete: true },
);
const hooked = mounted(model("hooked", {}), sameRules({ "*": true }), { before_fetch: (query) => query });
const rules = {
  ...rulesFor("fetch search count", { admin: true, own: eq("owner", "me") }),
};
const unread = { note: { read: ["admin", "own"] } };

const shared = await testService();
let world: World;
beforeAll(async () => {
  world = await modelService(
    [mounted(items, everyone), mounted(many, policyOf({ ...rules, fields: unread })), hooked],
    {
      sql: "create index on items (integer, id);",
    },
  );
});

interface Pagination {
  readonly limit: number;
  readonly has_more: boolean;
  readonly next: string | null;
  readonly previous: string | null;
}

/** `path` can have a query. */
async function page(
  query: string,
  path = "items/fetch",
  as?: string,
): Promise<{ ids: unknown[]; pagination: Pagination }> {
  const { json } = await sender(world, as)(call(`GET /${path}${path.includes("?") ? "&" : "?"}${query}`));
  expect(json.statusCode, JSON.stringify(json)).toBe(200);
  return { ids: json.data.map(({ id }) => id), pagination: json.pagination as unknown as Pagination };
}

/** The ids of all pages in their order, and each `pagination`. */
async function walk(query: string, direction: "after" | "before", path?: string, as?: string) {
  const pages: unknown[][] = [];
  const all: Pagination[] = [];
  let cursor: string | null = direction === "after" ? "start" : "end";
  while (cursor !== null) {
    const { ids, pagination } = await page(`${query}&page__${direction}=${cursor}`, path, as);
    if (direction === "after") pages.push(ids);
    else pages.unshift(ids);
    all.push(pagination);
    cursor = direction === "after" ? pagination.next : pagination.previous;
  }
  return { ids: pages.flat(), all };
}

/** Two rows of each value, and two of NULL. */
const values: Readonly<Record<string, readonly string[]>> = {
  string: ["", "a\nb", "é", "Z"],
  text: ["x", "=", "\n"],
  integer: ["-1", "0", "7"],
  float: ["0.1", "1e300", "-5e-324"],
  boolean: ["false", "true"],
  datetime: ["2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00.002Z", "0001-01-01T00:00:00Z"],
  date: ["9999-12-31", "2026-02-28"],
  uuid: ["1a000000-0000-4000-8000-000000000001", "0a000000-0000-4000-8000-000000000001"],
  decimal: ["10.50", "9.99", "-0.01"],
  int64: ["9007199254740993", "9007199254740992"],
  time: ["00:00:00", "23:59:59"],
};

describe("a walk", () => {
  const orders = [...Object.keys(values), "id", "created_at", "required"];
  it.each(orders.flatMap((field) => [`${field} ASC`, `${field} DESC`]))(
    "by %s has each row once, in order",
    async (order) => {
      const [field = "", direction] = order.split(" ");
      const list = [...(values[field] ?? ["a"]), null];
      await world.db.query("truncate items restart identity");
      for (const value of [...list, ...list])
        await world.db.query(
          values[field] === undefined
            ? "insert into items default values"
            : `insert into items ("${field}") values ($1)`,
          values[field] === undefined ? [] : [value],
        );
      const query = `order_by=${field}&order=${direction}`;
      const expected = (await page(`${query}&limit=100`)).ids;
      expect(expected).toHaveLength(2 * list.length);
      for (const limit of [1, 3, expected.length, 100]) {
        const forwards = await walk(`${query}&limit=${limit}&select_fields=id`, "after");
        const backwards = await walk(`${query}&limit=${limit}`, "before");
        expect(forwards.ids).toEqual(expected);
        expect(backwards.ids).toEqual(expected);
        for (const [index, one] of forwards.all.entries()) {
          const last = index === forwards.all.length - 1;
          expect(one).toEqual({
            limit,
            has_more: !last,
            next: last ? null : expect.any(String),
            previous: index === 0 ? null : expect.any(String),
          });
        }
        for (const [index, one] of backwards.all.entries()) {
          const last = index === backwards.all.length - 1;
          expect(one).toEqual({
            limit,
            has_more: !last,
            previous: last ? null : expect.any(String),
            next: index === 0 ? null : expect.any(String),
          });
        }
      }
    },
  );

  it("crosses from values to NULL and back with a bound limit", async () => {
    await world.db.query(
      "truncate items restart identity; insert into items (integer) select case when n % 3 = 0 then n / 30 end from generate_series(1, 700) n",
    );
    for (const direction of ["asc nulls last", "desc nulls first"]) {
      const order = direction.slice(0, direction.indexOf(" "));
      const rows = await world.db.query(
        `select id::int from items order by integer ${direction}, id ${order}`,
      );
      const ids = rows.map(({ id }) => id);
      expect((await walk(`order_by=integer&order=${order}&limit=150`, "after")).ids).toEqual(ids);
      expect((await walk(`order_by=integer&order=${order}&limit=150`, "before")).ids).toEqual(ids);
    }
  });

  it("of uuid ids with ties has the rows of its caller, and none that is deleted", async () => {
    await world.db.query(
      "truncate many; insert into many (owner, rank, note, deleted_at) select case when n % 2 = 0 then 'me' else 'you' end, n / 6, 'found', case when n % 5 = 0 then now() end from generate_series(1, 40) n",
    );
    const rows = await world.db.query(
      "select id from many where owner = 'me' and deleted_at is null order by rank desc, id desc",
    );
    const ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(16);
    for (const path of ["many/fetch", "many/search", "many/search?search_term=OUN"])
      for (const direction of ["after", "before"] as const) {
        const query = "order_by=rank&order=DESC&limit=3";
        expect((await walk(query, direction, path, token("own"))).ids, path).toEqual(ids);
      }
  });

  it("turns around at any page", async () => {
    await world.db.query(
      "truncate items restart identity; insert into items (integer) select n / 2 from generate_series(1, 9) n",
    );
    const first = await page("order_by=integer&limit=4&page__after=start");
    const second = await page(`order_by=integer&limit=4&page__after=${first.pagination.next}`);
    const back = await page(`order_by=integer&limit=4&page__before=${second.pagination.previous}`);
    expect(back.ids).toEqual(first.ids);
    expect(back.pagination).toMatchObject({ has_more: false, previous: null });
    const again = await page(`order_by=integer&limit=4&page__after=${back.pagination.next}`);
    expect(again.ids).toEqual(second.ids);
  });

  it("an empty page has no cursor", async () => {
    await world.db.query("truncate items restart identity; insert into items (integer) values (1), (2)");
    const { pagination } = await page("limit=1&page__after=start");
    await world.db.query("delete from items where integer = 2");
    const rest = await page(`limit=1&page__after=${pagination.next}`);
    expect(rest).toEqual({ ids: [], pagination: { limit: 1, has_more: false, next: null, previous: null } });
    expect(await page("limit=1&integer=9&page__before=end")).toEqual(rest);
  });

  const step = fc.record({
    kind: fc.constantFrom("insert", "update", "delete", "delete the edge"),
    value: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
    row: fc.nat({ max: 30 }),
  });
  it("has each row that stays once, while others come, change and go", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }), { minLength: 5, maxLength: 14 }),
        fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 3 }),
        async (stays, steps, descending, before, limit) => {
          await world.db.query("truncate items restart identity");
          await world.db.query("insert into items (integer, string) select unnest($1::int[]), 'stays'", [
            stays,
          ]);
          await world.db.query("insert into items (integer, string) select unnest($1::int[]), 'goes'", [
            stays,
          ]);
          const query = `order_by=integer&order=${descending ? "DESC" : "ASC"}&limit=${limit}&page__${before ? "before" : "after"}=`;
          const seen: unknown[] = [];
          let cursor: string | null = before ? "end" : "start";
          for (let index = 0; cursor !== null; index++) {
            const { ids, pagination }: Awaited<ReturnType<typeof page>> = await page(query + cursor);
            seen.push(...(before ? ids.reverse() : ids));
            cursor = before ? pagination.previous : pagination.next;
            for (const { kind, value, row } of steps[index] ?? []) {
              if (kind === "insert") await world.db.query("insert into items (integer) values ($1)", [value]);
              else if (kind === "update")
                await world.db.query("update items set integer = $1 where id = $2 and string = 'goes'", [
                  value,
                  row,
                ]);
              else
                await world.db.query("delete from items where id = $1 and string = 'goes'", [
                  kind === "delete" ? row : seen.at(-1),
                ]);
            }
          }
          const order = `integer ${descending !== before ? "desc" : "asc"}, id ${descending !== before ? "desc" : "asc"}`;
          const rows = await world.db.query(
            `select id::int from items where string = 'stays' order by ${order}`,
          );
          const ids = rows.map(({ id }) => id);
          expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
        },
      ),
      runs(40),
    );
  });
});

describe("a cursor", () => {
  let next: string;
  const list = "order_by=integer&integer__gte=0&required=0&limit=2";
  beforeAll(async () => {
    await world.db.query(
      "truncate items restart identity; insert into items (integer, string) select n, 'x' from generate_series(1, 9) n",
    );
    next = (await page(`${list}&page__after=start`)).pagination.next ?? "";
  });

  it("is at most 4,096 characters, without padding", async () => {
    expect(next).toMatch(/^[A-Za-z0-9_-]{1,4096}$/);
    const long = "é".repeat(1024);
    await world.db.query("update items set text = $1", [long]);
    const { pagination } = await page("order_by=text&limit=1&page__after=start");
    expect(pagination.next).toMatch(/^[A-Za-z0-9_-]{2000,4096}$/);
    expect((await page(`order_by=text&limit=1&page__after=${pagination.next}`)).ids).toEqual([2]);
    await world.db.query("update items set text = $1", [`${long}x`]);
    const { json } = await sender(world)(call("GET /items/fetch?order_by=text&limit=1&page__after=start"));
    expect(json).toMatchObject({
      statusCode: 400,
      error: "VALIDATION_ERROR",
      details: { field: "order_by" },
    });
  });

  // biome-ignore format: one case a line
  it.each([
    ["another limit", (cursor: string) => `order_by=integer&integer__gte=0&required=0&limit=1&page__after=${cursor}`, [3]],
    ["another selection", (cursor: string) => `${list}&select_fields=id,string&page__after=${cursor}`, [3, 4]],
    ["filters in another order and form", (cursor: string) => `required=0&where[integer__gte]=0&page__after=${cursor}&limit=2&order_by=integer`, [3, 4]],
    ["the other direction", (cursor: string) => `${list}&page__before=${cursor}`, [1]],
  ])("is good for %s", async (_, query, ids) => {
    expect((await page(query(next))).ids).toEqual(ids);
  });

  // biome-ignore format: one case a line
  const foreign: [string, (cursor: string) => string][] = [
    ["other filters", (cursor) => `items/fetch?order_by=integer&integer__gte=0&limit=2&page__after=${cursor}`],
    ["another value of a filter", (cursor) => `items/fetch?order_by=integer&integer__gte=1&required=0&page__after=${cursor}`],
    ["another order", (cursor) => `items/fetch?order_by=string&integer__gte=0&required=0&page__after=${cursor}`],
    ["another direction of the order", (cursor) => `items/fetch?${list}&order=DESC&page__after=${cursor}`],
    ["an altered end", (cursor) => `items/fetch?${list}&page__after=${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`],
    ["an altered start", (cursor) => `items/fetch?${list}&page__after=${cursor.startsWith("A") ? "B" : "A"}${cursor.slice(1)}`],
    ["one more character", (cursor) => `items/fetch?${list}&page__after=${cursor}A`],
    ["padding", (cursor) => `items/fetch?${list}&page__after=${cursor}%3D`],
    ["the plain alphabet", () => `items/fetch?${list}&page__after=%2B%2F`],
    ["no cursor", () => `items/fetch?${list}&page__after=x`],
    ["end", () => `items/fetch?${list}&page__after=end`],
    ["a number", () => `items/fetch?${list}&page__after=3`],
    ["a very long text", () => `items/fetch?${list}&page__after=${"A".repeat(5000)}`],
    ["another model", (cursor) => `many/fetch?page__after=${cursor}`],
    ["another operation", (cursor) => `many/search?page__after=${cursor}`],
  ];
  it.each(foreign)("is refused with one message: %s", async (_, path) => {
    const { json } = await sender(world, token("admin"))(call(`GET /${path(next)}`));
    expect(json).toMatchObject({
      statusCode: 400,
      error: "VALIDATION_ERROR",
      details: { field: "page__after" },
    });
    expect(json.message).toMatch(/^page__after: is not a cursor of this list/);
  });

  // biome-ignore format: one case a line
  it.each([
    ["page__after=start&page__before=end", "page__before"], ["page__after=start&page=1", "page__after"], ["page__before=end&offset=0", "page__before"],
    ["page__total=none", "page__total"], ["page=1&page__total=some", "page__total"], ["page__after=", "page__after"],
    ["page__after=start&page__after=start", "page__after"], ["page__before=start", "page__before"],
  ])("%s is 400", async (query, field) => {
    const { json } = await sender(world)(call(`GET /items/fetch?${query}`));
    expect(json).toMatchObject({ statusCode: 400, error: "VALIDATION_ERROR", details: { field } });
  });

  it("count and exists take the parameters without effect", async () => {
    const query = `integer__lte=4&page__after=${next}&page__total=exact`;
    expect((await sender(world)(call(`GET /items/count?${query}`))).json.data).toEqual({ count: 4 });
    expect((await sender(world)(call(`GET /items/exists?${query}`))).json.data).toEqual({ exists: true });
    for (const page of ["page__total=none", "page__total=x", "page__after=start&page__before=x&page=1"])
      expect((await sender(world)(call(`GET /items/count?${page}`))).json.data).toEqual({ count: 9 });
  });

  it("ends with the secret that signed it", async () => {
    const next = createSecretKey(Buffer.alloc(32, 1));
    const [one, other, both] = await Promise.all([
      shared,
      testService({ secrets: { jwt: [next] } }),
      testService({ secrets: { jwt: [next, ...shared.config.secrets.jwt] } }),
    ]);
    const things = { things: [{ id: 1 }, { id: 2 }] };
    await Promise.all([one.store(things), other.store(things), both.store(things)]);
    const path = "GET /things/fetch?limit=1&select_fields=id&page__after=";
    const cursor = (await one.send(requestOf(`${path}start`))).envelope.pagination?.["next"];
    expect((await one.send(requestOf(path + cursor))).envelope.data).toEqual([{ id: 2 }]);
    expect((await both.send(requestOf(path + cursor))).envelope.data).toEqual([{ id: 2 }]);
    expect((await other.send(requestOf(path + cursor))).envelope.details?.["field"]).toBe("page__after");
  });
});

describe("page__total", () => {
  const store = (rows: number) =>
    world.db.query(
      `truncate many; insert into many (owner, rank) select case when n % 2 = 0 then 'me' else 'you' end, n from generate_series(1, ${rows}) n; analyze many;`,
    );
  const paginationOf = async (query: string, as = token("admin")): Promise<Row | undefined> =>
    (await sender(world, as)(call(`GET /many/${query}`))).json.pagination;
  const cursors = { next: expect.any(String), previous: null };

  it("none counts nothing", async () => {
    await store(7);
    expect(await paginationOf("fetch?page=1&limit=5&page__total=none")).toEqual({
      limit: 5,
      page: 1,
      offset: 0,
      has_more: true,
    });
    expect(await paginationOf("fetch?offset=5&limit=5&page__total=none")).toEqual({
      limit: 5,
      page: 2,
      offset: 5,
      has_more: false,
    });
    expect(await paginationOf("fetch?page__after=start&limit=5&page__total=none")).toEqual({
      limit: 5,
      has_more: true,
      ...cursors,
    });
  });

  it("exact and estimated are exact for few rows", async () => {
    await store(7);
    const page = { limit: 5, page: 2, offset: 5, total: 7, total_pages: 2, has_more: false };
    expect(await paginationOf("fetch?page=2&limit=5&page__total=exact")).toEqual(page);
    expect(await paginationOf("fetch?page=2&limit=5&page__total=estimated")).toEqual(page);
    for (const total of ["exact", "estimated"])
      expect(await paginationOf(`fetch?page__after=start&limit=5&rank__gt=1&page__total=${total}`)).toEqual({
        limit: 5,
        has_more: true,
        ...cursors,
        total: 6,
      });
  });

  it("an estimate begins beyond 10,000, and reveals nothing about rows out of reach", async () => {
    await store(10_000);
    expect(await paginationOf("fetch?page=1&page__total=estimated")).toMatchObject({
      total: 10_000,
      total_pages: 1_000,
    });
    await store(30_000);
    const guessed = await paginationOf("fetch?page__after=start&page__total=estimated");
    expect(guessed).toMatchObject({ total: expect.any(Number), estimated: true });
    expect(Math.abs(Number(guessed?.["total"]) - 30_000)).toBeLessThan(3_000);
    for (const narrowed of ["fetch?rank__gt=100&", "search?search_term=10&"])
      expect(await paginationOf(`${narrowed}page__after=start&page__total=estimated`)).toMatchObject({
        total: expect.any(Number),
      });
    const own = { total: 10_001, total_pages: 1_001, estimated: true, has_more: true };
    expect(await paginationOf("fetch?page=1&page__total=estimated", token("own"))).toMatchObject(own);
    expect(await paginationOf("fetch?page=2&page__total=exact", token("own"))).toMatchObject({
      total: 15_000,
    });
  });

  it("an estimate reveals nothing that a before-hook leaves out", async () => {
    await world.db.query("insert into hooked select from generate_series(1, 10500); analyze hooked");
    const { json } = await sender(world)(call("GET /hooked/fetch?page__after=start&page__total=estimated"));
    expect(json).toMatchObject({ pagination: { total: 10_001, estimated: true } });
  });

  it("a search has pages and totals of its own", async () => {
    await store(30);
    await world.db.query("update many set note = 'found' where rank <= 3");
    const found = await paginationOf(
      "search?search_term=ound&page__after=start&limit=2&page__total=exact",
      token("admin"),
    );
    expect(found).toEqual({ limit: 2, has_more: true, ...cursors, total: 3 });
    const rest = await paginationOf(
      `search?search_term=ound&page__after=${found?.["next"]}&limit=2`,
      token("admin"),
    );
    expect(rest).toEqual({ limit: 2, has_more: false, next: null, previous: expect.any(String) });
    const other = await sender(
      world,
      token("admin"),
    )(call(`GET /many/search?search_term=oun&page__after=${found?.["next"]}`));
    expect(other.json.statusCode).toBe(400);
  });
});

describe("where[…] in a query string", () => {
  beforeAll(() =>
    world.db.query(
      "truncate items restart identity; insert into items (integer, string) values (1, 'a'), (2, 'b'), (3, null)",
    ),
  );
  // biome-ignore format: one case a line
  it.each([
    ["where[integer]=2", [2]], ["where[integer__in]=1,2", [1, 2]], ["where%5Binteger__gte%5D=2&string__is_null", [3]],
    ["where[string__is_null]", [3]], ["where[deleted_at]=x&where[deleted_at]=y", [1, 2, 3]],
  ])("%s", async (query, ids) => {
    expect((await page(query)).ids).toEqual(ids);
  });

  // biome-ignore format: one case a line
  it.each([
    ["GET /items/fetch?where[integer]=2&integer=2", "integer"], ["GET /items/fetch?where[integer]=2&where[integer]=2", "where[integer]"],
    ["GET /items/fetch?where[limit]=2", "limit"], ["GET /items/fetch?where[]=2", "where[]"], ["GET /items/fetch?where=2", "where"],
    ["GET /items/fetch?where[a][b]=2", "a][b"], ["DELETE /items/delete?where[integer]=9&integer=9", "integer"],
  ])("%s is 400", async (request, field) => {
    const { json } = await sender(world)(call(request));
    expect(json).toMatchObject({ statusCode: 400, error: "VALIDATION_ERROR", details: { field } });
  });

  it("deletes rows too", async () => {
    const { json } = await sender(world)(call("DELETE /items/delete?where[integer]=3"));
    expect(json.statusCode).toBe(200);
    expect((await page("")).ids).toEqual([1, 2]);
  });
});

describe("with hooks", () => {
  afterEach(() => {
    stage.hooks = {};
  });

  async function pages(plays: StagedHooks) {
    const hooked = [1, 2, 3].map((id) => ({ id, name: `name ${id}`, number: 10 - id, code: "c" }));
    await shared.store({ hooked });
    stage.hooks = plays;
    const get = (cursor: string) =>
      shared.send(requestOf(`GET /hooked/fetch?select_fields=id&limit=2&page__after=${cursor}`));
    const first = await get("start");
    return { first, rest: await get(String(first.envelope.pagination?.["next"])) };
  }

  it("a cursor follows the order of a before-hook, whose filters can change from page to page", async () => {
    let least = 0;
    const { first, rest } = await pages({
      before_fetch: (query) => ({ ...query, order_by: "number", where: { number__gte: least++ } }),
    });
    expect(first.envelope).toMatchObject({
      data: [{ id: 3 }, { id: 2 }],
      pagination: { limit: 2, has_more: true, previous: null },
    });
    expect(rest.envelope).toMatchObject({ data: [{ id: 1 }], pagination: { has_more: false, next: null } });
  });

  it("rows that an after-hook removes do not change the cursors", async () => {
    const { first, rest } = await pages({ after_fetch: (rows) => rows.filter(({ id }) => id !== 2) });
    expect(first.envelope).toMatchObject({ data: [{ id: 1 }], pagination: { has_more: true } });
    expect(rest.envelope).toMatchObject({ data: [{ id: 3 }], pagination: { has_more: false } });
  });

  it("a page by number from a before-hook has no effect", async () => {
    const { first, rest } = await pages({ before_fetch: (query) => ({ ...query, page: 2 }) });
    expect(first.envelope).toMatchObject({ data: [{ id: 1 }, { id: 2 }], pagination: { has_more: true } });
    expect(rest.envelope).toMatchObject({ data: [{ id: 3 }], pagination: { next: null } });
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { type Client, fixtureClient, type Row } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient } = await fixtureClient();
const client: Client = createClient({ url: `${front.url}/`, token: tokenOf("admin") });
const { folders, samples } = client;

const names = (rows: readonly Row[]) => rows.map(({ name }) => name).join(" ");
const sent = () => front.lines().map((line) => decodeURIComponent(line));

beforeEach(async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    name: `f${index + 1}`,
    size: index < 5 ? null : index,
  }));
  await service.store({ folders: rows });
  front.reset();
});

describe("filters", () => {
  // biome-ignore format: one case a line
  test.each<[where: object, expected: string, line: string]>([
    [{ name: "f7" }, "f7", "name=f7"],
    [{ name: { eq: "f7" } }, "f7", "name=f7"],
    [{ size: null, id: { lt: 3 } }, "f1 f2", "size__is_null=true&id__lt=3"],
    [{ size: { is_null: true, }, id: { lte: 2 } }, "f1 f2", "size__is_null=true&id__lte=2"],
    [{ size: { is_null: false }, id: { lt: 7 } }, "f6", "size__is_not_null=true&id__lt=7"],
    [{ size: { between: [6, 7] } }, "f7 f8", "size__between=[6,7]"],
    [{ name: { in: ["f1", "f,2", "f3"] } }, "f1 f3", 'name__in=["f1","f,2","f3"]'],
    [{ name: { like: "f3%", ne: "f3" } }, "f30", "name__like=f3%&name__ne=f3"],
    [{ name: "a&b=c d" }, "", "name=a&b=c d"],
  ])("%j", async (where, expected, line) => {
    expect(names(await folders.fetch({ where }))).toBe(expected);
    expect(sent()).toEqual([`GET /folders/fetch?${line}`]);
  });

  test("fields whose names are parameters", async () => {
    await service.store({
      words: [
        { id: 1, limit: 5 },
        { id: 2, limit: 6 },
      ],
    });
    expect(await client.words.fetch({ where: { limit: 6 }, select: ["id"] })).toEqual([{ id: 2 }]);
    expect(await client.words.count({ limit: 6 })).toBe(1);
  });

  test("of exact values and lists", async () => {
    await samples.create({ bigint: "9007199254740993", decimal: "1.50", strings: ["a,b", "c"] });
    await samples.create({ name: "other" });
    const where = {
      bigint: { in: ["9007199254740993"] },
      decimal: { gte: "1.5" },
      strings: { contains: ["a,b"] },
    };
    expect(await samples.fetch({ where, select: ["decimal"] })).toEqual([{ decimal: "1.50" }]);
  });

  const without: readonly object[] = [
    { name: undefined },
    { name: { like: undefined } },
    { name: { eq: "a", ne: undefined } },
    { name: { ne: null } },
    { name: {} },
    { name: new Date(0) },
  ];
  test.each(without)(
    "without a value are refused at once, because they would reach more rows: %j",
    (wrong) => {
      const where = { id: 1, ...wrong };
      const calls = [
        () => folders.fetch({ where }),
        () => folders.search("f", { where }),
        () => folders.count(where),
        () => folders.exists(where),
        () => folders.update({ where, data: { size: 1 } }),
        () => folders.delete({ where }),
        () => folders.destroy({ where }),
        () => client.books.restore({ where }),
      ];
      for (const call of calls) expect(call).toThrow(new TypeError("where.name has no value."));
      expect(() => folders.get(undefined)).toThrow(new TypeError("where.id has no value."));
      expect(front.lines()).toEqual([]);
    },
  );
});

test("order, selection, limit and a search term", async () => {
  const query = { orderBy: "-id", select: ["name", "id"], limit: 2 };
  expect(await folders.fetch(query)).toEqual([
    { name: "f30", id: 30 },
    { name: "f29", id: 29 },
  ]);
  expect(names(await folders.search("F2", { ...query, orderBy: "id" }))).toBe("f2 f20");
  expect(sent()).toEqual([
    "GET /folders/fetch?select_fields=name,id&order_by=id&order=DESC&limit=2",
    "GET /folders/search?select_fields=name,id&order_by=id&limit=2&search_term=F2",
  ]);
});

describe("a query is lazy", () => {
  test("its request goes out at the first await, once", async () => {
    const query = folders.fetch({ where: { id: 1 } });
    await Promise.resolve();
    expect(front.arrived).toEqual([]);
    expect(names(await query)).toBe("f1");
    expect(names(await query)).toBe("f1");
    expect(sent()).toEqual(["GET /folders/fetch?id=1"]);
  });

  test("result(), page() and iterations send a request each", async () => {
    const query = folders.fetch({ where: { id: 1 } });
    expect(await query.result()).toMatchObject({ ok: true, data: [{ id: 1 }] });
    expect((await query.page()).rows).toHaveLength(1);
    for await (const row of query) expect(row).toMatchObject({ id: 1 });
    for await (const page of query.pages()) expect(page.rows).toHaveLength(1);
    expect(sent()).toEqual([
      "GET /folders/fetch?id=1",
      "GET /folders/fetch?id=1&page__after=start",
      "GET /folders/fetch?id=1&limit=100&page__after=start",
      "GET /folders/fetch?id=1&limit=100&page__after=start",
    ]);
  });

  test("every other call goes out at once", async () => {
    const call = folders.count();
    await front.reached(1);
    expect(await call).toBe(30);
  });
});

describe("pages", () => {
  test("by offset", async () => {
    expect(await folders.fetch({ page: 2, limit: 10 }).page()).toEqual({
      rows: expect.objectContaining({ length: 10 }),
      ...{
        limit: 10,
        page: 2,
        offset: 10,
        total: 30,
        totalPages: 3,
        hasMore: true,
        next: null,
        previous: null,
      },
    });
    const page = await folders.fetch({ offset: 25, limit: 10, total: "none" }).page();
    expect(page).toEqual({
      rows: expect.objectContaining({ length: 5 }),
      limit: 10,
      page: 3,
      offset: 25,
      hasMore: false,
      next: null,
      previous: null,
    });
  });

  test("by cursor, forwards and back", async () => {
    const query = { limit: 10, orderBy: "-id", select: ["name"] };
    const first = await folders.fetch({ ...query, total: "exact" }).page();
    expect(first).toMatchObject({ limit: 10, hasMore: true, previous: null, total: 30 });
    const second = await folders.fetch({ ...query, after: first.next ?? "" }).page();
    expect(names(second.rows)).toBe("f20 f19 f18 f17 f16 f15 f14 f13 f12 f11");
    const back = await folders.fetch({ ...query, before: second.previous ?? "" }).page();
    expect(back.rows).toEqual(first.rows);
  });

  test("awaited rows take a cursor, and no total without a page", async () => {
    const { next } = await folders.fetch({ limit: 2 }).page();
    expect(names(await folders.fetch({ limit: 2, after: next ?? "" }))).toBe("f3 f4");
    expect(names(await folders.fetch({ limit: 2, total: "exact" }))).toBe("f1 f2");
  });
});

describe("iteration", () => {
  async function iterated(query: AsyncIterable<Row>, end = Number.POSITIVE_INFINITY) {
    const rows: Row[] = [];
    for await (const row of query) if (rows.push(row) === end) break;
    return names(rows);
  }
  const all = Array.from({ length: 30 }, (_, index) => `f${index + 1}`).join(" ");

  test("gives all rows, by pages of the limit", async () => {
    expect(await iterated(folders.fetch({ limit: 7 }))).toBe(all);
    expect(front.arrived).toHaveLength(5);
    // The model gives 12 rows at most.
    expect(await iterated(folders.fetch())).toBe(all);
    expect(await iterated(folders.search("f"))).toBe(all);
  });

  test("reads no further page after a break", async () => {
    expect(await iterated(folders.fetch({ limit: 2 }), 3)).toBe("f1 f2 f3");
    expect(front.arrived).toHaveLength(2);
  });

  test("begins behind a cursor", async () => {
    const { next } = await folders.fetch({ limit: 27, orderBy: "id" }).page();
    expect(await iterated(folders.fetch({ limit: 12, orderBy: "id", after: next ?? "" }))).toBe(
      all.slice(all.indexOf("f13")),
    );
  });

  test("goes back from the end, page by page", async () => {
    const pages: string[] = [];
    for await (const page of folders.fetch({ limit: 10, before: "end" }).pages())
      pages.push(names(page.rows));
    expect(pages.map((page) => page.split(" ")[0])).toEqual(["f21", "f11", "f1"]);
  });

  test.each([{ page: 1 }, { offset: 0 }])("takes no %j", async (query) => {
    await expect(iterated(folders.fetch(query))).rejects.toThrow(TypeError);
    expect(front.arrived).toEqual([]);
  });

  test("fails with the error of its page", async () => {
    const walk = iterated(folders.fetch({ where: { nothing: 1 } }));
    await expect(walk).rejects.toMatchObject({ error: "VALIDATION_ERROR", details: { field: "nothing" } });
  });
});

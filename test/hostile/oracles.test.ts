import { beforeEach, describe, expect, it, test } from "vitest";
import { dataOf, type Variables } from "../support/graphql.ts";
import { seven } from "../support/graphql-library.ts";
import { call, query, type Request, sender, token } from "../support/model-service.ts";
import { outcome } from "../support/scenarios.ts";
import { graphqlWorld } from "./support/graphql-world.ts";
import { startWorld } from "./support/models.ts";

/** Fields that clerks may not read: gated ones, and a password. A clerk may write `secret`. */
const unreadable = ["secret", "grade", "pin"];
// biome-ignore format: a list of values
const operators = [
  "", "__ne", "__gt", "__gte", "__lt", "__lte", "__like", "__ilike", "__in", "__not_in", "__between",
  "__is_null", "__is_not_null", "__nonsense",
];
const values = ["canary", "1", "", "[1,2]", "%"];

describe("what a role may not read cannot be found out", async () => {
  const clerk = token("clerk");
  const admin = token("admin");
  const world = await startWorld();

  beforeEach(async () => {
    await world.db.query("truncate papers restart identity");
    await world.db.query(`insert into papers (owner_id, title, code, secret, grade, pin, deleted_at) values
      (1, 'one', 'c1', 'canary', 1, 'hash', null), (1, 'two', 'c2', null, null, null, null), (1, 'gone', 'c3', 'canary', 2, null, now())`);
  });

  const send = sender(world, clerk);

  async function expectForbidden(field: string, request: Request): Promise<void> {
    const reply = await send(request);
    expect(reply.status, `${JSON.stringify(request)} ${reply.text}`).toBe(403);
    if (request.method === "HEAD") return;
    expect(reply.json).toMatchObject({ error: "PERMISSION_DENIED", details: { field } });
    expect(reply.text).not.toContain("canary");
  }

  describe.each(unreadable)("%s", (field) => {
    it("is forbidden in every filter, also where the filter is malformed or the row missing", async () => {
      const before = await world.db.query("select * from papers order by id");
      for (const operator of operators) {
        for (const value of values) {
          const filter = { [`${field}${operator}`]: value };
          for (const more of [{}, { id: "999" }, { nonsense: "1" }, { limit: "x" }]) {
            const path = `/papers/fetch${query({ ...filter, ...more })}`;
            await expectForbidden(field, { path });
          }
          for (const operation of ["search", "count", "exists"]) {
            await expectForbidden(field, { path: `/papers/${operation}${query(filter)}` });
          }
          await expectForbidden(field, call(`HEAD /papers/count${query(filter)}`));
          await expectForbidden(field, call("PUT /papers/update", { where: filter, data: { title: "b" } }));
          await expectForbidden(
            field,
            call("PATCH /papers/restore", { where: filter, data: { deleted_at: null } }),
          );
        }
      }
      expect(await world.db.query("select * from papers order by id")).toEqual(before);
    });

    it("is forbidden in order and selection, also next to readable fields", async () => {
      for (const operation of ["fetch", "search", "count", "exists"]) {
        await expectForbidden(field, { path: `/papers/${operation}${query({ id: "1", order_by: field })}` });
        await expectForbidden(field, {
          path: `/papers/${operation}${query({ id: "1", select_fields: `id,${field}` })}`,
        });
        await expectForbidden(field, {
          path: `/papers/${operation}${query({ id: "x", select_fields: JSON.stringify([field]) })}`,
        });
      }
    });

    it("is in no answer", async () => {
      const record = { owner_id: 1, title: "b", code: "new" };
      // biome-ignore format: one case a line
      const replies = [
        await send({ path: "/papers/fetch" }),
        await send({ path: "/papers/search" }),
        await send(call("POST /papers/create", { data: { ...record, secret: "canary" } })),
        await send(call("POST /papers/create", { data: [{ ...record, code: "x", secret: "canary" }] })),
        await send(call("PUT /papers/upsert", { data: { ...record, code: "c1" } })),
        await send(call("PUT /papers/update", { where: { id: 1 }, data: { secret: "canary 2" } })),
      ];
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      for (const { text } of replies) expect(text).not.toMatch(new RegExp(`canary|hash|"${field}"`));
    });
  });

  it("a search looks into no unreadable field", async () => {
    const found = await send({ path: "/papers/search?search_term=canary" });
    expect(found.json.data).toEqual([]);
    const seen = await send(call("GET /papers/search?search_term=canary", undefined, admin));
    expect(seen.json.data).toHaveLength(1);
  });

  it("a removal by an unreadable field is forbidden, in body and query string", async () => {
    const user = token("user", "1");
    for (const field of unreadable) {
      for (const operation of ["delete", "destroy"]) {
        for (const key of ["query", "where"]) {
          const body = { [key]: { [field]: "canary" } };
          await expectForbidden(field, call(`DELETE /papers/${operation}`, body, user));
        }
        await expectForbidden(field, call(`DELETE /papers/${operation}?${field}=x`, undefined, user));
        await expectForbidden(
          field,
          call(`DELETE /papers/${operation}?${field}=1&${field}=2`, undefined, user),
        );
      }
    }
  });

  it("a write to a field that the role may not write is forbidden before any other error", async () => {
    for (const data of [
      { mail: "a@b.example" },
      { mail: 7 },
      { mail: null, title: 7 },
      { grade: "x", nonsense: 1 },
    ]) {
      const field = Object.keys(data)[0] ?? "";
      await expectForbidden(field, call("POST /papers/create", { data }));
      await expectForbidden(field, call("PUT /papers/upsert", { data }));
      await expectForbidden(field, call("PUT /papers/update", { where: { id: 99 }, data }));
      await expectForbidden(field, call("PUT /papers/update", { where: { nonsense: 1 }, data }));
      await expectForbidden(field, call("PATCH /papers/restore", { where: { id: 3 }, data }));
    }
  });

  it("the report of a bulk request says no more than a single one", async () => {
    const records = [
      { owner_id: 1, title: "b", mail: "a@b.example" },
      { owner_id: 1, title: "b", code: "c1", secret: "canary" },
      { owner_id: 1, title: "b", grade: 1 },
      { owner_id: 1, title: "b", pin: "1234", secret: 7 },
      { owner_id: 1, title: "b", secret: "canary", code: "fresh" },
    ];
    const { json, text } = await send(call("POST /papers/create", { data: records }));
    expect(json.data.inserted_count).toBe(1);
    expect(
      json.data.failed_records.map(({ error, field }: Record<string, unknown>) => [error, field]),
    ).toEqual([
      ["PERMISSION_DENIED", "mail"],
      ["VALIDATION_ERROR", "code"],
      ["PERMISSION_DENIED", "grade"],
      ["VALIDATION_ERROR", "secret"],
    ]);
    expect(text).not.toContain("canary");
  });

  it("rows out of reach are the same as no rows, for reads", async () => {
    const other = token("user", "2");
    for (const path of ["/papers/fetch?id=1", "/papers/fetch?code=c1", "/papers/search?search_term=one"]) {
      expect((await send(call(`GET ${path}`, undefined, other))).json.data).toEqual([]);
    }
    const page = await send(call("GET /papers/fetch?page=1", undefined, other));
    expect(page.json.pagination?.["total"]).toBe(0);
    expect((await send(call("GET /papers/count?code=c1", undefined, other))).json.data).toEqual({ count: 0 });
    expect((await send(call("GET /papers/exists?id=1", undefined, other))).json.data).toEqual({
      exists: false,
    });
  });

  it("a filter on deleted_at brings no deleted row back", async () => {
    // biome-ignore format: many a line
    for (const filter of [
      "deleted_at__is_not_null=1", "deleted_at__gte=2000-01-01", "deleted_at__ne=2000-01-01", "deleted_at__not_in=[]", "deleted_at=x&deleted_at=y",
    ]) {
      const { json } = await send(call(`GET /papers/fetch?${filter}&select_fields=id`, undefined, admin));
      expect(json.data).toEqual([{ id: 1 }, { id: 2 }]);
      expect((await send(call(`GET /papers/count?${filter}`, undefined, admin))).json.data).toEqual({ count: 2,
      });
    }
  });

  it("no route leads to a model that is not mounted", async () => {
    for (const operation of ["fetch", "search", "count", "exists"]) {
      // biome-ignore format: a list of values
      for (const slug of [
        "vaults", "Vaults", "vaults%00", "%76aults", "papers/../vaults", "papers%2f..%2fvaults",
      ]) {
        const reply = await send(call(`GET /${slug}/${operation}`, undefined, admin));
        expect([400, 404]).toContain(reply.status);
      }
    }
  });
});

const { service, ask } = await graphqlWorld();

describe("what a role may not read cannot be found out", () => {
  /** Every place in which a field of a joined or counted model could be asked about. */
  // biome-ignore format: many a line
  const places = (root: string, join: string, field: string): string[] => [
    `{ ${root} { ${join} { ${field} } } }`, `{ ${root} { ${join} { x: ${field} } } }`, `{ ${root} { ${join}(${field}: { is_null: false }) { id } } }`,
    `{ ${root} { ${join}(${field}: null) { id } } }`, `{ ${root} { ${join}(${field}: 1, nothing: 1) { id } } }`,
    `{ ${root} { ${join}(orderBy: "${field}") { id } } }`, `{ ${root} { ${join}(orderBy: "-${field}") { id } } }`,
    `{ ${root} { ${join}(orderBy: ${field}__desc) { id } } }`, `{ ${root} { ... { ...F } } } fragment F on ${root} { ${join} { ${field} } }`,
  ];

  test.each([
    ...places("authors", "books", "note"),
    ...places("books", "chapters", "book { note }").slice(0, 2),
    ...places("chapters", "book", "note").slice(0, 2),
    ...places("books", "author", "salary").slice(0, 2),
    ...places("books", "vault", "combination").slice(0, 2),
    ...places("books", "reader", "points").slice(0, 2),
    "{ books { vault { items(note: null) { id } } } }",
    '{ books { vault { items(orderBy: "-note") { id } } } }',
    "{ books { author { books { author { salary } } } } }",
  ])("%s", async (query) => {
    const reply = await ask(query, seven);
    expect(outcome(reply), reply.text).toMatch("403 PERMISSION_DENIED");
    expect(reply.text).not.toMatch(/hidden gem|"10"|"123"/);
  });

  // biome-ignore format: one case a line
  test.each([
    ["query ($f: IntFilter) { sales_aggregate(cost: $f) { count } }", { f: { gt: 80 } }],
    ["query ($g: [SalesOrderBy!]) { sales_aggregate(groupBy: $g) { count } }", { g: ["cost"] }],
    ["query ($g: String) { sales_aggregate(groupBy: [region, $g]) { count } }", { g: "cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "-max_cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "avg_cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "cost" }],
    ["{ sales_aggregate { min_cost } }", {}],
    ["{ sales_aggregate { ...F } } fragment F on sales_aggregate { sum { cost } }", {}],
    ["query ($o: String) { books(orderBy: $o) { id } }", { o: "note" }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", { f: { like: "hidden" } }],
    ["query ($w: BooksWhere) { a: __typename books(note: $w) { id } }", { w: { like: "h" } }],
    ["mutation ($w: BooksWhere!) { deleteBooks(where: $w) { id } }", { w: { note: { like: "hidden" } } }],
    ["mutation ($w: BooksWhere!) { updateBooks(where: $w, input: { pages: 1 }) { id } }", { w: { id: 1, note: null } }],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { id note } }", {}],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { id author { salary } } }", {}],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { vault { combination } } }", {}],
    ["mutation { deleteBooks(ids: [1]) { note } }", {}],
    ["mutation { deleteBooks(ids: [1]) { author { books(note: null) { id } } } }", {}],
  ] as const)("%s %j", async (query, variables) => {
    expect(outcome(await ask(query, seven, variables))).toMatch("403 PERMISSION_DENIED");
    const [book] = await service.query("SELECT pages, deleted_at FROM books WHERE id = 1");
    expect(book).toEqual({ pages: 100, deleted_at: null });
  });

  // biome-ignore format: one case a line
  test.each<[query: string, harmless: Variables, harmful: Variables]>([
    ["query ($f: IntFilter) { sales_aggregate(cost: $f) { count } }", {}, { f: { gt: 80 } }],
    ["query ($f: Int) { sales_aggregate(cost: { gt: $f }) { count } }", {}, { f: 80 }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", {}, { f: { like: "h" } }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", {}, { f: null }],
    ["query ($f: StringFilter) { authors { books(note: $f) { id } } }", {}, { f: "hidden gem" }],
    ["query ($o: String) { books(orderBy: $o) { id } }", {}, { o: "note" }],
    ["query ($o: String) { books(orderBy: $o) { id } }", { o: "title" }, { o: "-note" }],
    ["query ($o: BooksOrderBy) { authors { books(orderBy: $o) { id } } }", { o: "id" }, { o: "note__desc" }],
    ["query ($g: [SalesOrderBy!]) { sales_aggregate(groupBy: $g) { count } }", { g: ["region"] }, { g: ["cost"] }],
    ["query ($g: [SalesOrderBy!]) { sales_aggregate(groupBy: $g) { count } }", {}, { g: ["region", "cost"] }],
    ["query ($o: String) { sales_aggregate(orderBy: $o) { count } }", { o: "count" }, { o: "min_cost" }],
    ["query ($i: Boolean!) { books { id note @include(if: $i) } }", { i: false }, { i: true }],
    ["query ($i: Boolean!) { books { author { id salary @skip(if: $i) } } }", { i: true }, { i: false }],
    ["query ($i: Boolean!) { id: __typename tasks: docs @skip(if: $i) { id } sales @include(if: $i) { id } }", { i: false }, { i: true }],
    ["query ($s: String) { sales(search: $s) { id } }", { s: "north" }, {}],
    ["query ($s: String) { chapters(search: $s) { id } }", {}, { s: "A" }],
    ["mutation ($w: BooksWhere!) { updateBooks(where: $w, input: { pages: 100 }) { id } }", { w: { id: 1 } }, { w: { id: 1, note: null } }],
    ["mutation ($i: AuthorsUpdate!) { updateAuthors(where: { id: 1 }, input: $i) { id } }", { i: { name: "Ann" } }, { i: { user: 8 } }],
  ])("one text, harmless values before and after: %s", async (query, harmless, harmful) => {
    expect(outcome(await ask(query, seven, harmless))).toBe("200");
    expect(outcome(await ask(query, seven, harmful))).toMatch("403 PERMISSION_DENIED");
    expect(outcome(await ask(query, seven, harmless))).toBe("200");
    expect(outcome(await ask(query, seven, harmful))).toMatch("403 PERMISSION_DENIED");
  });

  test("deleted and unreachable rows come by no way of the joins", async () => {
    const seen = await ask(
      `{ books { author { books(deleted_at: { is_null: false }) { title } } publisher_id { name } vault { name items { title } } }
         authors { books(deleted_at: { neq: null }, draft: true) { title } edited { title author { name } } profile { bio } } }`,
      { role: "user", sub: "99" },
    );
    expect(outcome(seen)).toBe("200");
    expect(seen.text).not.toMatch(/Gone|Delta|Cleo|Bob|gone|south|Epsilon/);
  });

  test("an aggregate counts the rows that a search returns", async () => {
    const counts = await dataOf(
      service,
      "{ all: sales_aggregate { count } groups: sales_aggregate(groupBy: user) { count } theirs: sales_aggregate(user: 8) { count } max: sales_aggregate { max { amount } } }",
      seven,
    );
    expect(counts).toEqual({
      all: [{ count: 1 }],
      groups: [{ user: 7, count: 1 }],
      theirs: [{ count: 0 }],
      max: [{ max_amount: 1 }],
    });
  });
});

import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { requestOf } from "../../support/request.ts";
import { existingTables } from "./existing-tables.ts";

const rows = `
  INSERT INTO sales."Customer" (customer_id, "Customer Name", "MOOD", "short code", inserted_at, removed_at) VALUES
    (1, 'Ann', 'ok', 'a', '2026-01-02 03:04:05.678901', NULL), (2, 'Ben', 'sad', 'b', NULL, NULL),
    (3, 'Cid', 'ok', 'c', NULL, '2026-02-03');
  INSERT INTO orders (id, "customerId", "Note", changed) VALUES
    (9007199254740993, 1, 'first', '2026-01-01'), (9007199254740995, 2, NULL, '2026-01-01');
  INSERT INTO sales.lines VALUES (9007199254740995, 1, 'pen'), (9007199254740993, 2, 'ink'), (9007199254740993, 1, 'pad');
  INSERT INTO countries VALUES ('NZ', 'New Zealand');
  INSERT INTO films VALUES (7, 'Lost', 'NZ');
  INSERT INTO profiles VALUES (1, 'about Ann', '2026-01-01');`;

type Body = { readonly [key: string]: Json };

/** Each call has the tables for itself. */
async function withRows() {
  const service = await existingTables(rows);
  const send = (line: string, body?: Body) => service.send(requestOf(line, body));
  return {
    service,
    send,
    /** Data of an answer, or the status and field of an error. */
    async ask(line: string, body?: Body): Promise<Json> {
      const { status, envelope } = await send(line, body);
      return status === 200 ? envelope.data : { status, ...(envelope.details ?? {}) };
    },
    async graphql(query: string): Promise<Json> {
      const { status, envelope } = await send("POST /graphql", { query });
      return status === 200 ? envelope.data : { status, message: envelope.message };
    },
  };
}

const ann = {
  id: 1,
  name: "Ann",
  mood: "ok",
  credit: "12.35",
  name_length: 3,
  code: "a",
  created_at: "2026-01-02T03:04:05.678901Z",
};

describe("other names in another schema", () => {
  test("are read by filters, orders and joins", async () => {
    const { ask, graphql } = await withRows();
    expect(
      await ask("GET /customers/fetch?name__like=n&order_by=mood&order=DESC&created_at__is_not_null=true"),
    ).toEqual([{ ...ann, deleted_at: null }]);
    expect(await ask("GET /customers/search?search_term=BE&select_fields=id,created_at")).toEqual([
      { id: 2, created_at: null },
    ]);
    expect(
      await ask("GET /customers/fetch?created_at=2026-01-02T03:04:05.678901Z&select_fields=name"),
    ).toEqual([{ name: "Ann" }]);
    expect(
      await graphql("{ customers(orderBy: name__desc) { id code orders { id note updated_at } } }"),
    ).toEqual({
      customers: [
        {
          id: 2,
          code: "b",
          orders: [{ id: "9007199254740995", note: null, updated_at: "2026-01-01T00:00:00.000000Z" }],
        },
        {
          id: 1,
          code: "a",
          orders: [{ id: "9007199254740993", note: "first", updated_at: "2026-01-01T00:00:00.000000Z" }],
        },
      ],
    });
    expect(
      await graphql(
        '{ customers_page(limit: 1, after: "start", orderBy: created_at) { rows { id } has_more } }',
      ),
    ).toEqual({
      customers_page: { rows: [{ id: 1 }], has_more: true },
    });
  });

  test("are written, and the server sets only the times that it should", async () => {
    const { ask, service } = await withRows();
    const created = await ask("POST /customers/create", { data: { name: "Dee", mood: "happy" } });
    expect(created).toMatchObject({
      id: 1000,
      credit: "12.35",
      name_length: 3,
      code: null,
      created_at: expect.any(String),
    });
    expect(
      await ask("PUT /customers/update", { where: { id: 1 }, data: { mood: "sad", credit: "1.5" } }),
    ).toEqual({
      updated_count: 1,
      updated_ids: [1],
    });
    expect(await ask("PUT /customers/upsert", { data: { code: "b", name: "Benny", mood: "happy" } })).toEqual(
      { id: 2 },
    );
    expect(await ask("DELETE /customers/delete", { ids: [1, 2] })).toMatchObject({ deleted_ids: [1, 2] });
    expect(
      await ask("PATCH /customers/restore", { where: { id: 1 }, data: { deleted_at: null, name: "Anna" } }),
    ).toMatchObject({
      restored_ids: [1],
    });
    const stored =
      await service.query(`SELECT customer_id AS id, "Customer Name" AS name, "MOOD" AS mood, credit, removed_at IS NULL AS live
      FROM sales."Customer" ORDER BY 1`);
    expect(stored.slice(0, 2)).toEqual([
      { id: 1, name: "Anna", mood: "sad", credit: "1.50", live: true },
      { id: 2, name: "Benny", mood: "happy", credit: "12.35", live: false },
    ]);
  });

  test("a missing column is not a field", async () => {
    const { ask, graphql } = await withRows();
    expect(await ask("GET /customers/fetch?order_by=updated_at")).toMatchObject({
      status: 400,
      field: "order_by",
    });
    expect(await ask("GET /customers/fetch?updated_at=2026-01-01")).toMatchObject({
      status: 400,
      field: "updated_at",
    });
    expect(await ask("GET /customers/fetch?select_fields=updated_at")).toMatchObject({
      status: 400,
      field: "select_fields",
    });
    expect(await graphql("{ customers { updated_at } }")).toMatchObject({ status: 400 });
  });

  test("a generated field is closed", async () => {
    const { ask, graphql } = await withRows();
    const data = { name: "Eve", mood: "ok", name_length: 3 };
    expect(await ask("POST /customers/create", { data })).toEqual({ status: 403, field: "name_length" });
    expect(await ask("PUT /customers/update", { where: { id: 1 }, data: { name_length: 3 } })).toEqual({
      status: 403,
      field: "name_length",
    });
    expect(
      await graphql('mutation { createCustomers(input: { name: "E", mood: ok, name_length: 1 }) { id } }'),
    ).toMatchObject({ status: 403 });
  });

  test("one record of many has a default of the database", async () => {
    const { ask, service } = await withRows();
    const data = [
      { name: "F", mood: "ok" },
      { name: "G", mood: "ok", credit: "3" },
      { name: "H", mood: "bad" },
    ];
    expect(await ask("POST /customers/create", { data })).toMatchObject({
      inserted_ids: [1000, 1001],
      failed_count: 1,
    });
    expect(
      await service.query('SELECT credit FROM sales."Customer" WHERE customer_id >= 1000 ORDER BY 1'),
    ).toEqual([{ credit: "3.00" }, { credit: "12.35" }]);
  });
});

describe("ids", () => {
  test("of 64 bits are exact texts", async () => {
    const { ask, graphql } = await withRows();
    const id = "9007199254740993";
    expect(await ask(`GET /orders/fetch?id=${id}&select_fields=id,customer_id`)).toEqual([
      { id, customer_id: 1 },
    ]);
    expect(await ask("PUT /orders/update", { data: [{ id, note: "x" }] })).toMatchObject({
      updated_ids: [id],
    });
    expect(await ask("PUT /orders/upsert", { data: { id, customer_id: 2 } })).toEqual({ id });
    expect(await ask("POST /orders/create", { data: { customer_id: 2 } })).toMatchObject({
      id: "1",
      customer_id: 2,
      note: null,
    });
    expect(await ask("POST /orders/create", { data: { id: "5", customer_id: 2 } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(
      await graphql(
        `{ orders(id: "${id}") { id customer { id } } order_lines(order_id: ${id}) { line order { id } } }`,
      ),
    ).toEqual({
      orders: [{ id, customer: { id: 2 } }],
      order_lines: [
        { line: 1, order: { id } },
        { line: 2, order: { id } },
      ],
    });
    expect(await graphql(`mutation { deleteOrders(ids: ["1", 77]) { id } }`)).toMatchObject({ status: 404 });
    expect(await ask("DELETE /orders/destroy", { ids: ["1"] })).toEqual({
      destroyed_count: 1,
      destroyed_ids: ["1"],
    });
  });

  test("that are texts are sent by the caller", async () => {
    const { ask, graphql } = await withRows();
    expect(await ask("POST /countries/create", { data: { id: "AU", name: "Australia" } })).toEqual({
      id: "AU",
      name: "Australia",
    });
    expect(await ask("POST /countries/create", { data: { name: "Nowhere" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(await ask("POST /countries/create", { data: { id: "", name: "x" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(await ask("POST /countries/create", { data: { id: "ABCD", name: "x" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(await ask("POST /countries/create", { data: { id: "NZ", name: "x" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(
      await ask("POST /countries/create", {
        data: [
          { id: "FJ", name: "Fiji" },
          { id: "NZ", name: "x" },
        ],
      }),
    ).toMatchObject({
      inserted_ids: ["FJ"],
      failed_count: 1,
    });
    expect(await ask("PUT /countries/upsert", { data: { id: "NZ", name: "Aotearoa" } })).toEqual({
      id: "NZ",
    });
    expect(await ask("PUT /countries/upsert", { data: { id: "TO", name: "Tonga" } })).toEqual({ id: "TO" });
    expect(await ask("PUT /countries/update", { where: { id: "NZ" }, data: { id: "XX" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(
      await graphql('mutation { createCountries(input: { id: "WS", name: "Samoa" }) { id name } }'),
    ).toEqual({
      createCountries: { id: "WS", name: "Samoa" },
    });
    expect(await graphql("{ films { id country { id name } } }")).toEqual({
      films: [{ id: 7, country: { id: "NZ", name: "Aotearoa" } }],
    });
    expect(await ask("DELETE /countries/delete", { ids: ["WS", "TO"] })).toMatchObject({
      deleted_ids: ["TO", "WS"],
    });
  });

  test("are all that an upsert sends", async () => {
    const { ask } = await withRows();
    for (const _ of ["new", "there"])
      expect(await ask("PUT /tags/upsert", { data: { id: "a" } })).toEqual({ id: "a" });
  });

  test("without identity are sent by the caller", async () => {
    const { ask, graphql } = await withRows();
    expect(await ask("POST /films/create", { data: { id: 8, title: "Found", country: "NZ" } })).toEqual({
      id: 8,
      title: "Found",
      country: "NZ",
    });
    expect(await ask("POST /films/create", { data: { title: "Found" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(await ask("POST /films/create", { data: { id: 2 ** 31, title: "x" } })).toMatchObject({
      status: 400,
      field: "id",
    });
    expect(await ask("PUT /films/upsert", { data: { id: 9, title: "New" } })).toEqual({ id: 9 });
    expect(await ask("PUT /films/upsert", { data: { id: 9, title: "Old" } })).toEqual({ id: 9 });
    expect(await graphql("{ films(id: { gte: 8 }, orderBy: id__desc) { id title } }")).toEqual({
      films: [
        { id: 9, title: "Old" },
        { id: 8, title: "Found" },
      ],
    });
  });

  test("can be a foreign key, which is sent on create and never changed", async () => {
    const { ask, graphql } = await withRows();
    expect(await ask("POST /profiles/create", { data: { customer: 2, about: "Ben" } })).toMatchObject({
      id: 2,
      customer: 2,
      about: "Ben",
    });
    expect(await ask("POST /profiles/create", { data: { about: "x" } })).toMatchObject({
      status: 400,
      field: "customer",
    });
    expect(await ask("POST /profiles/create", { data: { customer: 1 } })).toMatchObject({
      status: 400,
      field: "customer",
    });
    expect(await ask("POST /profiles/create", { data: { customer: 99 } })).toMatchObject({
      status: 400,
      field: "customer",
    });
    expect(await ask("PUT /profiles/update", { where: { id: 1 }, data: { customer: 3 } })).toMatchObject({
      status: 400,
      field: "customer",
    });
    expect(await ask("PUT /profiles/update", { data: [{ id: 1, about: "y" }] })).toMatchObject({
      updated_ids: [1],
    });
    expect(await ask("PUT /profiles/upsert", { data: { customer: 2, about: "z" } })).toEqual({ id: 2 });
    expect(await graphql("{ profiles { id customer { name } about } }")).toEqual({
      profiles: [
        { id: 1, customer: { name: "Ann" }, about: "y" },
        { id: 2, customer: { name: "Ben" }, about: "z" },
      ],
    });
  });
});

describe("rows without an id", () => {
  const lines = [
    { order_id: "9007199254740993", line: 1, product: "pad" },
    { order_id: "9007199254740993", line: 2, product: "ink" },
    { order_id: "9007199254740995", line: 1, product: "pen" },
  ];

  test("have the order of their key", async () => {
    const { ask, send, graphql } = await withRows();
    expect(await ask("GET /order_lines/fetch")).toEqual(lines);
    expect(await ask("GET /order_lines/fetch?order=DESC")).toEqual([...lines].reverse());
    expect(await ask("GET /order_lines/fetch?order_by=line&order=DESC")).toEqual([
      lines[1],
      lines[2],
      lines[0],
    ]);
    const { envelope } = await send("GET /order_lines/fetch?page=2&limit=2");
    expect(envelope).toMatchObject({
      data: [lines[2]],
      pagination: { total: 3, total_pages: 2, has_more: false },
    });
    const empty = await send("GET /order_lines/fetch?page=3&limit=2");
    expect(empty.envelope).toMatchObject({ data: [], pagination: { total: 3 } });
    expect(await graphql("{ order_lines(limit: 2) { line product order { customer { name } } } }")).toEqual({
      order_lines: [
        { line: 1, product: "pad", order: { customer: { name: "Ann" } } },
        { line: 2, product: "ink", order: { customer: { name: "Ann" } } },
      ],
    });
  });

  test("without a key have the order of all fields", async () => {
    const { ask, graphql } = await withRows();
    expect(await ask("GET /sales_by_mood/fetch")).toEqual([
      { mood: "ok", customers: "1" },
      { mood: "sad", customers: "1" },
    ]);
    expect(await ask("GET /sales_by_mood/count?mood=ok")).toEqual({ count: 1 });
    expect(await ask("GET /sales_by_mood/exists?customers=2")).toEqual({ exists: false });
    expect(await graphql("{ sales_by_mood { mood } sales_by_mood_aggregate { count } }")).toEqual({
      sales_by_mood: [{ mood: "ok" }, { mood: "sad" }],
      sales_by_mood_aggregate: [{ count: 2 }],
    });
  });

  // biome-ignore format: one case a line
  test.each([
    ["GET /order_lines/fetch?id=1", "id"],
    ["GET /order_lines/fetch?order_by=id", "order_by"],
    ["GET /order_lines/fetch?select_fields=id", "select_fields"],
    ["GET /order_lines/fetch?page__after=start", "page__after"],
    ["GET /order_lines/fetch?page__before=end", "page__before"],
  ])("%s is 400", async (line, field) => {
    const { ask } = await withRows();
    expect(await ask(line)).toMatchObject({ status: 400, field });
  });

  test("GraphQL has neither their ids nor pages by cursor", async () => {
    const { graphql } = await withRows();
    expect(await graphql("{ order_lines { id } }")).toMatchObject({ status: 400 });
    expect(await graphql("{ order_lines(id: 1) { line } }")).toMatchObject({ status: 400 });
    expect(await graphql("{ order_lines_page { rows { line } } }")).toMatchObject({ status: 404 });
  });
});

// biome-ignore format: one case a line
test.each(["order_lines", "sales_by_mood"])("%s can only be read", async (slug) => {
  const { ask, graphql } = await withRows();
  const name = slug === "order_lines" ? "OrderLines" : "SalesByMood";
  for (const line of ["POST create", "PUT update", "PUT upsert", "DELETE delete", "DELETE destroy", "PATCH restore"]) {
    const [method = "", operation = ""] = line.split(" ");
    expect(await ask(`${method} /${slug}/${operation}`, { data: {}, where: {} }), line).toMatchObject({ status: 404 });
  }
  for (const verb of ["create", "update", "upsert", "delete", "destroy", "restore"])
    expect(await graphql(`mutation { ${verb}${name}(input: {}, where: {}) { __typename } }`), verb).toMatchObject({ status: 404 });
});

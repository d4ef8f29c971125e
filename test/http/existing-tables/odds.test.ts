import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { requestOf } from "../../support/request.ts";
import { existingTables } from "./existing-tables.ts";

const rows = `
  INSERT INTO sales."Customer" (customer_id, "Customer Name", "MOOD") VALUES (1, 'Ann', 'ok'), (2, 'Ben', 'sad');
  INSERT INTO orders (id, "customerId", changed) VALUES (1, 1, '2026-01-01'), (2, 1, '2026-01-01');
  INSERT INTO samples (id, date_any) VALUES (1, '0044-03-15 BC');
  INSERT INTO reviews (id, customer_no, sample_id, name, until) VALUES (1, 1, 1, 'first', 'infinity');`;

type Body = { readonly [key: string]: Json };

async function withRows() {
  const service = await existingTables(rows);
  const send = (line: string, body?: Body) => service.send(requestOf(line, body));
  const graphql = async (query: string): Promise<Json> => {
    const { status, envelope } = await send("POST /graphql", { query });
    return status === 200 ? envelope.data : { status, message: envelope.message };
  };
  return { service, send, graphql };
}

test("a rule over a relation to a view locks no row of the view", async () => {
  const { send } = await withRows();
  const status = async (line: string, body: Body) => (await send(line, body)).status;
  expect(await status("POST /reviews/create", { data: { customer: 1 } })).toBe(200);
  expect(await status("POST /reviews/create", { data: { customer: 2 } })).toBe(403);
  expect(await status("PUT /reviews/update", { where: { id: 1 }, data: { stars: 5 } })).toBe(200);
  const many = await send("POST /reviews/create", { data: [{ customer: 2 }, { customer: 1, stars: 1 }] });
  expect(many.envelope.data).toMatchObject({ inserted_count: 1, failed_records: [{ index: 0 }] });
});

test("many records leave different fields to the database in one statement", async () => {
  const { service, send } = await withRows();
  const data: Body[] = [
    { customer: 1, name: "a" },
    { customer: 1, name: "b", code: "x" },
    { customer: 1, name: "c", stars: 1 },
    { customer: 1, name: "first" },
    { customer: 1, name: "d", code: "y", stars: 2 },
  ];
  const { envelope } = await send("POST /reviews/create", { data });
  expect(envelope.data).toMatchObject({
    inserted_count: 4,
    failed_records: [{ index: 3, field: "name" }],
  });
  const ids = (envelope.data as { inserted_ids: number[] }).inserted_ids;
  expect(
    await service.query("SELECT id, name, code, stars FROM reviews WHERE id >= 1000 ORDER BY id"),
  ).toEqual([
    { id: ids[0], name: "a", code: "code", stars: 3 },
    { id: ids[1], name: "b", code: "x", stars: 3 },
    { id: ids[2], name: "c", code: "code", stars: 1 },
    { id: ids[3], name: "d", code: "y", stars: 2 },
  ]);
});

test("a value out of range stays through an upsert, and is null over relations", async () => {
  const { service, send, graphql } = await withRows();
  const upserted = await send("PUT /reviews/upsert", { data: { name: "first", customer: 1, stars: 4 } });
  expect([upserted.status, upserted.envelope.data]).toEqual([200, { id: 1 }]);
  expect(await service.query("SELECT until::text, stars FROM reviews WHERE id = 1")).toEqual([
    { until: "infinity", stars: 4 },
  ]);
  expect(await graphql("{ reviews { until sample { date_any } } }")).toEqual({
    reviews: [{ until: null, sample: { date_any: null } }],
  });
  const inserted = await send("PUT /reviews/upsert", {
    data: { name: "new", customer: 1, until: "2026-01-01" },
  });
  expect(inserted.status).toBe(200);
  expect(await graphql('{ reviews(until: "2026-01-01") { name code } }')).toEqual({
    reviews: [{ name: "new", code: "code" }],
  });
});

describe("types that PostgreSQL prints", () => {
  test("GraphQL offers only equality", async () => {
    const schema = readFileSync(join(import.meta.dirname, "app/generated/graphql/schema.graphql"), "utf8");
    for (const type of ["inet", "cidr", "macaddr", "ltree", "xml", "money", "interval", "tsvector"]) {
      expect(schema).toContain(`${type}_any: EnumFilter`);
      expect(schema).not.toMatch(new RegExp(`min_${type}_any|${type}_any: StringFilter`));
    }
    const { graphql } = await withRows();
    expect(await graphql("query ($one: EnumFilter) { samples(inet_any: $one) { id } }")).toEqual({
      samples: [{ id: 1 }],
    });
    expect(await graphql("{ samples_aggregate { max { inet_any } } }")).toMatchObject({ status: 400 });
  });

  const unreadable = "does not fit its column";
  const coarse =
    "must have at most 6 digits of a second after the point, and no fractions of years or microseconds";
  // biome-ignore format: one case a line
  test.each<readonly [field: string, value: Json, message: string]>([
    ["inet_any", "10.0.0", unreadable], ["cidr_any", "10.0.0.1/8", unreadable], ["macaddr_any", "08:00", unreadable],
    ["ltree_any", "a..b", unreadable], ["xml_any", "<a>", unreadable], ["money_any", "one", unreadable],
    ["interval_any", "one day or so", unreadable], ["interval_any", "999999999999 years", unreadable], ["real_any", 1e-50, unreadable],
    ["money_any", "$1.239", "must have at most 2 digits after the point"],
    ["interval_any", "1.0000001 seconds", coarse], ["interval_any", "1.5 us", coarse], ["interval_any", "0.0005 ms", coarse],
    ["interval_any", "1.3 years", coarse], ["interval_any", "PT0.1234567S", coarse],
  ])("%s cannot be %j", async (field, value, message) => {
    const { send } = await withRows();
    const outcome = async (line: string, body?: Body) => {
      const { status, envelope } = await send(line, body);
      return [status, envelope.details?.["field"], envelope.message];
    };
    const refused = [400, field, expect.stringContaining(message)];
    // Another field of the same type, and one whose value is a part of the message.
    const data = { [field]: value, varchar_any: "invalid input" };
    expect(await outcome("POST /samples/create", { data })).toEqual(refused);
    expect(await outcome("PUT /samples/update", { where: { id: 1 }, data })).toEqual(refused);
    const many = await send("POST /samples/create", { data: [{}, data, { varchar_any: "x" }].slice(1) });
    expect(many.envelope.data).toMatchObject({ inserted_count: 1, failed_records: [{ index: 0, field }] });
    if (typeof value === "string" && message === unreadable)
      expect(await outcome(`GET /samples/fetch?${field}=${encodeURIComponent(value)}`)).toEqual(field === "xml_any" ? [200, undefined, expect.any(String)] : refused);
  });

  // biome-ignore format: one case a line
  test.each<readonly [field: string, value: string, answered: string]>([["money_any", "$1.230", "$1.23"], ["interval_any", "0.5 ms", "00:00:00.0005"], ["interval_any", "1.5 days", "1 day 12:00:00"], ["interval_any", "2 millennia", "2000 years"]])(
    "%s can be %s", async (field, value, answered) => {
      const { send } = await withRows();
      const { envelope } = await send("POST /samples/create", { data: { [field]: value } });
      expect(envelope.data).toMatchObject({ [field]: answered });
    });
});

test("a generated field is no decision about who reads the others", () => {
  const matrix = readFileSync(join(import.meta.dirname, "app/generated/access-matrix.txt"), "utf8");
  expect(/^customers\n(?: .*\n)*/m.exec(matrix)?.[0]).toMatchInlineSnapshot(`
    "customers
      fetch, count, exists, create, update, delete, destroy, restore  *: all rows
      search                           as fetch
      upsert                           as create and update
      denied to all                    –
      reads
        *                              all
      writes
        *                              all but name_length
    "
  `);
});

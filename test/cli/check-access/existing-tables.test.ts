import { expect, inject, test } from "vitest";
import type { AccessReport } from "#cli/check-access/access-report";
import { cellName } from "#cli/check-access/print-report";
import { copyOf, type Project, project } from "../../generator/support/project.ts";
import { kirak } from "../support/kirak.ts";

const everyone = (condition: string) => ({ $all: [{ role: "user", condition }, { role: "staff" }] });
const untimed = { created_at: null, updated_at: null };
const to = (model: string) => ({ type: "belongs_to", relationship: { model } });

/** Other names and types, another schema, and every way to get an id. */
const models = {
  $conditions: { hers: { on: "customers", condition: "owner_id = {user_id}" } },
  customers: {
    ...{ table: "Customer", schema_name: "legacy", soft_delete: true },
    columns: {
      id: "customer id",
      created_at: { column: "made", db_type: "timestamp(0)" },
      updated_at: null,
      deleted_at: { column: "removed", db_type: "timestamp(6)" },
    },
    fields: {
      name: {
        type: "string",
        column: "Customer Name",
        db_type: "varchar(20)",
        required: true,
        searchable: true,
      },
      mood: { type: "string", column: "MOOD", db_type: "legacy.mood", enum: ["sad", "ok"], required: true },
      credit: { type: "decimal", db_type: "numeric(6,2)", required: true, default: { sql: true } },
      code: { type: "string", column: "short code", db_type: "char(6)", unique: true },
      address: { type: "text", db_type: "inet" },
      seen: { type: "datetime", db_type: "timestamp" },
      level: { type: "integer", db_type: "smallint" },
      score: { type: "float", db_type: "real", out_of_range: "null" },
      rank: { type: "integer", generated: true },
      tags: { type: "string[]", column: "Tags", db_type: "varchar(5)[]" },
      owner_id: { ...to("users"), column: "Owner" },
      orders: { type: "has_many", relationship: { model: "orders", foreign_key: "customer_id" } },
    },
    access: {
      fetch: [{ role: "user", condition: "hers() OR (mood = 'ok' AND level > 5)" }, { role: "staff" }],
      search: "as fetch",
      create: [{ role: "user", condition: "owner_id = {user_id} AND mood <> 'sad'" }, { role: "staff" }],
      update: [{ role: "staff", condition: "seen > now() - interval '1 day' AND code IS NOT NULL" }],
      upsert: [{ role: "user", condition: "owner_id = {user_id}" }],
      delete: [{ role: "user", condition: "hers() AND credit < 100" }],
      destroy: [{ role: "staff", condition: "tags CONTAINS 'old'" }],
      restore: [{ role: "user", condition: "hers() AND address = '10.0.0.1'" }],
      fields: {
        address: { read: ["staff"], write: ["staff"] },
        score: { read: ["staff"] },
        created_at: { read: ["staff"] },
      },
    },
  },
  orders: {
    ...{ id_type: "bigint", schema_name: "legacy" },
    columns: { created_at: null, updated_at: { column: "changed", db_type: "timestamptz" } },
    fields: {
      customer_id: { ...to("customers"), column: "Customer", required: true },
      note: { type: "text", column: "Note", searchable: true },
      placed_by: { ...to("users"), column: "by", preset: "{user_id}" },
    },
    access: everyone("hers(customer)"),
  },
  order_lines: {
    ...{ table: "Lines", schema_name: "legacy", read_only: true, key: ["order_id", "line"] },
    columns: { id: null, ...untimed },
    fields: {
      order_id: { ...to("orders"), column: "Order", required: true },
      line: { type: "integer", column: "no", db_type: "smallint", required: true },
      product: { type: "string", db_type: "varchar(40)", searchable: true },
      cost: { type: "decimal", db_type: "numeric(8,2)" },
    },
    access: {
      ...everyone("hers(order.customer) AND product <> 'secret'"),
      fields: { cost: { read: ["staff"] } },
    },
  },
  countries: {
    id_type: "string",
    columns: { id: { column: "iso", db_type: "char(5)" }, ...untimed },
    fields: { name: { type: "text", column: "label", required: true } },
    access: {
      fetch: [{ role: "*" }],
      create: [{ role: "user", condition: "id LIKE 'x%'" }, { role: "staff" }],
      upsert: [{ role: "staff", condition: "name <> 'closed'" }],
    },
  },
  films: {
    columns: { id: { column: "film_no", db_type: "smallint", generated: false }, ...untimed },
    fields: {
      title: { type: "text", required: true },
      country: { ...to("countries"), column: "country_iso" },
    },
    access: everyone("country.name = 'open'"),
  },
  profiles: {
    columns: { id: "customer", created_at: null, updated_at: "touched" },
    fields: { customer: { ...to("customers"), required: true }, about: { type: "text" } },
    access: everyone("hers(customer) AND about IS NOT NULL"),
  },
  // An upsert can send nothing but the id.
  marks: {
    columns: untimed,
    fields: { label: { type: "string" } },
    access: { fetch: [{ role: "user" }], upsert: [{ role: "user" }] },
  },
  sales: {
    ...{ view: true, schema_name: "legacy", key: ["mood"] },
    columns: { id: null, ...untimed },
    fields: { mood: { type: "text" } },
    access: { $all: [{ role: "staff" }] },
  },
};

const variables = { SERVICE_TEST_DATABASE_URL: inject("postgresUrl") };

async function report({ root }: Project, ...words: string[]): Promise<AccessReport> {
  const { stdout, stderr } = await kirak(root, ["check-access", "--json", ...words], variables);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const app = project(models);
expect((await app.generate()).exitCode).toBe(0);

test("models of existing tables are asked about, except views", { timeout: 240_000 }, async () => {
  const { cells, passed } = await report(app);
  const others = cells.filter(({ outcome }) => outcome !== "passed");
  expect(others.map((cell) => `${cellName(cell)}: ${cell.outcome}, ${cell.reason}`)).toEqual([
    "sales.fetch as all, rows all, over rest: not tried, it is a view, which migrations do not make",
    "sales.search as all, rows all, over rest: not tried, it is a view, which migrations do not make",
  ]);
  expect(passed).toBeGreaterThan(700);
});

// biome-ignore format: one case a line
test.each([
  ["rows behind other names", "customers", "fetch", 'gt("level", 5)', 'gt("level", -5)', "customers.fetch as user, rows out, over rest"],
  ["a gate of an inet", "customers", "fetch", 'address: { read: ["staff"], write: ["staff"] }', 'address: { write: ["staff"] }', "customers.fetch as user, rows field address in a filter, over rest"],
  ["the rows of a list", "customers", "destroy", 'contains("tags", "old")', 'isNotNull("tags")', "customers.destroy as staff, rows out, over rest"],
  ["rows without an id", "order_lines", "count", ', ne("product", "secret")', "", "order_lines.count as user, rows all, over rest"],
  ["ids that callers send", "countries", "create", 'like("id", "x%")', 'like("id", "%")', "countries.create as user, rows out, over graphql"],
  ["an id that is a foreign key", "profiles", "update", ', isNotNull("about")', "", "profiles.update as user, rows out, over rest"],
])("finds a hole: %s", { timeout: 120_000 }, async (_, model, operation, rule, hole, found) => {
  const path = `generated/models/${model}/policy.ts`;
  // A process that runs several commands loads the modules of a folder once.
  const copy = copyOf(app);
  expect(copy.read(path)).toContain(rule);
  copy.write(path, copy.read(path).replaceAll(rule, hole));
  const { cells } = await report(copy, "--model", model, "--operation", operation);
  expect(cells.filter(({ outcome }) => outcome === "failed").map(cellName)).toContain(found);
});

import { describe, expect, test } from "vitest";
import { canonicalExpression, foreignKeyEffect, shortType } from "#runtime/migrations/runner/drift/canonical";
import { defineMigration, differenceLines, migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import type { Migration } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";
import { grow, initial } from "./sample-migrations.ts";

describe("verifyDatabase", () => {
  test("compares with the applied migrations, and names the pending ones", async () => {
    const { url } = await testDatabase([initial]);
    expect(await verifyDatabase({ url, migrations: [initial, grow], log: silent })).toEqual({
      differences: [],
      notes: [],
      applied: 1,
      pending: ["0002_grow"],
      unfinished: [],
    });
    await migrate({ url, migrations: [initial, grow], log: silent });
    expect(await verifyDatabase({ url, migrations: [initial, grow], log: silent })).toEqual({
      differences: [],
      notes: [],
      applied: 2,
      pending: [],
      unfinished: [],
    });
  });

  test("names unfinished migrations", async () => {
    const { url, query } = await testDatabase([initial]);
    await query(`CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL);
      INSERT INTO kirak_migration_progress VALUES ('0002_grow', '[]')`);
    expect(await verifyDatabase({ url, migrations: [initial, grow], log: silent })).toMatchObject({
      notes: [],
      unfinished: ["0002_grow"],
    });
  });

  test("leaves nothing behind", async () => {
    const { url, query } = await testDatabase([initial]);
    const all = "SELECT count(*) AS relations, (SELECT count(*) FROM pg_namespace) AS schemas FROM pg_class";
    const before = await query(all);
    await verifyDatabase({ url, migrations: [initial], log: silent });
    expect(await query(all)).toEqual(before);
  });

  test("refuses a database without migrations, and one that does not fit the code", async () => {
    const { url } = await testDatabase();
    const options = { url, migrations: [initial], log: silent };
    await expect(verifyDatabase(options)).rejects.toThrow(/^no migration was applied to this database yet/);
    await migrate({ url, migrations: [initial, grow], log: silent });
    await expect(verifyDatabase(options)).rejects.toThrow(/the database is newer than this code: 0002_grow/);
  });

  test("finds the tables in the schema of the connection under any name", async () => {
    const { url, query } = await testDatabase();
    await query(`CREATE SCHEMA "My ""Own"" schema's"`);
    const own = new URL(url);
    own.searchParams.set("options", `-c search_path="My\\ ""Own""\\ schema's"`);
    const options = { url: own.href, migrations: [initial], log: silent };
    await migrate(options);
    expect(await query("SELECT to_regclass('public.books') AS found")).toEqual([{ found: null }]);
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query(`ALTER TABLE "My ""Own"" schema's".books ALTER price TYPE real`);
    expect(differenceLines((await verifyDatabase(options)).differences)).toEqual([
      "books.price  expected double precision, is real",
    ]);
  });

  test("names of tables may hold anything", async () => {
    const hostile = `"; DROP -- it's \u001b[2J\n`;
    const migration: Migration = {
      name: "0001_odd",
      parent: null,
      up: [
        {
          step: "create_table",
          table: hostile,
          columns: [
            { name: "id", type: "bigint", nullable: false, default: "identity" },
            { name: hostile, type: "text", nullable: true },
          ],
        },
        {
          step: "add_index",
          table: hostile,
          index: { name: `${hostile} USING (`, columns: [hostile], unique: true, live: false },
        },
        { step: "add_check", table: hostile, check: { name: hostile, column: hostile, oneOf: [hostile] } },
      ],
      down: [],
    };
    const { url, query } = await testDatabase([migration]);
    const verify = () => verifyDatabase({ url, migrations: [migration], log: silent });
    expect(await verify()).toMatchObject({ differences: [], notes: [] });
    const quoted = `"${hostile.replaceAll('"', '""')}"`;
    await query(`ALTER TABLE ${quoted} ALTER ${quoted} SET DEFAULT 'x'`);
    expect(differenceLines((await verify()).notes)).toEqual([
      String.raw`"""; DROP -- it's \u001b[2J\n"."""; DROP -- it's \u001b[2J\n"  expected no default, is default 'x'::text`,
    ]);
    await query(`ALTER TABLE ${quoted} ALTER ${quoted} DROP DEFAULT`);
    expect(await verify()).toMatchObject({ differences: [], notes: [] });
  });

  test("needs few rights, names a missing one, and reports rows that are hidden from the role", async () => {
    const { url, query } = await testDatabase([initial]);
    const [database] = await query("SELECT current_database() AS name");
    const role = `plain_${database?.["name"]}`;
    await query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    const plain = new URL(url);
    [plain.username, plain.password] = [role, "plain"];
    const options = { url: plain.href, migrations: [initial], log: silent };
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query("ALTER TABLE books ENABLE ROW LEVEL SECURITY");
    expect(differenceLines((await verifyDatabase(options)).differences)).toEqual([
      "books  expected no row security, is row security that hides rows from this role",
    ]);
    expect(await verifyDatabase({ ...options, url })).toMatchObject({ differences: [], notes: [] });
    await query("ALTER TABLE books DISABLE ROW LEVEL SECURITY");
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query(`REVOKE TEMPORARY ON DATABASE ${database?.["name"]} FROM PUBLIC`);
    await expect(verifyDatabase(options)).rejects.toThrow(/cannot create: .*; GRANT TEMPORARY ON DATABASE/);
    await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("waits for a locked table, and fails with a message after the timeout", async () => {
    const { url, query } = await testDatabase([initial]);
    const timing = { lockTimeoutMs: 20, retryDelayMs: 20, attempts: 3 };
    const verify = () => verifyDatabase({ url, migrations: [initial], log: silent, timing });
    await query("BEGIN; LOCK TABLE books IN ACCESS EXCLUSIVE MODE");
    await expect(verify()).rejects.toThrow(/^the tables of the database cannot be read: .*lock timeout/);
    await query("ROLLBACK");
    expect(await verify()).toMatchObject({ differences: [], notes: [] });
  });
});

// biome-ignore format: many a line
const goods = defineMigration({
  name: "0001_goods", parent: null,
  up: [
    {
      step: "create_table", table: "goods",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "price", type: "numeric(12,2)", nullable: false, default: { literal: "12.50" } },
        { name: "serial", type: "bigint", nullable: true, default: { literal: "-9007199254740993" } },
        { name: "opens", type: "time(3)", nullable: true, default: { literal: "09:00:00.000" } },
        { name: "tags", type: "varchar(20)[]", nullable: true, default: { literal: ["a", 'b"\\'] } },
        { name: "sizes", type: "numeric(6,1)[]", nullable: true, default: { literal: ["1.5", "2.0"] } },
      ],
    },
    {
      step: "add_index", table: "goods",
      index: { name: "goods_tags_idx", columns: ["tags"], unique: false, live: false, method: "gin" },
    },
    {
      step: "add_check", table: "goods",
      check: { name: "goods_tags_check", column: "tags", oneOf: ["a", "it's", 'b"\\'], elements: "varchar" },
    },
    {
      step: "add_check", table: "goods",
      check: { name: "goods_price_check", column: "price", oneOf: ["12.50", "1.00"] },
    },
  ],
  down: [],
});

const { url, query } = await testDatabase();
await migrate({ url, migrations: [goods], log: silent });

async function lines(): Promise<string[]> {
  const { differences } = await verifyDatabase({ url, migrations: [goods], log: silent });
  return differenceLines(differences).map((line) => line.replace(/ +/g, " "));
}

test("columns of decimals, bigints, times and lists match their migrations", async () => {
  expect(await lines()).toEqual([]);
});

const change = (column: string, to: string) => `ALTER TABLE goods ALTER COLUMN ${column} ${to}`;
const recheck = (constraint: string, condition: string) =>
  `ALTER TABLE goods DROP CONSTRAINT ${constraint}; ALTER TABLE goods ADD CONSTRAINT ${constraint} CHECK (${condition})`;
const reindex = (how: string) => `DROP INDEX goods_tags_idx; CREATE INDEX goods_tags_idx ON goods ${how}`;
const tags = `ARRAY['a', 'it''s', 'b"\\']`;

// biome-ignore format: one case a line
test.each([
  [change("price", "SET DEFAULT '12.5'"), change("price", "SET DEFAULT 12.50")],
  [change("sizes", "SET DEFAULT ARRAY[1.5, 2]"), change("sizes", "SET DEFAULT '{1.5,2.0}'")],
  [change("tags", `SET DEFAULT ARRAY['a', 'b"\\']`), change("tags", 'SET DEFAULT \'{a,"b\\"\\\\"}\'')],
  [recheck("goods_price_check", "price IN (12.5, 1)"), recheck("goods_price_check", "price IN ('12.50', '1.00')")],
  [recheck("goods_tags_check", `tags <@ ${tags}::varchar(9)[]`), recheck("goods_tags_check", `tags <@ ${tags}::varchar[]`)],
  [reindex("USING gin (tags) WITH (fastupdate = off)"), reindex("USING gin (tags)")],
])("%s is not a difference", async (by, undo) => {
  await query(by);
  expect(await lines()).toEqual([]);
  await query(undo);
});

// biome-ignore format: one case a line
test.each([
  [change("price", "TYPE numeric(12,3)"), change("price", "TYPE numeric(12,2)"), ["goods.price expected numeric(12,2), is numeric(12,3)"]],
  [change("opens", "TYPE time(0)"), change("opens", "TYPE time(3)"), ["goods.opens expected time(3), is time(0)"]],
  [change("tags", "TYPE varchar(9)[]"), change("tags", "TYPE varchar(20)[]"), ["goods.tags expected varchar(20)[], is varchar(9)[]"]],
  [change("sizes", "SET DEFAULT '{1.5}'"), change("sizes", "SET DEFAULT '{1.5,2.0}'"),
    ["goods.sizes expected default '{1.5,2.0}'::numeric[], is default '{1.5}'::numeric[]"]],
  [reindex("(tags)"), reindex("USING gin (tags)"), ["goods_tags_idx expected gin index (tags), is index (tags)"]],
  [reindex("USING gin (tags) WHERE id > 3"), reindex("USING gin (tags)"),
    ["goods_tags_idx expected gin index (tags), is gin index (tags) where (id > 3)"]],
  [recheck("goods_price_check", "price IN (12.5, 2)"), recheck("goods_price_check", "price IN ('12.50', '1.00')"),
    [expect.stringMatching(/^goods_price_check expected CHECK .*1\.00.*, is CHECK .*2/)]],
])("%s is one", async (by, undo, expected) => {
  await query(by);
  expect(await lines()).toEqual(expected);
  await query(undo);
  expect(await lines()).toEqual([]);
});

test("columns, defaults, indexes and constraints come out as they were described", async () => {
  const { query } = await testDatabase([initial]);
  await query("INSERT INTO books DEFAULT VALUES");
  const [book] = await query("SELECT *, published::text, created_at = now() AS fresh FROM books");
  // biome-ignore format: many a line
  expect(book).toMatchObject({
    id: "1", title: 'why? it\'s \\ "new"', price: -1.5, pages: 7, in_print: true, published: "2026-01-31",
    note: { "it's": ["a?", "\\"] }, status: "draft", author_id: null,
  });
  const author = "INSERT INTO authors (email, deleted_at) VALUES ($1, $2) RETURNING id";
  const [live] = await query(author, ["a@example.com", null]);
  await query(author, ["a@example.com", "2026-01-01"]);
  await expect(query(author, ["a@example.com", null])).rejects.toThrow(/authors_email_key/);
  await expect(query("UPDATE books SET status = 'other'")).rejects.toThrow(/books_status_check/);
  await query("UPDATE books SET status = 'it''s out'");
  await query("UPDATE books SET author_id = $1", [live?.["id"]]);
  await query("DELETE FROM authors");
  expect(await query("SELECT author_id FROM books")).toEqual([{ author_id: null }]);
});

test("every kind of change", async () => {
  const { url, query } = await testDatabase([initial]);
  await query("INSERT INTO books DEFAULT VALUES");
  await migrate({ url, migrations: [initial, grow], log: silent });
  const rows = await query('SELECT id, "ti""tle" AS title, "order", pages FROM books');
  expect(rows).toEqual([{ id: "1", title: 'why? it\'s \\ "new"', order: null, pages: "7" }]);
  await query("INSERT INTO books (price, author_id) VALUES (NULL, gen_random_uuid())");
  expect(await query("SELECT pages, status FROM books WHERE id = 2")).toEqual([
    { pages: null, status: "it's out" },
  ]);
  await expect(query("UPDATE books SET pages = 3")).rejects.toThrow(/books_pages_check/);
  const [index] = await query("SELECT indexdef FROM pg_indexes WHERE indexname = 'books_order_idx'");
  expect(index?.["indexdef"]).toMatch(
    /CREATE INDEX books_order_idx ON public\.books USING btree \("order", "ti""tle"\)$/,
  );
  expect(await query("SELECT to_regclass('writers')::text AS a, to_regclass('authors') AS b")).toEqual([
    { a: "writers", b: null },
  ]);
});

test("dates and moments are converted in UTC, for any time zone of the server", async () => {
  const { url, query } = await testDatabase();
  const [database] = await query("SELECT current_database() AS name");
  await query(`ALTER DATABASE ${database?.["name"]} SET TimeZone = 'America/New_York'`);
  const days: Migration = {
    name: "0001_days",
    parent: null,
    up: [{ step: "create_table", table: "days", columns: [{ name: "day", type: "date", nullable: false }] }],
    down: [],
  };
  const moments: Migration = {
    name: "0002_moments",
    parent: "0001_days",
    up: [{ step: "set_type", table: "days", column: "day", type: "timestamptz(3)" }],
    down: [],
  };
  await migrate({ url, migrations: [days], log: silent });
  await query("INSERT INTO days VALUES ('2026-01-31')");
  await migrate({ url, migrations: [days, moments], log: silent });
  expect(await query("SELECT day = '2026-01-31T00:00:00Z' AS same FROM days")).toEqual([{ same: true }]);
});

test.each(["$do$", "$do$ $do1$", "x$index$; DROP TABLE books; --"])(
  "an index may be called %s",
  async (name) => {
    const { url, query } = await testDatabase([initial]);
    const named: Migration = {
      name: "0002_named",
      parent: "0001_initial",
      up: [
        {
          step: "add_index",
          table: "books",
          index: { name, columns: ["pages"], unique: false, live: false },
        },
        { step: "drop_index", table: "books", name },
      ],
      down: [],
    };
    await migrate({ url, migrations: [initial, named], log: silent });
    expect(await query("SELECT FROM pg_class WHERE relname = $1", [name])).toEqual([]);
  },
);

describe("expressions", () => {
  test.each([
    ["'draft'::character varying", "'draft'::text"],
    ["'draft'::character varying(20)", "'draft'"],
    ["now()", "CURRENT_TIMESTAMP"],
    ["'2026-01-31 00:00:00+00'::timestamp(3) with time zone", "'2026-01-31 00:00:00+00'::timestamptz"],
    ["0", "0.00"],
    ["(4.5)::numeric(4,2)", "4.50::double precision"],
    ["'12.50'::numeric", "12.5"],
    ["'-7'::integer", "(-7)"],
    ["'9007199254740993'::bigint", "'9007199254740993'::numeric"],
    ["(n = ANY (ARRAY['1.50'::numeric, '2.00'::numeric]))", "(n = ANY (ARRAY[1.5, (2)::numeric]))"],
    ["(t <@ ARRAY['a'::character varying])", "(t <@ (ARRAY['a'::text])::character varying(20)[])"],
    ["'{a,\"b,c\",it''s}'::character varying[]", "ARRAY['a'::text, 'b,c'::text, 'it''s'::text]"],
    ["'{1.500,-2}'::numeric[]", "(ARRAY[1.5, '-2'::integer])::numeric(8,3)[]"],
    ["'{t,f}'::boolean[]", "ARRAY[true, false]"],
    ["'{}'::text[]", "ARRAY[]::text[]"],
    ["'12:30:00'::time(3) without time zone", "'12:30:00'::time without time zone"],
    [
      "CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'it''s (b)'::character varying])::text[])))",
      "CHECK ((status = ANY (ARRAY['a'::text, 'it''s (b)'::text])))",
    ],
  ])("%s is %s", (one, other) => {
    expect(canonicalExpression(one)).toBe(canonicalExpression(other));
  });

  test.each([
    ["'draft'::text", "'Draft'::text"],
    ["'a b'::text", "'ab'::text"],
    ["'(a)'::text", "'a'::text"],
    ["'a::text'::text", "'a'::text"],
    ["'it''s a'", "'it''sa'"],
    ["10", "100"],
    ["1.5", "1.05"],
    ["'1.0'::text", "'1'::text"],
    ["ARRAY['1.0'::text]", "ARRAY['1'::text]"],
    ["ARRAY[1.50, 2]", "ARRAY[1.05, 2]"],
    ["'1'::numeric", "'10'::numeric"],
    ["'it''1'::text", "'it1'::text"],
    ["'{a}'::text[]", "ARRAY['b'::text]"],
    ["'{a,b}'::text[]", "'{\"a,b\"}'::text[]"],
    ["'{NULL}'::text[]", "ARRAY['NULL'::text]"],
    ["'{1.0}'::text[]", "'{1}'::text[]"],
    ["(a)::integer AND b", "(a)::integer OR b"],
  ])("%s is not %s", (one, other) => {
    expect(canonicalExpression(one)).not.toBe(canonicalExpression(other));
  });
});

test("options of a foreign key that a service never needs are ignored", () => {
  const plain = "FOREIGN KEY (a) REFERENCES b(id)";
  for (const clause of [" ON DELETE RESTRICT", " ON UPDATE CASCADE", " ON UPDATE SET NULL", " DEFERRABLE"])
    expect(foreignKeyEffect(plain + clause), clause).toBe(plain);
  for (const clause of [" ON DELETE CASCADE", " ON DELETE SET NULL", " DEFERRABLE INITIALLY DEFERRED"])
    expect(foreignKeyEffect(plain + clause), clause).not.toBe(plain);
});

test("types have the names that migrations use", () => {
  // biome-ignore format: many a line
  expect(
    [
      "character varying(20)", "character(2)", "timestamp(3) with time zone", "timestamp without time zone", "double precision",
      "character varying[]", "character varying(20)[]", "numeric(12,2)", "time(3) without time zone", "time(3) without time zone[]",
      "timestamp(3) with time zone[]",
    ].map(shortType),
  ).toEqual([
    ...["varchar(20)", "char(2)", "timestamptz(3)", "timestamp", "double precision", "varchar[]"],
    ...["varchar(20)[]", "numeric(12,2)", "time(3)", "time(3)[]", "timestamptz(3)[]"],
  ]);
});

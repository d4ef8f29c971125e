import { expect, test } from "vitest";
import { migrate } from "#runtime/migrations/index";
import type { Migration } from "#vocabulary/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { grow, initial } from "./sample-migrations.ts";

test("columns, defaults, indexes and constraints come out as they were described", async () => {
  const { query } = await testDatabase([initial]);
  await query("INSERT INTO books DEFAULT VALUES");
  const [book] = await query("SELECT *, published::text, created_at = now() AS fresh FROM books");
  expect(book).toMatchObject({
    id: "1",
    title: 'why? it\'s \\ "new"',
    price: -1.5,
    pages: 7,
    in_print: true,
    published: "2026-01-31",
    note: { "it's": ["a?", "\\"] },
    status: "draft",
    author_id: null,
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

test("dates and moments become each other in UTC, whatever the zone of the server", async () => {
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

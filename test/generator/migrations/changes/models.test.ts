import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const string = { type: "string" };
const to = (model: string, parts: object = {}) => ({ type: "belongs_to", relationship: { model }, ...parts });

/** A model with an index, a check and a reference, under some key and table. */
const titled = (key: string, parts: object = {}) => ({
  [key]: {
    fields: {
      title: { type: "string", unique: true },
      state: { type: "string", enum: ["x", "y"] },
      next_id: to(key),
    },
    ...parts,
  },
});
const titles = (table: string) =>
  `INSERT INTO ${table} (title, state, next_id) VALUES ('a', 'x', 1), ('b', 'y', 1)`;

/** The rows of the table, and its constraints under its name. */
const whole = (table: string): ChangeCase["up"] => [
  [
    `SELECT id, title, next_id FROM ${table} ORDER BY id`,
    [
      { id: "1", title: "a", next_id: "1" },
      { id: "2", title: "b", next_id: "1" },
    ],
  ],
  [`INSERT INTO ${table} (title) VALUES ('a')`, new RegExp(`"${table}_title_key"`)],
  [`INSERT INTO ${table} (state) VALUES ('z')`, new RegExp(`"${table}_state_check"`)],
  [`INSERT INTO ${table} (next_id) VALUES (99)`, new RegExp(`"${table}_next_id_fkey"`)],
  [`SELECT count(*)::int AS count FROM pg_indexes WHERE indexname = '${table}_next_id_idx'`, [{ count: 1 }]],
];
const gone = (table: string): ChangeCase["up"][number] => [`SELECT FROM ${table}`, /does not exist/];

const shops = { shops: { fields: { name: string } } };
const books = { books: { fields: { title: string, shop_id: to("shops") } } };

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "a model is added",
    before: shops,
    rows: "INSERT INTO shops (name) VALUES ('s')",
    after: { ...shops, ...books },
    up: [["INSERT INTO books (title, shop_id) VALUES ('a', 1) RETURNING title", [{ title: "a" }]],
      ["INSERT INTO books (shop_id) VALUES (2)", /"books_shop_id_fkey"/]],
    down: [gone("books"), ["SELECT name FROM shops", [{ name: "s" }]]],
  },
  { title: "a model is removed, and comes back without its rows", before: { ...shops, ...books },
    rows: "INSERT INTO shops (name) VALUES ('s'); INSERT INTO books (title, shop_id) VALUES ('a', 1)", after: shops, accepted: ["drop_table:books"],
    up: [gone("books"), ["SELECT name FROM shops", [{ name: "s" }]]],
    down: [["SELECT count(*)::int AS count FROM books", [{ count: 0 }]], ["INSERT INTO books (shop_id) VALUES (2)", /"books_shop_id_fkey"/]] },
  { title: "two models that refer to each other are removed",
    before: { a: { fields: { b_id: to("b") } }, b: { fields: { a_id: to("a") } }, ...shops },
    rows: "INSERT INTO a DEFAULT VALUES; INSERT INTO b (a_id) VALUES (1); UPDATE a SET b_id = 1",
    after: shops,
    accepted: ["drop_table:a", "drop_table:b"],
    up: [gone("a"), gone("b")],
    down: [["INSERT INTO a (b_id) VALUES (1)", /"a_b_id_fkey"/], ["INSERT INTO b (a_id) VALUES (1)", /"b_a_id_fkey"/]],
  },
  { title: "a model is renamed, its table with all that is on it", before: titled("books"), rows: titles("books"),
    after: titled("novels", { renamed_from: "books" }), up: [...whole("novels"), gone("books")], down: [...whole("books"), gone("novels")] },
  { title: "a model is renamed, and its table is called something else", before: titled("books"), rows: titles("books"),
    after: titled("novels", { renamed_from: "books", table: "library" }), up: [...whole("library"), gone("books")],
    down: [...whole("books"), gone("library")] },
  { title: "a model is renamed and keeps its table, which gets a field", before: titled("books"), rows: titles("books"),
    after: { novels: { renamed_from: "books", table: "books", fields: { ...titled("novels")["novels"]?.fields, pages: { type: "integer" } } } },
    up: [...whole("books"), ["SELECT pages FROM books", [{ pages: null }, { pages: null }]]],
    down: [...whole("books"), ["SELECT pages FROM books", /"pages" does not exist/]] },
  { title: "a table is renamed", before: titled("books"), rows: titles("books"), after: titled("books", { table: "library" }),
    up: [...whole("library"), gone("books")], down: [...whole("books"), gone("library")] },
  { title: "a model is renamed that another one refers to, with the field that does",
    before: { ...shops, ...books },
    rows: "INSERT INTO shops (name) VALUES ('s'), ('t'); INSERT INTO books (title, shop_id) VALUES ('a', 2)",
    after: { stores: { renamed_from: "shops", fields: { name: string } },
      books: { fields: { title: string, store_id: to("stores", { renamed_from: "shop_id" }) } } },
    up: [["SELECT s.name FROM books b JOIN stores s ON s.id = b.store_id", [{ name: "t" }]],
      ["INSERT INTO books (store_id) VALUES (9)", /"books_store_id_fkey"/]],
    down: [["SELECT s.name FROM books b JOIN shops s ON s.id = b.shop_id", [{ name: "t" }]],
      ["INSERT INTO books (shop_id) VALUES (9)", /"books_shop_id_fkey"/]],
  },
];

test.each(cases)("$title", tryChange);

import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const books = (fields: object) => ({ books: { fields: { title: { type: "string" }, ...fields } } });
const two = "INSERT INTO books (title) VALUES ('a'), ('b')";
const plain = books({});

const cases: readonly ChangeCase[] = [
  {
    title: "a field that may be null is added",
    before: plain,
    rows: two,
    after: books({ isbn: { type: "string", max_length: 3 } }),
    up: [
      [
        "SELECT title, isbn FROM books ORDER BY id",
        [
          { title: "a", isbn: null },
          { title: "b", isbn: null },
        ],
      ],
      ["INSERT INTO books (isbn) VALUES ('1234')", /too long/],
    ],
    down: [
      ["SELECT isbn FROM books", /"isbn" does not exist/],
      ["SELECT title FROM books ORDER BY id", [{ title: "a" }, { title: "b" }]],
    ],
  },
  {
    title: "a required field with a default is added",
    before: plain,
    rows: two,
    after: books({ pages: { type: "integer", required: true, default: 7 } }),
    up: [
      ["SELECT pages FROM books", [{ pages: 7 }, { pages: 7 }]],
      ["INSERT INTO books (pages) VALUES (NULL)", /null value in column "pages"/],
      ["INSERT INTO books DEFAULT VALUES RETURNING pages", [{ pages: 7 }]],
    ],
    down: [["SELECT pages FROM books", /"pages" does not exist/]],
  },
  {
    title: "a required field without a default is added to an empty table",
    before: plain,
    rows: "",
    after: books({ pages: { type: "integer", required: true } }),
    accepted: ["add_column:books.pages"],
    up: [["INSERT INTO books DEFAULT VALUES", /null value in column "pages"/]],
    down: [["INSERT INTO books DEFAULT VALUES RETURNING title", [{ title: null }]]],
  },
  {
    title: "a required field is removed, and comes back without its values",
    before: books({ pages: { type: "integer", required: true } }),
    rows: "INSERT INTO books (title, pages) VALUES ('a', 7)",
    after: plain,
    accepted: ["drop_column:books.pages"],
    up: [
      ["SELECT pages FROM books", /"pages" does not exist/],
      ["SELECT title FROM books", [{ title: "a" }]],
    ],
    down: [["SELECT title, pages FROM books", [{ title: "a", pages: null }]]],
  },
  {
    title: "a field is renamed, with its index, its check and its values",
    before: books({ state: { type: "string", enum: ["x", "y"], unique: true } }),
    rows: "INSERT INTO books (state) VALUES ('x'), (NULL)",
    after: books({ phase: { type: "string", enum: ["x", "y"], unique: true, renamed_from: "state" } }),
    up: [
      ["SELECT phase FROM books ORDER BY id", [{ phase: "x" }, { phase: null }]],
      ["INSERT INTO books (phase) VALUES ('x')", /"books_phase_key"/],
      ["INSERT INTO books (phase) VALUES ('z')", /"books_phase_check"/],
    ],
    down: [
      ["SELECT state FROM books ORDER BY id", [{ state: "x" }, { state: null }]],
      ["INSERT INTO books (state) VALUES ('x')", /"books_state_key"/],
      ["INSERT INTO books (state) VALUES ('z')", /"books_state_check"/],
    ],
  },
  {
    title: "a field is renamed and takes another type and a default",
    before: books({ size: { type: "integer" } }),
    rows: "INSERT INTO books (size) VALUES (3)",
    after: books({ weight: { type: "float", default: 0.5, renamed_from: "size" } }),
    up: [
      ["SELECT weight FROM books", [{ weight: 3 }]],
      ["INSERT INTO books DEFAULT VALUES RETURNING weight", [{ weight: 0.5 }]],
    ],
    down: [
      ["SELECT size FROM books", [{ size: 3 }]],
      ["INSERT INTO books DEFAULT VALUES RETURNING size", [{ size: null }]],
    ],
  },
  {
    title: "a required field may be null",
    before: books({ pages: { type: "integer", required: true } }),
    rows: "INSERT INTO books (pages) VALUES (1)",
    after: books({ pages: { type: "integer" } }),
    up: [["INSERT INTO books DEFAULT VALUES RETURNING pages", [{ pages: null }]]],
    down: [["INSERT INTO books DEFAULT VALUES", /null value in column "pages"/]],
  },
  {
    title: "a field that was always there is required",
    before: books({ pages: { type: "integer" } }),
    rows: "INSERT INTO books (pages) VALUES (1)",
    after: books({ pages: { type: "integer", required: true } }),
    accepted: ["set_nullable:books.pages"],
    up: [
      ["INSERT INTO books DEFAULT VALUES", /null value in column "pages"/],
      ["SELECT pages FROM books", [{ pages: 1 }]],
    ],
    down: [["INSERT INTO books DEFAULT VALUES RETURNING pages", [{ pages: null }]]],
  },
  {
    title: "a default is set: rows keep what they have",
    before: books({ pages: { type: "integer" } }),
    rows: "INSERT INTO books (pages) VALUES (1), (NULL)",
    after: books({ pages: { type: "integer", default: 9 } }),
    up: [
      ["SELECT pages FROM books ORDER BY id", [{ pages: 1 }, { pages: null }]],
      ["INSERT INTO books DEFAULT VALUES RETURNING pages", [{ pages: 9 }]],
    ],
    down: [["INSERT INTO books DEFAULT VALUES RETURNING pages", [{ pages: null }]]],
  },
  {
    title: "a default changes",
    before: books({ state: { type: "string", default: "it's" } }),
    rows: "INSERT INTO books DEFAULT VALUES",
    after: books({ state: { type: "string", default: "new" } }),
    up: [
      ["INSERT INTO books DEFAULT VALUES RETURNING state", [{ state: "new" }]],
      ["SELECT state FROM books", [{ state: "it's" }]],
    ],
    down: [["INSERT INTO books DEFAULT VALUES RETURNING state", [{ state: "it's" }]]],
  },
  {
    title: "a default is removed",
    before: books({ data: { type: "json", default: { a: 1 } } }),
    rows: "INSERT INTO books DEFAULT VALUES",
    after: books({ data: { type: "json" } }),
    up: [
      ["INSERT INTO books DEFAULT VALUES RETURNING data", [{ data: null }]],
      ["SELECT data FROM books", [{ data: { a: 1 } }]],
    ],
    down: [["INSERT INTO books DEFAULT VALUES RETURNING data", [{ data: { a: 1 } }]]],
  },
  {
    title: "a field becomes an enum",
    before: books({ state: { type: "string" } }),
    rows: "INSERT INTO books (state) VALUES ('x'), (NULL)",
    after: books({ state: { type: "string", enum: ["x", "it's"] } }),
    accepted: ["add_check:books.books_state_check"],
    up: [
      ["INSERT INTO books (state) VALUES ('it''s') RETURNING state", [{ state: "it's" }]],
      ["INSERT INTO books (state) VALUES ('z')", /"books_state_check"/],
    ],
    down: [["INSERT INTO books (state) VALUES ('z') RETURNING state", [{ state: "z" }]]],
  },
  {
    title: "an enum takes more values",
    before: books({ state: { type: "string", enum: ["x"] } }),
    rows: "INSERT INTO books (state) VALUES ('x')",
    after: books({ state: { type: "string", enum: ["x", "y"] } }),
    up: [
      ["INSERT INTO books (state) VALUES ('y') RETURNING state", [{ state: "y" }]],
      ["INSERT INTO books (state) VALUES ('z')", /"books_state_check"/],
    ],
    down: [["INSERT INTO books (state) VALUES ('y')", /"books_state_check"/]],
  },
  {
    title: "an enum of numbers takes fewer values",
    before: books({ size: { type: "integer", enum: [1, 2] } }),
    rows: "INSERT INTO books (size) VALUES (1)",
    after: books({ size: { type: "integer", enum: [1] } }),
    accepted: ["add_check:books.books_size_check"],
    up: [["INSERT INTO books (size) VALUES (2)", /"books_size_check"/]],
    down: [["INSERT INTO books (size) VALUES (2) RETURNING size", [{ size: 2 }]]],
  },
  {
    title: "a field is an enum no more",
    before: books({ state: { type: "string", enum: ["x"] } }),
    rows: "INSERT INTO books (state) VALUES ('x')",
    after: books({ state: { type: "string" } }),
    up: [["INSERT INTO books (state) VALUES ('z') RETURNING state", [{ state: "z" }]]],
    down: [
      ["INSERT INTO books (state) VALUES ('z')", /"books_state_check"/],
      ["SELECT state FROM books", [{ state: "x" }]],
    ],
  },
];

test.each(cases)("$title", tryChange);

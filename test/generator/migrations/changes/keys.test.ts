import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const fields = { a: { type: "string" }, b: { type: "string" } };
const books = (parts: object) => ({ books: { fields, ...parts } });
const unique = { fields: { ...fields, a: { type: "string", unique: true } } };
const soft = { soft_delete: true };

const again = "INSERT INTO books (a, b) VALUES ('x', 'y') RETURNING a";
const taken = [{ a: "x" }];
const indexes = (like: string, ...names: string[]): [string, object[]] => [
  `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'books' AND indexdef ~ '${like}' ORDER BY 1`,
  names.map((name) => ({ name })),
];

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "a unique field", before: books({}), rows: "INSERT INTO books (a) VALUES ('x'), (NULL), (NULL)", after: books(unique),
    accepted: ["add_index:books.books_a_key"], up: [[again, /"books_a_key"/]], down: [[again, taken]] },
  { title: "a field is unique no more", before: books(unique), rows: "INSERT INTO books (a) VALUES ('x')", after: books({}), up: [[again, taken]],
    down: [[again, /"books_a_key"/]] },
  { title: "fields are unique together", before: books({}), rows: "INSERT INTO books (a, b) VALUES ('x', 'y'), ('x', 'z')",
    after: books({ unique: [["a", "b"]] }), accepted: ["add_index:books.books_a_b_key"],
    up: [[again, /"books_a_b_key"/], ["INSERT INTO books (a, b) VALUES ('x', 'q') RETURNING a", taken]], down: [[again, taken]] },
  { title: "fields are not unique together any more, and one of them is unique by itself", before: books({ unique: [["a", "b"]] }),
    rows: "INSERT INTO books (a, b) VALUES ('x', 'y')", after: books(unique), accepted: ["add_index:books.books_a_key"],
    up: [["INSERT INTO books (a, b) VALUES ('x', 'q')", /"books_a_key"/]],
    down: [["INSERT INTO books (a, b) VALUES ('x', 'q') RETURNING a", taken], [again, /"books_a_b_key"/]] },
  { title: "with soft delete a key is unique among live rows",
    before: books(unique),
    rows: "INSERT INTO books (a) VALUES ('x')",
    after: books({ ...unique, ...soft }),
    up: [[again, /"books_a_key"/], ["INSERT INTO books (a, deleted_at) VALUES ('x', now()) RETURNING a", taken],
      indexes("deleted_at IS NULL", "books_a_key")],
    down: [[again, /"books_a_key"/], indexes("deleted_at"), ["SELECT deleted_at FROM books", /"deleted_at" does not exist/]],
  },
  { title: "without soft delete a key is unique among all rows, and deleted ones are back",
    before: books({ ...unique, ...soft }),
    rows: "INSERT INTO books (a, deleted_at) VALUES ('x', NULL), ('y', now())",
    after: books(unique),
    accepted: ["drop_column:books.deleted_at", "add_index:books.books_a_key"],
    up: [[again, /"books_a_key"/], ["INSERT INTO books (a) VALUES ('y')", /"books_a_key"/],
      ["SELECT a FROM books ORDER BY id", [{ a: "x" }, { a: "y" }]]],
    down: [["SELECT a, deleted_at FROM books ORDER BY id", [{ a: "x", deleted_at: null }, { a: "y", deleted_at: null }]],
      indexes("deleted_at IS NULL", "books_a_key")],
  },
  { title: "a unique key comes with soft delete", before: books({}), rows: "INSERT INTO books (a) VALUES ('x')", after: books({ ...unique, ...soft }),
    accepted: ["add_index:books.books_a_key"], up: [[again, /"books_a_key"/], indexes("deleted_at IS NULL", "books_a_key")],
    down: [[again, taken], indexes("deleted_at")] },
  { title: "an index on a field and one on several", before: books({}), rows: "INSERT INTO books (a) VALUES ('x')",
    after: books({ fields: { ...fields, b: { type: "string", index: true } }, indexes: [["a", "b"]] }),
    up: [indexes("_idx", "books_a_b_idx", "books_b_idx")], down: [indexes("_idx"), ["SELECT a FROM books", taken]] },
  { title: "an index goes, another one takes other fields",
    before: books({ fields: { ...fields, b: { type: "string", index: true } }, indexes: [["a", "b"]] }), rows: "INSERT INTO books (a) VALUES ('x')",
    after: books({ indexes: [["b", "a"]] }), up: [indexes("_idx", "books_b_a_idx")], down: [indexes("_idx", "books_a_b_idx", "books_b_idx")] },
  { title: "a unique field goes, with its key", before: books(unique), rows: "INSERT INTO books (a, b) VALUES ('x', 'y')",
    after: books({ fields: { b: fields.b } }), accepted: ["drop_column:books.a"], up: [["SELECT b FROM books", [{ b: "y" }]], indexes("a_key")],
    down: [["SELECT a, b FROM books", [{ a: null, b: "y" }]], indexes("a_key", "books_a_key")] },
];

test.each(cases)("$title", tryChange);

import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const plain = { a: { type: "integer" }, b: { type: "integer" }, word: { type: "string" } };
const check = (name: string, condition: string, message = "No.") => ({ name, condition, message });
const inOrder = check("in_order", "a < b");
const small = check("small", "b < 100 OR (word IS NOT NULL AND word = 'it''s big')");
const books = (checks: readonly object[], parts: object = {}) => ({
  books: { fields: plain, checks, ...parts },
});

const insert = (a: number, b: number) => `INSERT INTO books (a, b) VALUES (${a}, ${b}) RETURNING a`;
const fine: [string, object[]] = [insert(1, 2), [{ a: 1 }]];
const names = (...called: string[]): [string, object[]] => [
  "SELECT conname AS name FROM pg_constraint WHERE conrelid = to_regclass('books') AND contype = 'c' ORDER BY 1",
  called.map((name) => ({ name })),
];
const rows = "INSERT INTO books (a, b, word) VALUES (1, 2, 'it''s big'), (NULL, 3, NULL)";

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "a check is added", before: books([]), rows, after: books([inOrder]), accepted: ["add_check:books.books_01_in_order_check"],
    up: [fine, [insert(2, 2), /"books_01_in_order_check"/], names("books_01_in_order_check")], down: [[insert(2, 2), [{ a: 2 }]], names()] },
  { title: "a check goes, and the others keep their turn", before: books([inOrder, small]), rows, after: books([small]),
    up: [[insert(2, 2), [{ a: 2 }]], [insert(2, 200), /"books_01_small_check"/], names("books_01_small_check")],
    down: [[insert(2, 2), /"books_01_in_order_check"/], [insert(2, 200), /"books_02_small_check"/]] },
  { title: "the order changes, and so does the reported check", before: books([inOrder, small]), rows, after: books([small, inOrder]),
    up: [[insert(200, 200), /"books_01_small_check"/]], down: [[insert(200, 200), /"books_01_in_order_check"/]] },
  { title: "a check demands something else", before: books([inOrder]), rows, after: books([check("in_order", "a <= b")]),
    accepted: ["add_check:books.books_01_in_order_check"], up: [[insert(2, 2), [{ a: 2 }]], [insert(3, 2), /"books_01_in_order_check"/]],
    down: [[insert(2, 2), /"books_01_in_order_check"/], names("books_01_in_order_check")] },
  { title: "a check is called otherwise", before: books([inOrder]), rows, after: books([check("sorted", "(a < b)", "Another message.")]),
    up: [[insert(2, 2), /"books_01_sorted_check"/]], down: [[insert(2, 2), /"books_01_in_order_check"/]] },
  { title: "a field of a check has a new name",
    before: books([inOrder, small]),
    rows,
    after: { books: { fields: { a: plain.a, most: { ...plain.b, renamed_from: "b" }, word: plain.word },
        checks: [check("in_order", "a < most"), check("small", "most < 100 OR (word IS NOT NULL AND word = 'it''s big')")] },
    },
    up: [["INSERT INTO books (a, most) VALUES (2, 2)", /"books_01_in_order_check"/], names("books_01_in_order_check", "books_02_small_check")],
    down: [[insert(2, 2), /"books_01_in_order_check"/]],
  },
  { title: "a model with checks is renamed", before: books([inOrder]), rows,
    after: { works: { fields: plain, checks: [inOrder], renamed_from: "books" } },
    up: [["INSERT INTO works (a, b) VALUES (2, 2)", /"works_01_in_order_check"/]], down: [[insert(2, 2), /"books_01_in_order_check"/]] },
  { title: "a field of a check takes another type", before: books([inOrder, small]), rows,
    after: { books: { fields: { ...plain, b: { type: "float" } }, checks: [inOrder, small] } },
    up: [["INSERT INTO books (a, b) VALUES (2, 2.5) RETURNING b", [{ b: 2.5 }]], [insert(2, 2), /"books_01_in_order_check"/]],
    down: [[insert(2, 2), /"books_01_in_order_check"/]] },
  { title: "a field of a check goes, and its check with it", before: books([inOrder, small]), rows,
    after: { books: { fields: { a: plain.a, word: plain.word }, checks: [] } }, accepted: ["drop_column:books.b"],
    up: [["INSERT INTO books (a) VALUES (2) RETURNING a", [{ a: 2 }]], names()],
    down: [[insert(2, 2), /"books_01_in_order_check"/], names("books_01_in_order_check", "books_02_small_check")] },
  { title: "a new field that may be null breaks no check by being new", before: { books: { fields: { a: plain.a } } },
    rows: "INSERT INTO books (a) VALUES (1)", after: { books: { fields: { a: plain.a, b: plain.b }, checks: [inOrder] } },
    up: [fine, [insert(2, 2), /"books_01_in_order_check"/]], down: [["INSERT INTO books (a) VALUES (2) RETURNING a", [{ a: 2 }]]] },
  { title: "one that a check wants to be there", before: { books: { fields: { a: plain.a } } }, rows: "INSERT INTO books (a) VALUES (1)",
    after: { books: { fields: { a: plain.a, b: plain.b }, checks: [check("there", "a = 1 OR b IS NOT NULL")] } },
    accepted: ["add_check:books.books_01_there_check"], up: [["INSERT INTO books (a) VALUES (2)", /"books_01_there_check"/]],
    down: [["INSERT INTO books (a) VALUES (2) RETURNING a", [{ a: 2 }]]] },
  { title: "one with a default, by which rows may break it", before: { books: { fields: { a: plain.a } } }, rows: "INSERT INTO books (a) VALUES (1)",
    after: { books: { fields: { a: plain.a, b: { type: "integer", default: 5 } }, checks: [inOrder] } },
    accepted: ["add_check:books.books_01_in_order_check"], up: [["INSERT INTO books (a) VALUES (5)", /"books_01_in_order_check"/]],
    down: [["INSERT INTO books (a) VALUES (5) RETURNING a", [{ a: 5 }]]] },
  { title: "a new model with checks", before: { others: { fields: { a: plain.a } } }, rows: "INSERT INTO others (a) VALUES (1)",
    after: { others: { fields: { a: plain.a } }, ...books([inOrder]) }, up: [fine, [insert(2, 2), /"books_01_in_order_check"/]],
    down: [[insert(1, 2), /relation "books" does not exist/]] },
  { title: "with the check of an enum, which stays as it was",
    before: { books: { fields: { ...plain, word: { type: "string", enum: ["x", "y"] } } } },
    rows: "INSERT INTO books (a, b) VALUES (1, 2)",
    after: { books: { fields: { ...plain, word: { type: "string", enum: ["x", "y"] } }, checks: [inOrder] } },
    accepted: ["add_check:books.books_01_in_order_check"],
    up: [names("books_01_in_order_check", "books_word_check")],
    down: [names("books_word_check")],
  },
];

test.each(cases.map((change) => [change.title, change] as const))("%s", async (_, change) => {
  await tryChange(change);
});

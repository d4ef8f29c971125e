import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const named = { name: { type: "string", unique: true } };
const to = (model: string, parts: object = {}, field: object = {}) => ({
  type: "belongs_to",
  relationship: { model, ...parts },
  ...field,
});
const service = (books: object, others: object = {}) => ({
  authors: { fields: named },
  shops: { fields: named },
  books: { fields: { title: { type: "string" }, ...books } },
  ...others,
});

const people = `INSERT INTO authors (name) VALUES ('ann'), ('bob'); INSERT INTO shops (name) VALUES ('s'), ('t');`;
const joined = "SELECT a.name FROM books b JOIN authors a ON a.id = b.author_id";
const nowhere = "INSERT INTO books (author_id) VALUES (99)";
const indexed = "SELECT count(*)::int AS count FROM pg_indexes WHERE indexname = 'books_author_id_idx'";
const refused = /"books_author_id_fkey"/;

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "a reference is added, with its index", before: service({}), rows: `${people} INSERT INTO books (title) VALUES ('x')`,
    after: service({ author_id: to("authors") }),
    up: [["SELECT author_id FROM books", [{ author_id: null }]], [nowhere, refused], [indexed, [{ count: 1 }]]],
    down: [[nowhere, /"author_id" of relation "books" does not exist/], [indexed, [{ count: 0 }]]] },
  { title: "a reference is removed", before: service({ author_id: to("authors") }), rows: `${people} INSERT INTO books (author_id) VALUES (2)`,
    after: service({}), accepted: ["drop_column:books.author_id"],
    up: [["SELECT author_id FROM books", /does not exist/], ["SELECT title FROM books", [{ title: null }]]],
    down: [["SELECT author_id FROM books", [{ author_id: null }]], [nowhere, refused], [indexed, [{ count: 1 }]]] },
  { title: "a text refers to a unique field",
    before: service({ author: { type: "string" } }),
    rows: `${people} INSERT INTO books (author) VALUES ('bob')`,
    after: service({ author: to("authors", { foreign_key: "name" }) }),
    accepted: ["add_foreign_key:books.books_author_fkey"],
    up: [["SELECT a.id FROM books b JOIN authors a ON a.name = b.author", [{ id: "2" }]],
      ["INSERT INTO books (author) VALUES ('eve')", /"books_author_fkey"/]],
    down: [["INSERT INTO books (author) VALUES ('eve') RETURNING author", [{ author: "eve" }]]],
  },
  { title: "a reference refers to nothing any more, and keeps its values", before: service({ author: to("authors", { foreign_key: "name" }) }),
    rows: `${people} INSERT INTO books (author) VALUES ('bob')`, after: service({ author: { type: "string" } }),
    up: [["INSERT INTO books (author) VALUES ('eve') RETURNING author", [{ author: "eve" }]]],
    down: [["INSERT INTO books (author) VALUES ('eve')", /"books_author_fkey"/], ["SELECT author FROM books", [{ author: "bob" }]]] },
  { title: "a reference refers to another model",
    before: service({ author_id: to("authors") }),
    rows: `${people} INSERT INTO shops (name) VALUES ('u'); INSERT INTO books (author_id) VALUES (2)`,
    after: service({ author_id: to("shops") }),
    accepted: ["add_foreign_key:books.books_author_id_fkey"],
    up: [["INSERT INTO books (author_id) VALUES (3) RETURNING author_id", [{ author_id: "3" }]], [nowhere, refused]],
    down: [["INSERT INTO books (author_id) VALUES (3)", refused], [joined, [{ name: "bob" }]]],
  },
  ...(["cascade", "set_null"] as const).map((rule): ChangeCase => {
    return { title: `what is referred to is deleted: from restrict to ${rule}`,
      before: service({ author_id: to("authors") }),
      rows: `${people} INSERT INTO books (author_id) VALUES (2)`,
      after: service({ author_id: to("authors", { on_delete: rule }) }),
      up: [
        [
          "WITH gone AS (DELETE FROM authors WHERE id = 2 RETURNING name) SELECT name FROM gone",
          [{ name: "bob" }],
        ],
      ],
      down: [["DELETE FROM authors WHERE id = 2", refused]],
    };
  }),
  { title: "a field that is referred to is renamed and gets longer",
    before: service({ author: to("authors", { foreign_key: "name" }) }),
    rows: `${people} INSERT INTO books (author) VALUES ('bob')`,
    after: service(
      { author: to("authors", { foreign_key: "full_name" }) },
      { authors: { fields: { full_name: { type: "string", max_length: 300, unique: true, renamed_from: "name" } },
        },
      },
    ),
    up: [["SELECT a.id FROM books b JOIN authors a ON a.full_name = b.author", [{ id: "2" }]],
      ["INSERT INTO books (author) VALUES ('eve')", /"books_author_fkey"/],
      ["INSERT INTO authors (full_name) VALUES (repeat('x', 300)) RETURNING length(full_name)", [{ length: 300 }]]],
    down: [["INSERT INTO books (author) VALUES ('eve')", /"books_author_fkey"/],
      ["INSERT INTO authors (name) VALUES (repeat('x', 300))", /too long/]],
  },
  { title: "two models come to refer to each other",
    before: service({}),
    rows: `${people} INSERT INTO books (title) VALUES ('x')`,
    after: service({ author_id: to("authors", { on_delete: "cascade" }) }, { authors: { fields: { ...named, best_id: to("books") } } }),
    up: [["UPDATE authors SET best_id = 9", /"authors_best_id_fkey"/],
      ["UPDATE authors SET best_id = 1 RETURNING best_id", [{ best_id: "1" }, { best_id: "1" }]], [nowhere, refused]],
    down: [["SELECT best_id FROM authors", /does not exist/], ["SELECT author_id FROM books", /does not exist/]],
  },
];

test.each(cases)("$title", tryChange);

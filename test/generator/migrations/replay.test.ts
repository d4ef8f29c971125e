import { expect, test } from "vitest";
import { replay } from "#generator/migrations/replay";
import type { Column, Step } from "#vocabulary/migrations/migration-steps";

const id: Column = { name: "id", type: "bigint", nullable: false, default: "identity" };
const text = (name: string): Column => ({ name, type: "text", nullable: true });
const books: Step = { step: "create_table", table: "books", columns: [id, text("title")] };
const key = { name: "books_title_key", columns: ["title"], unique: true, live: false };
const parts = { indexes: [], foreignKeys: [], checks: [] };
const table = { model: "books", name: "books", columns: [id, text("title")], ...parts };

test("a table belongs to the model of its name, unless a step names another", () => {
  const shelves: Step = { ...books, table: "shelves", model: "Shelf" };
  expect(replay([books, shelves])).toEqual([table, { ...table, name: "shelves", model: "Shelf" }]);
  expect(replay([shelves, { step: "rename_table", table: "shelves", to: "racks" }])).toEqual([
    { ...table, name: "racks", model: "racks" },
  ]);
  expect(replay([books, { step: "rename_table", table: "books", to: "volumes", model: "Book" }])).toEqual([
    { ...table, name: "volumes", model: "Book" },
  ]);
});

test("references to a renamed table or column follow it", () => {
  const foreignKey = {
    name: "books_parent_fkey",
    column: "parent",
    references: { table: "books", column: "id" },
    onDelete: "cascade",
  } as const;
  const [renamed] = replay([
    { ...books, columns: [id, text("title"), text("parent")] },
    { step: "add_index", table: "books", index: key },
    { step: "add_check", table: "books", check: { name: "c", column: "title", oneOf: ["x"] } },
    { step: "add_foreign_key", table: "books", foreignKey },
    { step: "rename_table", table: "books", to: "volumes" },
    { step: "rename_column", table: "volumes", column: "title", to: "name" },
    { step: "rename_index", table: "volumes", name: key.name, to: "volumes_name_key" },
    { step: "rename_constraint", table: "volumes", name: "books_parent_fkey", to: "volumes_parent_fkey" },
    { step: "rename_constraint", table: "volumes", name: "c", to: "d" },
    { step: "rename_constraint", table: "volumes", name: "books_pkey", to: "volumes_pkey" },
  ]);
  expect(renamed).toMatchObject({
    name: "volumes",
    columns: [id, text("name"), text("parent")],
    indexes: [{ name: "volumes_name_key", columns: ["name"] }],
    checks: [{ name: "d", column: "name" }],
    foreignKeys: [{ name: "volumes_parent_fkey", references: { table: "volumes", column: "id" } }],
  });
});

test("the indexes and keys of a column are dropped with it", () => {
  const steps: Step[] = [books, { step: "add_index", table: "books", index: key }];
  expect(replay([...steps, { step: "drop_column", table: "books", column: "title" }])).toEqual([
    { ...table, columns: [id] },
  ]);
});

test("the usual primary key is implicit", () => {
  const primaryKey = { name: "books_pk", columns: ["title"] };
  const odd: Step = { ...books, primaryKey };
  expect(replay([odd])).toEqual([{ ...table, primaryKey }]);
  const dropped: Step = { step: "drop_primary_key", table: "books", name: "books_pk" };
  const usual: Step = {
    step: "add_primary_key",
    table: "books",
    primaryKey: { name: "books_pkey", columns: ["id"] },
  };
  expect(replay([odd, dropped, usual])).toEqual([table]);
});

test("another type of ids changes the columns that refer to them", () => {
  const reference: Column = { name: "parent", type: "bigint", nullable: true };
  // biome-ignore format: one case a line
  const steps: Step[] = [
    { ...books, columns: [id, reference] },
    { step: "set_id_type", table: "books", type: "uuid", references: [{ table: "books", column: "parent", nullable: true }] },
  ];
  expect(replay(steps)[0]?.columns).toEqual([
    { name: "id", type: "uuid", nullable: false, default: "random_uuid" },
    { ...reference, type: "uuid" },
  ]);
});

// biome-ignore format: one case a line
test.each<[Step, string]>([
  [{ step: "drop_table", table: "pens" }, "drop_table: the table pens does not exist at this point"],
  [{ step: "drop_column", table: "books", column: "isbn" }, "drop_column: the column books.isbn does not exist at this point"],
  [{ step: "drop_index", table: "books", name: "x" }, "drop_index: books has no x at this point"],
  [{ step: "rename_index", table: "books", name: "x", to: "y" }, "rename_index: books has no x at this point"],
])("%j is a problem if its target does not exist", (step, message) => {
  expect(() => replay([books, step])).toThrow(message);
});

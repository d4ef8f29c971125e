import { diffLines } from "diff";
import { expect, test } from "vitest";
import { definitionOf } from "../../review/changes-between.ts";
import { schemaOf } from "./schema-of.ts";

// Reviewers read the diff of the schema: a field stands once in each place where the contract has it, and types are shared.
const everyone = [{ role: "*" }];
const operations = "fetch search create update upsert delete destroy restore".split(" ");
const access = Object.fromEntries(operations.map((name) => [name, everyone]));

/** A shelf of books, all of it open to everybody, with these fields of a book. */
async function schemaWith(fields: object): Promise<string> {
  const shelf = { type: "belongs_to", relationship: { model: "shelves" } };
  const books = { type: "has_many", relationship: { model: "books", foreign_key: "shelf_id" } };
  return schemaOf(
    await definitionOf({
      shelves: { fields: { name: { type: "string" }, books }, access },
      books: { fields: { shelf_id: shelf, ...fields, size: { type: "integer" } }, soft_delete: true, access },
    }),
  );
}

/** Lines that a diff of two texts adds and removes. */
function changed(before: string, after: string): { added: number; removed: number } {
  const parts = diffLines(before, after);
  const count = (kind: "added" | "removed") =>
    parts.reduce((sum, part) => sum + (part[kind] ? part.count : 0), 0);
  return { added: count("added"), removed: count("removed") };
}

const title = { type: "string" };

// Arguments of the list, the aggregates and the join; `where`; the row, and the two inputs; orders of both, the figures with
// their types.
test.each([
  ["a number", { type: "integer" }, 13],
  ["a text", { type: "text" }, 11],
  ["a flag", { type: "boolean" }, 10],
])("%s more is a line in each place", async (_, pages, lines) => {
  const [before, after] = [await schemaWith({ title }), await schemaWith({ title, pages })];
  expect(changed(before, after)).toEqual({ added: lines, removed: 0 });
});

test("a field that moves moves in each place", async () => {
  const pages = { type: "integer" };
  const [before, after] = [await schemaWith({ pages, title }), await schemaWith({ title, pages })];
  expect(changed(before, after)).toEqual({ added: 11, removed: 11 });
});

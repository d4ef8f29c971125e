import { expect, test } from "vitest";
import { definitionOf, noticed } from "./changes-between.ts";

const everyone = [{ role: "*" }];
const text = { type: "string" };
const author = { type: "belongs_to", relationship: { model: "authors" } };

/** Books of authors, who are internal: only joins of GraphQL reach them. */
function library(authors: object, books: object = { author_id: author }) {
  const gates = ["id", ...Object.keys(authors)].map((name) => [name, { read: ["*"] }]);
  return {
    books: { fields: books, access: { fetch: everyone } },
    authors: { fields: authors, internal: true, access: { fields: Object.fromEntries(gates) } },
  };
}

const gone = (what: string) => `GraphQL: ${what} (anyone who uses it in GraphQL)`;

// biome-ignore format: one case a line
test.each<[string, object, object, string[]]>([
  ["the same", library({ name: text }), library({ name: text }), []],
  ["a field that comes", library({}), library({ name: text }), []],
  ["a field that goes", library({ name: text }), library({}), [gone("authors.name was removed")]],
  ["a field that can be null", library({ name: { ...text, required: true } }), library({ name: text }),
    [gone("authors.name changed type from String! to String")]],
  ["a field that cannot be null any more", library({ name: text }), library({ name: { ...text, required: true } }), []],
  ["a value of an enum that goes", library({ name: { ...text, enum: ["a", "b"] } }), library({ name: { ...text, enum: ["a"] } }),
    [gone("b was removed from enum type Authors_name")]],
  ["a value of an enum that comes", library({ name: { ...text, enum: ["a"] } }), library({ name: { ...text, enum: ["a", "b"] } }),
    [`worth knowing: ${gone("b was added to enum type Authors_name")}`]],
  ["a join that changes together with a field called `type`", library({}, { author_id: author, type: text }),
    library({}, { author_id: author, type: { type: "integer" }, author: text }),
    ["books.type is of type integer; before: string (anyone who reads or filters by it)",
      gone("books.author_id changed type from BigInt to authors"), gone("books.author changed type from authors to String")]],
  ["a value of an order that comes", library({}), { ...library({}), books: { fields: { author_id: author, title: text }, access: { fetch: everyone } } }, []],
  ["a join that goes", library({ name: text }), library({ name: text }, { author_id: { type: "integer" } }),
    ["books.author_id refers to no row; before: a row by authors.id (anyone who sends, reads or filters by it)",
      gone("authors was removed"), gone("books.author was removed")]],
])("%s", async (_, before, after, lines) => {
  expect(noticed(await definitionOf(before), await definitionOf(after))).toEqual(lines);
});

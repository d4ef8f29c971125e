import { expect, test } from "vitest";
import { loadFiles } from "./load-text.ts";

async function hintOf(type: string): Promise<string | null | undefined> {
  const books = { fields: { a: { type } }, access: { fetch: [{ role: "*" }] } };
  const { diagnostics } = await loadFiles({ "models.json": { books } });
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-field-type"]);
  return diagnostics[0]?.hint;
}

const anyList = 'a list type is the element type with [], such as "string[]"';

test.each([
  ["numeric", 'did you mean "decimal"?'],
  ["money", 'did you mean "decimal"?'],
  ["Decimal", 'did you mean "decimal"?'],
  ["numeric(12, 2)", 'write "type": "decimal", "precision": 12, "scale": 2'],
  ["decimal(8)", 'write "type": "decimal", "precision": 8, "scale": 0'],
  ["varchar(40)", 'write "type": "string", "max_length": 40'],
  ["int", 'did you mean "integer"?'],
  ["int64", 'did you mean "bigint"?'],
  ["int8", 'did you mean "bigint"?'],
  ["BIGINT", 'did you mean "bigint"?'],
  ["timetz", 'did you mean "time"?'],
  ["jsonb", 'did you mean "json"?'],
  ["array", anyList],
  ["list", anyList],
  ["[]", anyList],
  ["string []", 'did you mean "string[]"?'],
  ["strng[]", 'did you mean "string[]"?'],
  ["String[ ]", 'did you mean "string[]"?'],
  ["[string]", 'did you mean "string[]"?'],
  ["array<string>", 'did you mean "string[]"?'],
  ["list of integers", 'did you mean "integer[]"?'],
  ["int64[]", 'did you mean "bigint[]"?'],
  ["varchar(40)[]", 'did you mean "string[]"?'],
  ["numeric[]", 'did you mean "decimal[]"?'],
  ["string[][]", 'a list cannot contain lists; use the type "json" for nested values'],
  ["json[]", 'the type "json" can contain lists'],
  ["belongs_to[]", 'rows of another model are "has_many"'],
  ["boolen", 'did you mean "boolean"?'],
])("type %j: %s", async (type, hint) => expect(await hintOf(type)).toBe(hint));

test.each(["password[]", "polygon", "[".repeat(200), "()"])("type %j is near none", async (type) =>
  expect(await hintOf(type)).toMatch(/^one of string, text, /),
);

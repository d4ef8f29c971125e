import { expect, test } from "vitest";
import { type OpenAccess, similarIds } from "#generator/review/access/access-ids";
import { parseMatrix } from "#generator/review/access/parse-matrix";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const operations = ["fetch", "search", "create", "update", "delete"];
const roles = numbers(20).map((number) => `role${number}`);
const models = numbers(300).map((number) => `model${number}`);
const columns = new Set(numbers(50).map((number) => `column${number}`));
const matrix = models.map((model) => {
  const rows = `${operations.join(", ")}  ${roles.join(", ")}: column1 = 1 OR column2 = 2`;
  return `${model}\n  ${rows}\n  writes\n    role1  all but column1\n  reads\n    role1  column2\n    role1, role2  and column1`;
});
const open: OpenAccess = {
  ...parseMatrix(matrix.join("\n")),
  fields: new Map(models.map((model) => [model, { read: columns, write: columns }])),
};

test("an entry is compared with changes of its own operation of its own model, for any number of models", () => {
  const rows = similarIds("model7.fetch to role3: column1 = 2", open);
  expect(rows).toHaveLength(2 * roles.length);
  expect(rows.every((id) => id.startsWith("model7.fetch to role"))).toBe(true);
});

test("and with changes of its own field", () => {
  expect(similarIds("model7.column1 read by role9", open)).toEqual([
    "model7.column1 read by role1",
    "model7.column1 read by role2",
  ]);
  // biome-ignore format: one case a line
  expect(similarIds("model7.column2 raed by role9", open)).toEqual([
    "model7.column2 read by role9", "model7.column2 read by *", "model7.column2 written by role9", "model7.column2 written by *",
  ]);
});

test("a model, an operation and a field that are not there stand for the nearest ones", () => {
  expect(similarIds("modell7.fetc to role3: all rows", open)).toContain("model7.fetch to role3: column1 = 1");
  expect(similarIds("modell7.colum2 read by role3", open)).toContain("model7.column2 read by role3");
  expect(similarIds("nothing.like to it: all rows", open)).toEqual([]);
  expect(similarIds("no name", open)).toEqual([]);
});

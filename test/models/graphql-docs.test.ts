import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { problemsIn, schemaText, validSchema } from "../generator/graphql/schemas.ts";
import { shopService } from "./shop-service.ts";

const { call } = await shopService();
const docs = readFileSync(new URL("../../docs/graphql.md", import.meta.url), "utf8");

/** Each document of the docs, and the data below it where there is any. */
const examples = [...docs.matchAll(/```graphql\n([^`]+)```\n(?:\n```json\n([^`]+)```)?/g)].map(
  ([, query = "", data]) => ({ query, data }),
);

const variables = { pages: 300, min: 100, ids: [3] };

/** Keys and types of a value; a list has those of its first element. Titles and prices belong to the seed. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
}

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(4);
});

test.each(examples)("docs/graphql.md: $query", async ({ query, data }) => {
  const { status, text, envelope } = await call("POST /graphql", "admin", { query, variables });
  expect(status, text).toBe(200);
  if (data !== undefined) expect(shape(envelope.data)).toEqual(shape(JSON.parse(data)));
});

test("the examples fit the schema, with orders as its enums have them", () => {
  const schema = validSchema(schemaText("generated"));
  for (const { query } of examples) {
    const typed = query.replace(/orderBy: "-(\w+)"/g, "orderBy: $1__desc");
    expect(problemsIn(schema, typed), query).toEqual([]);
  }
});

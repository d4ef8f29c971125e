import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { problemsIn, schemaText, validSchema } from "../../../test/generator/emit/graphql/schemas.ts";
import { curlExamples, curlRequest } from "../../../test/support/docs.ts";
import { sendRequest } from "../../../test/support/request.ts";
import { seededRows, shopService } from "../shop-service.ts";

const { origin, call } = await shopService(seededRows);
const docs = ["graphql.md", "graphql-clients.md"]
  .map((page) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8"))
  .join("\n");

/** Each document of the docs, and the data below it where there is any. */
const examples = [...docs.matchAll(/```graphql\n([^`]+)```\n(?:\n```json\n([^`]+)```)?/g)].map(
  ([, query = "", data]) => ({ query, data }),
);

const variables = { pages: 300, min: 1, ids: [3] };

/** An answer without the moment at which it was asked for. */
const timeless = (text: string): unknown =>
  JSON.parse(text, (name, value) => (name === "deleted_at" ? typeof value : value));

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(4);
  expect(curlExamples(docs).length).toBeGreaterThan(2);
});

describe("after `npm run seed` the shop gives the answers of docs/graphql.md", () => {
  test.each(curlExamples(docs))("$command", async ({ command, answer }) => {
    const { text } = await sendRequest(origin, curlRequest(command));
    expect(JSON.parse(text)).toEqual(JSON.parse(answer));
  });

  test.each(examples)("$query", async ({ query, data }) => {
    const as = query.startsWith("mutation") ? "admin" : null;
    const { status, text, envelope } = await call("POST /graphql", as, { query, variables });
    expect(status, text).toBe(200);
    if (data !== undefined) expect(timeless(JSON.stringify(envelope.data))).toEqual(timeless(data));
  });
});

test("the examples fit the schema, with orders as its enums have them", () => {
  const schema = validSchema(schemaText("generated"));
  for (const { query } of examples) {
    const typed = query.replace(/orderBy: "-(\w+)"/g, "orderBy: $1__desc");
    expect(problemsIn(schema, typed), query).toEqual([]);
  }
});

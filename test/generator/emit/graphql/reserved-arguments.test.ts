import { getNamedType } from "graphql";
import { expect, test } from "vitest";
import { definitionOf } from "../../review/changes-between.ts";
import { schemaOf } from "./schema-of.ts";
import { validSchema } from "./schemas.ts";

const names = ["limit", "offset", "orderBy", "order_by", "search", "groupBy", "group_by", "page"];
const everyone = [{ role: "*" }];
const access = { fetch: everyone, search: everyone };

/** Those of the names that a field of the schema is filtered by. */
async function filtersOf(type: string, field: string): Promise<string[]> {
  const shelf = { type: "belongs_to", relationship: { model: "shelves" } };
  const books = { type: "has_many", relationship: { model: "books", foreign_key: "shelf_id" } };
  const fields = Object.fromEntries(names.map((name) => [name, { type: "float" }]));
  const text = { type: "text", searchable: true };
  const definition = await definitionOf({
    shelves: { fields: { books }, access },
    books: { fields: { shelf_id: shelf, ...fields, text }, access },
  });
  const named = validSchema(schemaOf(definition)).getType(type);
  const args = named !== undefined && "getFields" in named ? named.getFields()[field] : undefined;
  if (args === undefined || !("args" in args)) throw new Error(`${type} has no ${field}`);
  return args.args.flatMap((one) => (getNamedType(one.type).name === "FloatFilter" ? [one.name] : []));
}

// The endpoint reads the others as parameters, so that a filter of such a name would never be one.
test.each([
  ["Query", "books", ["groupBy", "group_by", "page"]],
  ["shelves", "books", ["search", "groupBy", "group_by", "page"]],
  ["Query", "books_aggregate", ["page"]],
])("%s.%s is filtered by the names that are not parameters there", async (type, field, filters) => {
  expect(await filtersOf(type, field)).toEqual(filters);
});

import { type GraphQLSchema, isEnumType, isSpecifiedScalarType } from "graphql";
import { expect, test } from "vitest";
import { scalarsView } from "#generator/emit/views/graphql/scalars";
import { definitionOf } from "../../review/changes-between.ts";
import { schemaOf } from "./schema-of.ts";
import { validSchema } from "./schemas.ts";

const everyone = [{ role: "*" }];
const operations = "fetch search create update delete".split(" ");
const access = Object.fromEntries(operations.map((name) => [name, everyone]));

async function serviceWith(fields: object) {
  const definition = await definitionOf({
    shops: { fields: { name: { type: "string" }, ...fields }, access },
  });
  return { schema: validSchema(schemaOf(definition)), definition };
}

/** The fields of a type with their types, or the values of an enum. */
function linesOf(schema: GraphQLSchema, name: string): string[] {
  const type = schema.getType(name);
  if (isEnumType(type)) return type.getValues().map((value) => value.name);
  if (type === undefined || !("getFields" in type)) throw new Error(`${name} is no type with fields`);
  return Object.values(type.getFields()).map((field) => `${field.name}: ${String(field.type)}`);
}

const scalarsOf = (schema: GraphQLSchema) =>
  Object.values(schema.getTypeMap()).filter(
    (type) => type.astNode?.kind === "ScalarTypeDefinition" && !isSpecifiedScalarType(type),
  );

// Types that were not always there stand only where something needs them: other schemas keep their bytes.
test.each([
  ["integer", []],
  ["decimal", ["Decimal", "DecimalFilter"]],
  ["bigint", ["Int64", "Decimal", "Int64Filter"]],
  ["time", ["Time", "TimeFilter"]],
  ["text[]", ["StringListFilter"]],
  ["email[]", ["StringListFilter"]],
  ["float[]", ["FloatListFilter"]],
  ["decimal[]", ["Decimal", "DecimalListFilter"]],
  ["bigint[]", ["Int64", "Int64ListFilter"]],
  ["time[]", ["Time", "TimeListFilter"]],
])(
  "a field of type %s brings its scalars, which have descriptions and types for clients",
  async (type, brought) => {
    const size = type.startsWith("decimal") ? { precision: 10, scale: 2 } : {};
    const [before, after] = [await serviceWith({}), await serviceWith({ more: { type, ...size } })];
    const known = scalarsOf(before.schema).map(({ name }) => name);
    const scalars = scalarsOf(after.schema);
    expect(scalars.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual(brought);
    expect(scalars.filter(({ description }) => !description)).toEqual([]);
    const typed = scalarsView(after.definition).lines.map((line) => /^"(\w+)"/.exec(line)?.[1]);
    expect(typed).toEqual(scalars.map(({ name }) => name));
  },
);

const fields = {
  price: { type: "decimal", precision: 10, scale: 2, required: true },
  visits: { type: "bigint" },
  opens: { type: "time" },
  tags: { type: "string[]", required: true },
  sizes: { type: "integer[]" },
  kinds: { type: "string[]", enum: ["toys", "books"], default: ["toys"], description: "What it sells" },
  ways: { type: "text[]", enum: ["by foot"] },
  rates: { type: "decimal[]", precision: 5, scale: 3 },
};

test("values keep their types in rows, inputs and filters", async () => {
  const { schema } = await serviceWith(fields);
  // biome-ignore format: one case a line
  expect(linesOf(schema, "shops").slice(2, -2)).toEqual([
    "price: Decimal!", "visits: Int64", "opens: Time", "tags: [String!]!", "sizes: [Int!]", "kinds: [Shops_kinds!]", "ways: [String!]",
    "rates: [Decimal!]",
  ]);
  expect(linesOf(schema, "Shops_kinds")).toEqual(["toys", "books"]);
  // biome-ignore format: one case a line
  expect(linesOf(schema, "ShopsCreate")).toEqual([
    "id: BigInt", "name: String", "price: Decimal!", "visits: Int64", "opens: Time", "tags: [String!]!", "sizes: [Int!]", "kinds: [Shops_kinds!]",
    "ways: [String!]", "rates: [Decimal!]",
  ]);
  // biome-ignore format: one case a line
  expect(linesOf(schema, "ShopsWhere").slice(2, -2)).toEqual([
    "price: DecimalFilter", "visits: Int64Filter", "opens: TimeFilter", "tags: StringListFilter", "sizes: IntListFilter", "kinds: StringListFilter",
    "ways: StringListFilter", "rates: DecimalListFilter",
  ]);
});

test("the default of a list is described as a GraphQL literal", async () => {
  const { schema } = await serviceWith(fields);
  const input = schema.getType("ShopsCreate");
  const kinds = input !== undefined && "getFields" in input ? input.getFields()["kinds"] : undefined;
  expect(kinds?.description).toBe("What it sells. `[toys]` in a new row, unless it is sent.");
});

test("figures are exact, and nothing is ordered, grouped or added up by a list", async () => {
  const { schema } = await serviceWith(fields);
  expect(
    linesOf(schema, "shops_aggregate").filter((line) =>
      /^[a-z]+_.*(price|visits|opens|tags|sizes|kinds|ways|rates)/.test(line),
    ),
  ).toEqual([
    ...["sum_price: Decimal", "avg_price: Decimal", "min_price: Decimal", "max_price: Decimal"],
    ...["sum_visits: Decimal", "avg_visits: Decimal", "min_visits: Int64", "max_visits: Int64"],
    ...["min_opens: Time", "max_opens: Time"],
  ]);
  // biome-ignore format: one case a line
  expect(linesOf(schema, "ShopsOrderBy").filter((name) => !name.endsWith("__desc"))).toEqual([
    "id", "name", "price", "visits", "opens", "created_at", "updated_at",
  ]);
});

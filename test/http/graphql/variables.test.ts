import { describe, expect, test } from "vitest";
import {
  type GraphqlScenario,
  graphqlScenarios,
  sendGraphql,
  type Variables,
} from "../../support/graphql.ts";
import { asked, refused, root, tree } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const given = tree;

describe("variables", () => {
  const named = (type: string, value: Variables, data: object): GraphqlScenario =>
    asked(`query ($v: ${type}) { folders(size: $v) { id } }`, data, value);
  const found = (...ids: number[]) => ({ folders: ids.map((id) => ({ id })) });
  const wrong = (type: string, value: Variables, use = "size: $v"): GraphqlScenario => ({
    given,
    query: `query ($v: ${type}) { folders(${use}) { id } }`,
    variables: value,
    fails: invalid,
  });
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    named("Int", { v: 5 }, found(1)),
    named("Int!", { v: 5 }, found(1)),
    named("IntFilter", { v: 5 }, found(1)),
    named("IntFilter", { v: { gte: 5 } }, found(1, 6)),
    named("IntFilter!", { v: { in: [1, 3] } }, found(2, 4, 5)),
    named("IntFilter", { v: { is_null: true } }, found(3, 9)),
    { ...named("Int", { v: null }, found(3, 9)), name: "null: IS NULL" },
    { ...named("IntFilter", { v: { eq: null } }, found(3, 9)), name: "eq: null too" },
    { ...named("Int = 5", {}, found(1)), name: "a default" },
    { ...named("Int = 5", { v: 3 }, found(2)), name: "a default, and a value" },
    { ...named("Int! = 5", {}, found(1)), name: "a default of what must not be null" },
    { ...named("IntFilter = { lt: 3 }", {}, found(4, 5)), name: "an object as default" },
    { ...asked("query ($v: Int) { folders(size: { gt: $v, lt: 9 }) { id } }", found(1), { v: 3 }), name: "inside an object" },
    { ...asked("query ($v: Int, $w: Int = 3) { folders(size: { in: [9, $v, $w] }) { id } }", found(1, 2, 6), { v: 5 }), name: "inside a list" },
    { ...asked("query ($v: [Int!]!) { folders(size: { in: $v }) { id } }", found(1), { v: [5, 8] }), name: "a list" },
    asked("query ($n: Int, $m: Int) { folders(limit: $n, offset: $m) { id } }", found(2, 3), { n: 2, m: 1 }),
    { ...asked("query ($id: ID) { folders(id: $id) { name } }", root, { id: "1" }), name: "an id as text" },
    asked("query ($id: BigInt) { folders(id: $id) { name } }", root, { id: 1 }),
    asked("query ($s: String!) { folders(name: { like: $s }) { name } }", root, { s: "roo" }),
    refused("query ($unused: Int) { folders(id: 1) { name } }"),
    { ...asked("{ folders(id: 1) { name } }", root, { extra: 1 }), name: "what no operation declares is ignored" },
    { ...asked(
        "query ($a: Int) { a: folders(size: $a) { id } b: folders(size: $a, limit: 1) { id } }",
        { a: [{ id: 4 }, { id: 5 }],
          b: [{ id: 4 }],
        },
        { a: 1 },
      ),
      name: "one variable twice",
    },
    { ...asked(
        "query A($v: Int) { folders(size: $v) { ...f } } fragment f on folders { children(size: $v) { id } }",
        { folders: [{ children: [{ id: 5 }] }, { children: [] }],
        },
        { v: 1 },
      ),
      name: "in a fragment",
    },
    wrong("Int", { v: "5" }),
    wrong("Int", { v: 5.5 }),
    wrong("Int", { v: true }),
    wrong("Int", { v: 2147483648 }),
    wrong("Int", { v: [5] }),
    wrong("Int", { v: { eq: 5 } }),
    wrong("Int!", {}),
    wrong("Int!", { v: null }),
    wrong("[Int!]", { v: [null] }, "size: { in: $v }"),
    wrong("[Int]", { v: [null] }, "size: { in: $v }"),
    wrong("[Int]", { v: ["1"] }, "size: { in: $v }"),
    wrong("String", { v: 5 }, "name: $v"),
    wrong("String", { v: 5 }),
    wrong("Boolean", { v: "true" }, "limit: 1, name: $v"),
    wrong("IntFilter", { v: { gt: "x" } }),
    wrong("IntFilter", { v: { nonsense: 1 } }),
    wrong("IntFilter", { v: { gt: null } }),
    wrong("IntFilter", { v: [1] }),
    wrong("Int", { v: 1 }, "size: $w"),
    wrong("Int = $w", { v: 1 }),
    wrong('Int = "x"', {}),
    wrong("Int", { v: 0 }, "limit: $v"),
    { ...refused("query ($v: Int, $v: Int) { folders(size: $v) { id } }"), variables: { v: 1 } },
    { ...refused("query ($v: Int!) { folders(size: $v) { id } }"), name: "none were sent" },
    { ...refused("query ($v: ) { folders(size: $v) { id } }") },
    { ...refused("query ($v) { folders(size: $v) { id } }") },
    { ...refused("query ($v: [Int) { folders(size: $v) { id } }") },
    { ...refused("{ folders(size: $v) { id } }"), variables: { v: 1 } },
    { ...refused("query ($s: String) { folders(name: $s) { id } }"), variables: { s: "a\u0000b" }, name: "a NUL" },
  ]);

  test("values are bound: one text, many values, each with its own answer", async () => {
    await service.store(given);
    const query = "query ($v: IntFilter, $n: Int) { folders(size: $v, limit: $n) { id } }";
    const ids = async (variables: Variables) =>
      (await sendGraphql(service, query, null, variables)).envelope.data;
    expect(await ids({ v: 5 })).toEqual(found(1));
    expect(await ids({ v: null })).toEqual(found(3, 9));
    expect(await ids({ v: { gt: 3 } })).toEqual(found(1, 6));
    expect(await ids({ v: 3 })).toEqual(found(2));
    expect(await ids({ n: 1 })).toEqual(found(1));
    expect(await ids({ v: { in: [1, 3], gt: 2 } })).toEqual(found(2));
    expect(await ids({})).toEqual(found(1, 2, 3, 4, 5, 6, 9));
  });
});

const text = ["StringFilter", "String", "ID"];
const number = ["IntFilter", "Int"];
const reference = ["BigIntFilter", "BigInt", "Int", "ID"];
const uuid = ["UUIDFilter", "UUID", "ID", "String"];

/** The types that a variable for a filter may be declared with: the schema's filter type, or a plain one. */
const fields: Readonly<Record<string, readonly string[]>> = {
  id: reference,
  string: text,
  text,
  email: text,
  integer: number,
  float: ["FloatFilter", "Float", "Int"],
  boolean: ["BooleanFilter", "Boolean"],
  datetime: ["DateTimeFilter", "DateTime", "String"],
  created_at: ["DateTimeFilter", "DateTime", "String"],
  date: ["DateFilter", "Date", "String"],
  uuid,
  owner_id: uuid,
  twin_id: reference,
  json: ["JSONFilter", "JSON"],
  size: ["EnumFilter", "StringFilter", "Things_size", "String", "ID"],
  grade: ["EnumFilter", "IntFilter", "Things_grade", "Int"],
};
const inputs = ["ThingsCreate", "ThingsUpdate", "ThingsUpsert", "ThingsRestore", "ThingsGroupBy"].concat(
  ...["BooksCreate", "BooksUpdate", "BooksRestore", "ThingsAggregateOrderBy"],
);
const all = [...new Set(Object.values(fields).flat()), "ThingsWhere", "ThingsOrderBy", ...inputs, "Nothing"];

/** With a variable that is not given, so that only its type counts. */
async function expectFit(document: (type: string) => string, fitting: readonly string[]): Promise<void> {
  for (const type of all) {
    const reply = await sendGraphql(service, document(type), "admin");
    const expected = fitting.includes(type)
      ? /^(200|404 NOT_FOUND|400 VALIDATION_ERROR (?!v$).*)$/
      : /^400 VALIDATION_ERROR v$/;
    expect(outcome(reply), `${type}: ${reply.text}`).toMatch(expected);
  }
}

describe("a variable for a filter is declared with a type that fits", () => {
  test.each(Object.entries(fields))("%s", async (field, fitting) => {
    const filters = fitting.filter((type) => type.endsWith("Filter"));
    const plain = fitting.filter((type) => !filters.includes(type));
    await expectFit((type) => `query ($v: ${type}) { things(${field}: $v) { id } }`, fitting);
    const inside = field === "json" ? "{ eq: $v }" : "{ in: [$v] }";
    await expectFit((type) => `query ($v: ${type}) { things(${field}: ${inside}) { id } }`, plain);
    await expectFit(
      (type) => `query ($v: ${type}) { things(${field}: { is_null: $v }) { id } }`,
      ["Boolean"],
    );
  });
});

describe("so is one for another argument", () => {
  test.each([
    ["limit: $v", ["Int"]],
    ["offset: $v", ["Int"]],
    ["search: $v", ["String"]],
    ["orderBy: $v", ["ThingsOrderBy", "String"]],
    ["order_by: $v", ["ThingsOrderBy", "String"]],
  ])("%s", (argument, fitting) =>
    expectFit((type) => `query ($v: ${type}) { things(${argument}) { id } }`, fitting),
  );

  test.each([
    ["destroyThings(ids: $v)", ["BigInt", "Int", "ID"]],
    ["destroyThings(ids: [1, $v])", ["BigInt", "Int", "ID"]],
    ["destroyThings(where: $v)", ["ThingsWhere"]],
    ["updateThings(where: { id: 1 }, input: { integer: $v })", ["Int"]],
    ["updateThings(where: { id: 1 }, input: { json: { a: $v } })", all],
    ["createThings(input: { size: $v })", ["Things_size", "String", "ID"]],
  ])("%s", (root, fitting) => expectFit((type) => `mutation ($v: ${type}) { ${root} { id } }`, fitting));

  test.each([
    ["updateThings(where: { id: 1 }, input: $v)", ["ThingsUpdate"]],
    ["createThings(input: $v)", ["ThingsCreate"]],
    ["upsertThings(input: $v)", ["ThingsCreate"]],
    ["restoreBooks(where: { id: 1 }, input: $v)", ["BooksUpdate"]],
  ])("%s, by the one name of its type", (root, fitting) =>
    expectFit((type) => `mutation ($v: ${type}) { ${root} { id } }`, fitting),
  );

  test.each([
    ["things_aggregate(groupBy: $v)", ["ThingsOrderBy", "String"]],
    ["things_aggregate(orderBy: $v)", ["ThingsAggregateOrderBy", "String"]],
  ])("%s", (root, fitting) => expectFit((type) => `query ($v: ${type}) { ${root} { count } }`, fitting));

  test("a filter of a write, which must have its variable", () =>
    expectFit(
      (type) =>
        `mutation ($v: ${type} = null) { updateThings(where: { integer: $v }, input: { float: 1 }) { id } }`,
      number,
    ));
});

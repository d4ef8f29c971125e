import { describe, expect, test } from "vitest";
import { sendGraphql } from "../../support/graphql.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

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

/** With a variable that is not given, so that its type alone counts. */
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

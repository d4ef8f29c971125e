import { describe, expect, it } from "vitest";
import { Documents, readVariables } from "#runtime/graphql/document/index";
import { defaultLimits, refusal } from "./reading.ts";

function read(declaration: string, sent: Record<string, unknown>): unknown {
  const operation = new Documents(defaultLimits).operation(`query(${declaration}) { a(x: $v) }`, null);
  return readVariables(operation.variables, sent).value("v");
}

describe("a variable of a built-in type", () => {
  it.each<[string, unknown, unknown]>([
    ["Int", 5, 5],
    ["Int", 5.0, 5],
    ["Int", 2_147_483_647, 2_147_483_647],
    ["Int", -2_147_483_648, -2_147_483_648],
    ["Int", null, null],
    ["Int!", 0, 0],
    ["Float", 1.5, 1.5],
    ["Float", 3, 3],
    ["String", "", ""],
    ["Boolean", false, false],
    ["ID", "a", "a"],
    ["ID", 7, 7],
    ["[Int]", [1, null], [1, null]],
    ["[Int!]!", [1, 2], [1, 2]],
    ["[Int]", 1, [1]],
    ["[[Int]]", 1, [[1]]],
    ["[[Int]]", [1, [2]], [[1], [2]]],
    ["[Int]", null, null],
    ["[Int!]", [], []],
  ])("%s takes %j", (type, value, expected) => {
    expect(read(`$v: ${type}`, { v: value })).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["Int", "5"],
    ["Int", 5.5],
    ["Int", 2_147_483_648],
    ["Int", -2_147_483_649],
    ["Int", true],
    ["Int", []],
    ["Int", [1]],
    ["Int", {}],
    ["Int!", null],
    ["Float", "1.5"],
    ["Float", Number.POSITIVE_INFINITY],
    ["String", 5],
    ["String", ["a"]],
    ["Boolean", 1],
    ["Boolean", "true"],
    ["ID", 1.5],
    ["ID", true],
    ["[Int]", ["1"]],
    ["[Int!]", [null]],
    ["[Int!]!", null],
    ["[[Int!]]", [[1], [null]]],
    ["[Int]", { 0: 1 }],
  ])("%s does not take %j", (type, value) => {
    expect(refusal(() => read(`$v: ${type}`, { v: value }))).toMatchObject({ status: 400, field: "v" });
  });
});

describe("a variable of another type", () => {
  it.each<[string, unknown, unknown]>([
    ["StringFilter", { ilike: "a%" }, { ilike: "a%" }],
    ["BigInt", "9007199254740993", "9007199254740993"],
    ["BooksCreate!", { title: 5 }, { title: 5 }],
    ["[UUID!]!", "x", ["x"]],
    ["Nothing", null, null],
  ])("%s passes %j", (type, value, expected) => {
    expect(read(`$v: ${type}`, { v: value })).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ["BooksCreate!", {}],
    ["BooksCreate!", { v: null }],
    ["[UUID!]", { v: [null] }],
  ])("%s is still required: %j", (type, sent) => {
    expect(refusal(() => read(`$v: ${type}`, sent))).toMatchObject({ status: 400, field: "v" });
  });
});

describe("values", () => {
  it.each<[string, string, Record<string, unknown>, unknown]>([
    ["are absent where nothing was sent", "$v: Int", {}, undefined],
    ["are null where null was sent", "$v: Int = 5", { v: null }, null],
    ["come from the default", "$v: Int = 5", {}, 5],
    ["come from the default of a required one", "$v: Int! = 5", {}, 5],
    ["come from a default of null", "$v: Int = null", {}, null],
    ["come from a default that makes a list", "$v: [Int!] = 5", {}, [5]],
    ["come from a default object", '$v: StringFilter = {in: [A, "b"]}', {}, { in: ["A", "b"] }],
    ["that were sent beat the default", "$v: Int = 5", { v: 6 }, 6],
    ["of undeclared names are ignored", "$v: Int", { w: "x", v: 1 }, 1],
  ])("%s", (_, declaration, sent, expected) => {
    expect(read(declaration, sent)).toEqual(expected);
  });

  it.each([
    '$v: Int = "5"',
    "$v: Int = 5.5",
    "$v: Int = 2147483648",
    "$v: Int! = null",
    "$v: String = 5",
    "$v: Boolean = 1",
    "$v: [Int!] = [1, null]",
  ])("a default must fit: %s", (declaration) => {
    expect(refusal(() => read(declaration, {}))).toMatchObject({ status: 400, field: "v" });
  });

  it("names that every object has are values only when sent", () => {
    const text = "query($constructor: Int, $__proto__: Int) { a(x: $constructor, y: $__proto__) }";
    const operation = new Documents(defaultLimits).operation(text, null);
    const none = readVariables(operation.variables, {});
    expect([none.value("constructor"), none.value("__proto__"), none.value("toString")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const sent = readVariables(operation.variables, JSON.parse('{"constructor": 1, "__proto__": 2}'));
    expect([sent.value("constructor"), sent.value("__proto__")]).toEqual([1, 2]);
  });

  it("know the named type that they were declared with", () => {
    const text = "query($a: [BigInt!]!, $b: BooksWhere) { a(x: $a, y: $b) }";
    const variables = readVariables(new Documents(defaultLimits).operation(text, null).variables, { a: [1] });
    expect([variables.typeOf("a"), variables.typeOf("b"), variables.typeOf("c")]).toEqual([
      "BigInt",
      "BooksWhere",
      "",
    ]);
  });
});

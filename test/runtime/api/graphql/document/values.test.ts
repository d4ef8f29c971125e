import { describe, expect, it } from "vitest";
import {
  argumentValue,
  Documents,
  exactNumbers,
  type NumberReading,
  plainNumbers,
  readVariables,
  variablesIn,
} from "#runtime/api/graphql/document/index";
import { defaultLimits, refusal } from "./reading.ts";

const sent = { v: { deep: [1] }, w: null };

/** The first argument of `{ a(x: …) }`, with `$v` and `$w` given and `$u` not. */
function argument(literal: string) {
  const used = ["v", "w", "u"]
    .filter((name) => literal.replaceAll(/"[^"]*"/g, "").includes(`$${name}`))
    .map((name) => `$${name}: Json`);
  const text = `query${used.length === 0 ? "" : `(${used.join()})`} { a(x: ${literal}) }`;
  const operation = new Documents(defaultLimits).operation(text, null);
  const variables = readVariables(operation.variables, sent);
  const node = operation.collect(variables).fields[0]?.args[0]?.value;
  if (node === undefined) throw new Error("there is no argument");
  return { node, variables };
}

/** The argument of `{ a(x: $v) }`, with `$v` declared so and not given. */
function argumentOfDefault(declaration: string) {
  const operation = new Documents(defaultLimits).operation(`query($v: ${declaration}) { a(x: $v) }`, null);
  const variables = readVariables(operation.variables, {});
  const node = operation.collect(variables).fields[0]?.args[0]?.value;
  if (node === undefined) throw new Error("there is no argument");
  return { node, variables };
}

describe("argumentValue", () => {
  it.each<[string, unknown]>([
    ["5", 5],
    ["-0", -0],
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740992", 9_007_199_254_740_992n],
    ["-9007199254740993", -9_007_199_254_740_993n],
    ["123456789012345678901234567890", 123456789012345678901234567890n],
    ["1.5", 1.5],
    ["1e3", 1000],
    ["1e999", Number.POSITIVE_INFINITY],
    ['"a\\u00e9\\n"', "aé\n"],
    ['"""\n  a\n    b\n  """', "a\n  b"],
    ["true", true],
    ["null", null],
    ["title__desc", "title__desc"],
    ["[]", []],
    ["[1, [null, A], {}]", [1, [null, "A"], {}]],
    ["{eq: 1, in: [1, 2]}", { eq: 1, in: [1, 2] }],
    ["$v", { deep: [1] }],
    ["$w", null],
    ["$u", undefined],
    ["[$v, $w, $u]", [{ deep: [1] }, null, null]],
    ["{a: $v, b: $w, c: $u}", { a: { deep: [1] }, b: null }],
    ["{a: {b: [{c: $u}]}}", { a: { b: [{}] } }],
  ])("%s", (literal, expected) => {
    const { node, variables } = argument(literal);
    expect(argumentValue(node, variables)).toEqual(expected);
  });

  it("keys that every object has are data", () => {
    const { node, variables } = argument("{__proto__: {a: 1}, constructor: 2}");
    const value = argumentValue(node, variables);
    expect(Object.entries(value as object)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", 2],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("numbers of data", () => {
  // biome-ignore format: many a line
  it.each([
    "5", "9007199254740991", "[1, {a: 0.123456789012345678901234567890}]", "-0", "1e999", "[1.5, null, true]",
  ])("%s is what JSON.parse makes of it", (literal) => {
    const { node, variables } = argument(literal);
    expect(argumentValue(node, variables)).toEqual(JSON.parse(literal.replace("a:", '"a":')));
  });
});

describe("numbers that are exact", () => {
  it.each<[string, unknown]>([
    ["5", "5"],
    ["-0", "-0"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["-12345678901234567.8901", "-12345678901234567.8901"],
    ["12.50", "12.5"],
    ["7.000", "7"],
    ["1e3", "1000"],
    ["1.25E+1", "12.5"],
    ["12345678901234567890e-19", "1.234567890123456789"],
    ["-1.5e-3", "-0.0015"],
    ["1e2000", "1e2000"],
    ["1e-99999999999999999999", "1e-99999999999999999999"],
    ["1e99999999999999999999", "1e99999999999999999999"],
    ["[1.50, {gte: 2.0}]", ["1.5", { gte: "2" }]],
    ['["1.50", true, null]', ["1.50", true, null]],
    ["$v", { deep: [1] }],
  ])("%s", (literal, expected) => {
    const { node, variables } = argument(literal);
    expect(argumentValue(node, variables, exactNumbers)).toEqual(expected);
  });

  const mixed: NumberReading = {
    ...plainNumbers,
    under: (key) => (key === "exact" ? exactNumbers : plainNumbers),
  };

  // biome-ignore format: one case a line
  it.each<[string, unknown]>([
    ["{exact: [0.12345678901234567890], other: 0.5, deep: {exact: 1}}", { exact: ["0.1234567890123456789"], other: 0.5, deep: { exact: 1 } }],
    ["{exact: 9007199254740993, other: 9007199254740993}", { exact: "9007199254740993", other: 9_007_199_254_740_993n }],
  ])("only under some keys of a record: %s", (literal, expected) => {
    const { node, variables } = argument(literal);
    expect(argumentValue(node, variables, mixed)).toEqual(expected);
    const byDefault = argumentOfDefault(`Input = ${literal}`);
    expect(argumentValue(byDefault.node, byDefault.variables, mixed)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["Decimal = 0.12345678901234567890", "0.1234567890123456789"],
    ["[Decimal!] = 9007199254740993", ["9007199254740993"]],
    ["[Decimal!]! = [1.0, 2]", ["1", "2"]],
    ["Float = 0.12345678901234567890", 0.123_456_789_012_345_68],
    ["[Float] = [1.0, null]", [1, null]],
    ["Int = 5", 5],
    ["ID = 9007199254740993", 9_007_199_254_740_993n],
  ])("also as the default of a variable, unless it is declared as a double: %s", (declaration, expected) => {
    const { node, variables } = argumentOfDefault(declaration);
    expect(argumentValue(node, variables, exactNumbers)).toEqual(expected);
  });
});

describe("variablesIn", () => {
  it.each<[string, string[]]>([
    ["1", []],
    ['"$v"', []],
    ["$v", ["v"]],
    ["[$v, {a: $w, b: [$v, $u]}]", ["v", "w", "u"]],
  ])("%s", (literal, expected) => {
    expect(variablesIn(argument(literal).node)).toEqual(expected);
  });
});

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

  // biome-ignore format: many a line
  it.each([
    '$v: Int = "5"', "$v: Int = 5.5", "$v: Int = 2147483648", "$v: Int! = null", "$v: String = 5", "$v: Boolean = 1", "$v: [Int!] = [1, null]",
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

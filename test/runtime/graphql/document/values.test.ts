import { describe, expect, it } from "vitest";
import {
  argumentValue,
  Documents,
  dataValue,
  readVariables,
  variablesIn,
} from "../../../../runtime/graphql/document/index.ts";
import { defaultLimits } from "./reading.ts";

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

describe("argumentValue", () => {
  it.each<[string, unknown]>([
    ["5", 5],
    ["-0", -0],
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740992", "9007199254740992"],
    ["-9007199254740993", "-9007199254740993"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
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

describe("dataValue", () => {
  it.each([
    "5",
    "9007199254740993",
    "[1, {a: 123456789012345678901234567890}]",
    "-0",
    "1e999",
    "[1.5, null, true]",
  ])("%s is what JSON.parse makes of it", (literal) => {
    const { node, variables } = argument(literal);
    expect(dataValue(node, variables)).toEqual(JSON.parse(literal.replace("a:", '"a":')));
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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConditionExpression, parseCondition, type Term } from "#generator/conditions/index";
import { printExpression } from "./print-expression.ts";

const at = { offset: 0, length: 0 };

// biome-ignore format: many a line
const words = new Set([
  "and", "or", "not", "in", "is", "like", "ilike", "between", "null", "true", "false", "now",
]);
const name = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/)
  .filter((word) => !words.has(word.toLowerCase()));
const field: fc.Arbitrary<Term> = fc
  .oneof(
    name,
    fc.tuple(name, name).map((parts) => parts.join(".")),
  )
  .map((text) => ({ kind: "field", name: text, at }));
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((n) => (n === 0 ? 0 : n));
const value: fc.Arbitrary<Term> = fc.oneof(
  fc
    .oneof(fc.string(), number, fc.boolean(), fc.constant(null))
    .map((each): Term => ({ kind: "value", value: each, at })),
  fc
    .constantFrom("user_id" as const, "role" as const, "email" as const, "now" as const)
    .map((each): Term => ({ kind: "placeholder", name: each, at })),
);
const symbol = fc.constantFrom(
  "=" as const,
  "!=" as const,
  "<" as const,
  "<=" as const,
  ">" as const,
  ">=" as const,
);

const { tree } = fc.letrec<{ tree: ConditionExpression; leaf: ConditionExpression }>((tie) => ({
  leaf: fc.oneof(
    fc.record({
      kind: fc.constant("compare" as const),
      symbol,
      left: fc.oneof(field, value),
      right: fc.oneof(field, value),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant("like" as const),
      fold: fc.boolean(),
      negated: fc.boolean(),
      left: field,
      right: value,
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant("in" as const),
      negated: fc.boolean(),
      left: field,
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
      at: fc.constant(at),
    }),
    fc.record({ kind: fc.constant("contains" as const), left: field, right: value, at: fc.constant(at) }),
    fc.record({
      kind: fc.constant("overlaps" as const),
      left: field,
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant("between" as const),
      negated: fc.boolean(),
      left: field,
      from: value,
      to: value,
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant("null" as const),
      negated: fc.boolean(),
      left: field,
      at: fc.constant(at),
    }),
  ),
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      items: fc.array(tie("tree"), { minLength: 2, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant("not" as const), item: tie("tree") }),
  ),
}));

/** A tree without its places. */
function bare(expression: ConditionExpression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, part: unknown) => (key === "at" || key === "digits" ? undefined : part)),
  );
}

function parsed(text: string): unknown {
  const result = parseCondition(text);
  return "problem" in result ? result.problem : bare(result.expression);
}

describe("the row-condition language", () => {
  test("a printed tree reads as itself", () => {
    fc.assert(
      fc.property(tree, (expression) => {
        expect(parsed(printExpression(expression))).toEqual(bare(expression));
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test.each([
    ["a = 1 or b = 2 and not c = 3", "a = 1 OR b = 2 AND NOT c = 3"],
    ["(a = 1 or b = 2) AND c <> 3", "(a = 1 OR b = 2) AND c != 3"],
    ["Not a Is nOt null", "NOT a IS NOT NULL"],
    ["a = 'it''s'", "a = 'it''s'"],
    ["a in(1,-2.5,+3e2)", "a IN (1, -2.5, 300)"],
    ["a between 1 and 2 and b = NOW( )", "a BETWEEN 1 AND 2 AND b = now()"],
    ["like = 1 and not = 2 and in != 3", "like = 1 AND not = 2 AND in != 3"],
    ["now = now()", "now = now()"],
    ["a contains 'x' and b Overlaps('x',1)", "a CONTAINS 'x' AND b OVERLAPS ('x', 1)"],
    ["contains CONTAINS 'x' AND overlaps = contains", "contains CONTAINS 'x' AND overlaps = contains"],
    ["{user_id} = a.b", "{user_id} = a.b"],
  ])("%s", (text, printed) => {
    const result = parseCondition(text);
    expect("expression" in result && printExpression(result.expression)).toBe(printed);
  });

  test("NOT binds before AND, AND before OR", () => {
    expect(parsed("a = 1 OR NOT b = 2 AND c = 3")).toMatchObject({
      kind: "or",
      items: [{ kind: "compare" }, { kind: "and", items: [{ kind: "not" }, { kind: "compare" }] }],
    });
  });

  test("32 levels of nesting are enough, 33 are not", () => {
    expect("expression" in parseCondition(`${"(".repeat(32)}a = 1${")".repeat(32)}`)).toBe(true);
    expect(parsed(`${"NOT ".repeat(33)}a = 1`)).toMatchObject({ code: "condition-too-deep" });
  });
});

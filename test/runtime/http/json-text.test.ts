import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "#runtime/http/json-text";
import { jsonText } from "#vocabulary/json";

const refused = expect.objectContaining({ code: "VALIDATION_ERROR", status: 400 });

describe("parseJson", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value);
        const storable = !/\\u0000|\\ud[89a-f]/i.test(text);
        if (storable) expect(JSON.parse(jsonText(parseJson(text)))).toEqual(JSON.parse(text));
        else expect(() => parseJson(text)).toThrow(refused);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  // biome-ignore format: one case a line
  it.each([
    ['{"a":[9007199254740992,-1E20],"__proto__":1e16}', '{"a":[9007199254740992,-100000000000000000000],"__proto__":10000000000000000}'],
    ['["9007199254740993","\\"",9007199254740993,"\\\\",1.5e1]', '["9007199254740993","\\"",9007199254740993,"\\\\",15]'],
    ['{"a":9007199254740993,"a":12345678901234567890.00}', '{"a":12345678901234567890}'],
    ["9007199254740991", "9007199254740991"],
    ["0.12345678901234567890", "0.12345678901234568"],
    ["[9007199254740993,1e20,1.5E300]", "[9007199254740993,100000000000000000000,1.5e+300]"],
    ['{"a":[1,{"__proto__":9007199254740993}],"b":null}', '{"a":[1,{"__proto__":9007199254740993}],"b":null}'],
  ])("keeps the digits of whole numbers: %s", (text, printed) => {
    expect(jsonText(parseJson(text))).toBe(printed);
  });

  it("takes linear time for long numbers, many numbers and deep ones", () => {
    const long = "9007199254740993";
    expect(parseJson(`1.5${"0".repeat(500_000)}1`)).toBe(1.5);
    expect(parseJson(`${long}.${"0".repeat(500_000)}`)).toBe(BigInt(long));
    expect(parseJson("9".repeat(1_000_000))).toBe(Number.POSITIVE_INFINITY);
    expect(jsonText(parseJson(`[${Array(100_000).fill("1e300").join()},${long}]`)).length).toBeLessThan(1e6);
    const deep = `${"[".repeat(63)}${Array(100_000).fill("1").join()},${long}${"]".repeat(63)}`;
    expect(jsonText(parseJson(deep))).toBe(deep);
  });

  it("64 levels, and not one more; brackets in strings count for nothing", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(65))).toThrow(refused);
    expect(() => parseJson(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).toThrow(refused);
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(refused);
    expect(parseJson(JSON.stringify("[".repeat(100)))).toBe("[".repeat(100));
    expect(parseJson(JSON.stringify(['"\\', "[".repeat(100), '\\"']))).toHaveLength(3);
    expect(parseJson(`[${nested(60)},${nested(60)}]`)).toHaveLength(2);
  });

  it.each([
    '"\\u0000"',
    '{"a\\u0000":1}',
    '["\\ud800"]',
    '{"a":{"b":["\\uDC00"]}}',
    '"\\ud83dx"',
    '{"\\udfff":1}',
    '"\\\\\\u0000"',
    '{"a":"x","a":"\\u0000"}',
  ])("refuses %s, which PostgreSQL cannot store", (text) => {
    expect(() => parseJson(text)).toThrow(refused);
  });

  it.each(['"\\\\u0000"', '"\\ud83d\\ude00"', '"\\u00e9"', '"😀"'])("takes %s", (text) => {
    expect(parseJson(text)).toBe(JSON.parse(text));
  });

  it.each([
    "",
    "{",
    '{"a":1,}',
    "{'a':1}",
    "[1 2]",
    "NaN",
    "Infinity",
    "undefined",
    "\ufeff{}",
    '"\n"',
    "01",
    "{} {}",
    '"\\x41"',
    '"',
  ])("refuses %j", (text) => {
    expect(() => parseJson(text)).toThrow(refused);
  });

  it("`__proto__` becomes a key and no prototype", () => {
    const value = parseJson('{"__proto__":{"polluted":1}}');
    expect(Object.keys(Object(value))).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("takes time in proportion to the text, whatever is in it", () => {
    const size = 500_000;
    const startedAt = performance.now();
    for (const piece of ["\\\\", '\\"', "\\u0061", "[", " ", "a"]) {
      const text = piece.repeat(size / piece.length);
      parseJson(`"${text}"`);
      expect(() => parseJson(text)).toThrow();
    }
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

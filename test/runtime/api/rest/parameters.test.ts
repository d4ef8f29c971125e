import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readParameters } from "#runtime/api/rest/input";
import type { Problem } from "#runtime/core/errors/index";

function read(text: string) {
  const problems: Problem[] = [];
  return { pairs: [...readParameters(text, problems)], problems: problems.map(({ field }) => field) };
}

describe("readParameters", () => {
  // biome-ignore format: one case a line
  it.each<[string, [string, string][]]>([
    ["", []],
    ["&&", []],
    ["a=1&b=2", [["a", "1"], ["b", "2"]]],
    ["=1", [["", "1"]]],
    ["a=b=c", [["a", "b=c"]]],
    ["a+b=c+d", [["a b", "c d"]]],
    ["a%2Bb=%26%3D%25", [["a+b", "&=%"]]],
    ["%61=%F0%9F%98%80", [["a", "😀"]]],
    ["a[b]=1&a.b=2", [["a[b]", "1"], ["a.b", "2"]]],
    ["__proto__=1&constructor=2", [["__proto__", "1"], ["constructor", "2"]]],
  ])("%j", (text, pairs) => {
    expect(read(text)).toEqual({ pairs, problems: [] });
  });

  it("reports a name that stands twice, however it is written", () => {
    expect(read("a=1&%61=2").problems).toEqual(["a"]);
    expect(read("a=1&a=2&a=3").problems).toEqual(["a", "a"]);
    expect(read("deleted_at=1&deleted_at=2&deleted_at__gt=1&deleted_at__gt=2").problems).toEqual([]);
    expect(read("deleted_attack=1&deleted_attack=2").problems).toEqual(["deleted_attack"]);
  });

  it("reports a name without a value, but for those whose value counts for nothing", () => {
    expect(read("a").problems).toEqual(["a"]);
    expect(read("a=&b__in=").problems).toEqual(["a", "b__in"]);
    expect(read("a__is_null&a__is_not_null=&deleted_at=").problems).toEqual([]);
  });

  it.each(["%", "a=%", "a=%z1", "%ff=1", "a=%C0%80", "a=%ED%A0%80", "a=%00", "%00=1", "a=b%00c"])(
    "throws 400 for %s",
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", status: 400 }));
    },
  );

  it("parses the output of URLSearchParams", () => {
    const pair = fc.tuple(
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
    );
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: ([name]) => name }), (pairs) => {
        fc.pre(pairs.every(([name, value]) => name + value !== ""));
        expect(read(String(new URLSearchParams(pairs))).pairs).toEqual(pairs);
      }),
      { seed: 1 },
    );
  });
});

import { describe, expect, it } from "vitest";
import { collected, refusal } from "./reading.ts";

/** `{a{a{a}}}`: a field at each level. */
const nested = (levels: number) => `${"{a".repeat(levels)}${"}".repeat(levels)}`;
const many = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join(" ");
const padded = (bytes: number) => `{ a }#${"x".repeat(bytes - 6)}`;
/** A list of that many tokens: `{ a ( x : [`, the items, `] ) }`. */
const tokens = (count: number) => `{a(x:[${"1 ".repeat(count - 9)}])}`;

describe("a limit holds at its edge and refuses beyond it", () => {
  // biome-ignore format: one case a line
  it.each<[string, string, string, string]>([
    ["depth", nested(8), nested(9), "is nested deeper than 8 levels"],
    ["depth, fragments adding nothing", `{ ...F ... { ... { a { ...G } } } } fragment F on T ${nested(8)} fragment G on T ${nested(7)}`,
      `{ a { ...G } } fragment G on T ${nested(8)}`, "is nested deeper than 8 levels"],
    ["root fields", `{${many(20, (n) => `a${n}`)}}`, `{${many(21, (n) => `a${n}`)}}`, "more than 20 root fields"],
    ["root fields, aliases", `{${many(20, (n) => `a${n}: a`)}}`, `{${many(21, (n) => `a${n}: a`)}}`, "root fields"],
    ["root fields, the same again", `{${"a ".repeat(20)}}`, `{${"a ".repeat(21)}}`, "more than 20 root fields"],
    ["root fields in fragments", `{ ${"...F ".repeat(10)} } fragment F on T { a b }`, `{ ${"...F ".repeat(10)} c } fragment F on T { a b }`,
      "more than 20 root fields"],
    ["root fields that are skipped", `{ ${many(20, (n) => `a${n} @skip(if: true)`)} }`, `{ ${many(21, (n) => `a${n} @skip(if: true)`)} }`,
      "more than 20 root fields"],
    ["fields", `{ a { ${many(999, (n) => `b${n}`)} } }`, `{ a { ${many(1000, (n) => `b${n}`)} } }`, "1000 fields"],
    ["fields through fragments", `{ a { ${"...F ".repeat(99)} ${"b ".repeat(9)} } } fragment F on T { ${"c ".repeat(10)} }`,
      `{ a { ${"...F ".repeat(99)} ${"b ".repeat(10)} } } fragment F on T { ${"c ".repeat(10)} }`, "more than 1000 fields"],
    ["directives", `{ a { ${many(50, (n) => `b${n} @skip(if: true)`)} } }`, `{ a { ${many(51, (n) => `b${n} @skip(if: true)`)} } }`,
      "more than 50 directives"],
    ["directives, unknown ones too", `{ a { ${many(50, (n) => `b${n} @include(if: true)`)} } }`, `{ a ${"@x ".repeat(51)} }`,
      "more than 50 directives"],
    ["tokens", tokens(2000), tokens(2001), "more than 2000 tokens"],
    ["bytes", padded(100_000), padded(100_001), "longer than 100000 bytes"],
    ["bytes, not characters", `{ a(x: "${"é".repeat(49_990)}") }`, `{ a(x: "${"é".repeat(50_000)}") }`, "longer than 100000 bytes"],
    ["levels of a list", `{ a(x: ${"[".repeat(64)}${"]".repeat(64)}) }`, `{ a(x: ${"[".repeat(65)}${"]".repeat(65)}) }`,
      "nested deeper than 64 levels"],
    ["levels of an object", `{ a(x: ${"{a:".repeat(64)}1${"}".repeat(64)}) }`, `{ a(x: ${"{a:".repeat(65)}1${"}".repeat(65)}) }`,
      "nested deeper than 64 levels"],
    ["brackets", `{ ${"...{".repeat(249)}a${"}".repeat(250)}`, `{ ${"...{".repeat(250)}a${"}".repeat(251)}`, "nested deeper than 250 levels"],
  ])("%s", (_, within, beyond, message) => {
    expect(() => collected(within)).not.toThrow();
    expect(refusal(() => collected(beyond))).toMatchObject({ status: 400, field: "query" });
    expect(refusal(() => collected(beyond)).message).toContain(message);
  });

  it("counts the operation that runs, not its neighbours", () => {
    const text = `query A { a } query B ${nested(9)}`;
    expect(() => collected(text, {}, "A")).not.toThrow();
    expect(refusal(() => collected(text, {}, "B")).status).toBe(400);
  });
});

describe("a short text that would take for ever is refused at once", () => {
  const doubling = (levels: number, last: string) =>
    `{ a { ...F0 } } ${many(levels, (n) => `fragment F${n} on T { ...F${n + 1} ...F${n + 1} }`)}
     fragment F${levels} on T { ${last} }`;

  // biome-ignore format: one case a line
  it.each<[string, string, string]>([
    ["fragments that double", doubling(150, "a"), "more than 1000 fields"],
    [
      "fields that double",
      `{ ...F0 } ${many(90, (n) => `fragment F${n} on T { a { ...F${n + 1} } b { ...F${n + 1} } }`)}
       fragment F90 on T { a }`,
      "nested deeper than 8 levels",
    ],
    ["a fragment of itself", "{ ...F } fragment F on T { a { ...F } }", "within itself"],
    ["a ring", "{ ...A } fragment A on T { ...B } fragment B on T { a { ...A } }", "within itself"],
    ["a ring that nothing uses", "{ a } fragment A on T { ...B } fragment B on T { ...A }", "within itself"],
    ["each in each", `{ ...F0 } ${many(28, (n) => `fragment F${n} on T { ${many(28, (m) => `...F${m}`)} }`)}`, "within itself"],
    ["open lists", `{ a(x: ${"[".repeat(1_990)}`, "nested deeper than 250 levels"],
    ["open objects", `{ a(x: ${"{b:".repeat(600)}`, "nested deeper than 250 levels"],
    ["open types", `query($a: ${"[".repeat(1_990)}`, "nested deeper than 250 levels"],
    ["open selections", "{a".repeat(999), "nested deeper than 250 levels"],
  ])("%s", (_, text, message) => {
    expect(refusal(() => collected(text)).message).toContain(message);
  });

  it("a fragment with long arguments that is spread often is not compared word for word", () => {
    const text = `{ a { ${"...F ".repeat(50)} } } fragment F on T { b(x: [${"1 ".repeat(1_500)}]) }`;
    expect(collected(text).fields[0]?.selection?.fields).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { Documents, readVariables } from "#runtime/api/graphql/document/index";
import type { JsonObject } from "#vocabulary/json";
import { collected, defaultLimits, refusal, shown } from "./reading.ts";

describe("Documents", () => {
  const text = `query A($yes: Boolean!, $n: Int) { a(x: $n) { b @skip(if: $yes) } }
    query B($yes: Boolean!) { c @include(if: $yes) }`;
  const collect = (documents: Documents, name: string, variables: JsonObject) => {
    const operation = documents.operation(text, name);
    return operation.collect(readVariables(operation.variables, variables));
  };

  it("give the same operation for the same text and name", () => {
    const documents = new Documents(defaultLimits);
    expect(documents.operation(text, "A")).toBe(documents.operation(text, "A"));
    expect(documents.operation(text, "A")).not.toBe(documents.operation(text, "B"));
    expect(documents.operation("{ a }", null)).toBe(documents.operation("{ a }", null));
  });

  it("give the same selection for the same conditions, for any values of the other variables", () => {
    const documents = new Documents(defaultLimits);
    const skipped = collect(documents, "A", { yes: true, n: 1 });
    expect(collect(documents, "A", { yes: true, n: 2 })).toBe(skipped);
    expect(collect(documents, "A", { yes: false, n: 1 })).not.toBe(skipped);
    expect(collect(documents, "A", { yes: true })).toBe(skipped);
    expect(collect(documents, "B", { yes: true })).not.toBe(skipped);
  });

  it("refuse the same text again and again", () => {
    const documents = new Documents(defaultLimits);
    for (const text of ["{ __schema { x } }", "{ a", "{ a a(x: 1) }", "query A { a } query B { b }"]) {
      expect(refusal(() => documents.operation(text, null))).toEqual(
        refusal(() => documents.operation(text, null)),
      );
    }
  });

  it("hold the limits that the manifest sets", () => {
    const small = new Documents({ maxDepth: 2, maxRootFields: 1, maxComplexity: 3 });
    expect(() => small.operation("{ a { b c } }", null)).not.toThrow();
    for (const text of ["{ a { b { c } } }", "{ a b }", "{ a { b c d } }"]) {
      expect(refusal(() => small.operation(text, null)).status).toBe(400);
    }
  });

  it("forget the oldest of very many texts", () => {
    const documents = new Documents(defaultLimits);
    const first = documents.operation("{ a0 }", null);
    for (let n = 1; n < 1_000; n++) documents.operation(`{ a${n} }`, null);
    expect(documents.operation("{ a0 }", null)).toBe(first);
    documents.operation("{ another }", null);
    expect(documents.operation("{ a0 }", null)).not.toBe(first);
  });
});

describe("a text that is not a query", () => {
  it.each<[string, string]>([
    ["", "Syntax Error"],
    ["   # nothing\n", "Syntax Error"],
    ["{", "(line 1, column 2)"],
    ["{}", "Syntax Error"],
    ["{ a\n  b(} }", "(line 2, column 5)"],
    ["{ a() }", "Syntax Error"],
    ["{ a(x: 'b') }", "single quote"],
    ["{ a(x: 01) }", "Syntax Error"],
    ['{ a(x: "b) }', "Unterminated string"],
    ['{ a(x: "\\uD800") }', "Invalid Unicode escape"],
    ['{ a(x: "\ud800") }', "Invalid character"],
    ['{ a(x: "\\u{D800}") }', "Invalid Unicode escape"],
    ['{ a(x: "b\\u0000") }', "NUL"],
    ['{ a(x: "b\0") }', "NUL"],
    ['{ a(x: {b: ["""\0"""]}) }', "NUL"],
    ["{ a(\0) }", "Unexpected character"],
    ["query { ...on }", "Syntax Error"],
    ["{ a(x: $b) }", '"$b" is not defined'],
    ["query($b: Int) { a }", '"$b" is never used'],
    ["query($b: Int, $b: Int) { a(x: $b) }", 'one variable named "$b"'],
    ["query($b: Int = $c) { a(x: $b) }", "Syntax Error"],
    ["{ a(x: 1, x: 2) }", 'one argument named "x"'],
    ["{ a(x: {b: 1, b: 2}) }", 'one input field named "b"'],
    ["{ ...F }", 'Unknown fragment "F"'],
    ["{ a } fragment F on Q { a }", 'Fragment "F" is never used'],
    ["{ ...F } fragment F on Q { a } fragment F on Q { b }", 'one fragment named "F"'],
    ["{ a } { b }", "anonymous operation must be the only"],
    ["query A { a } query A { b }", 'one operation named "A"'],
    ["type books { id: Int } { a }", 'The "books" definition is not executable'],
    ["extend schema { query: books } { a }", "definition is not executable"],
    ["directive @x on FIELD { a }", 'The "x" definition is not executable'],
    ["subscription { a }", "subscriptions are not supported"],
    ["query A { a } subscription B { b }", "subscriptions are not supported"],
    ["fragment F on Q { a }", "never used"],
  ])("%j", (text, message) => {
    const refused = refusal(() => collected(text));
    expect(refused).toMatchObject({ status: 400, field: "query" });
    expect(refused.message).toContain(message);
  });

  it.each<[string, string]>([
    ["a name", `{ a } ${"b".repeat(90_000)}`],
    ["a text that is cut inside a pair", `{ a } "b${"😀".repeat(20_000)}"`],
    ["a text that is cut between pairs", `{ a } "${"😀".repeat(20_000)}"`],
    ["a variable", `{ a(x: $${"b".repeat(90_000)}) }`],
  ])("is quoted in short: %s", (_, text) => {
    const { message } = refusal(() => collected(text));
    expect(message.length).toBeLessThan(300);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe("the operation that runs", () => {
  const two = "query A { a } mutation B { b }";
  it.each<[string, string, string | null, string]>([
    ["is the only one", "query A { a }", null, "a"],
    ["is the named one", two, "A", "a"],
    ["is the named one, the last too", two, "B", "b"],
  ])("%s", (_, text, name, expected) => {
    expect(collected(text, {}, name).fields[0]?.name).toBe(expected);
  });

  it.each<[string, string, string | null]>([
    ["several without a name", two, null],
    ["another name", two, "C"],
    ["another case", two, "a"],
    ["no name", two, ""],
    ["a name for an operation without one", "{ a }", "A"],
    ["a name that every object has", two, "constructor"],
  ])("%s", (_, text, name) => {
    expect(refusal(() => collected(text, {}, name))).toMatchObject({ status: 400, field: "operationName" });
  });
});

/** Names that the client did not send: a message must not hold one of them. */
describe("messages suggest no names", () => {
  // biome-ignore format: many a line
  it.each([
    "{ ...Book } fragment Books on books { id }", "{ a @skipp(if: true) }", "{ a @includ(if: true) }", "{ a @skip(iff: true) }",
    "query($title: Int) { a(x: $titel) }", "query($a: Strin) { a(x: $b) }", "extend type book { a: Int }",
  ])("%s", (text) => {
    const { message } = refusal(() => collected(text));
    const sent = new Set(text.match(/\w+/g));
    for (const quoted of message.match(/"[@$]?\w+"/g) ?? []) {
      expect(sent).toContain(quoted.replaceAll(/["@$]/g, ""));
    }
    expect(message).not.toContain("Did you mean");
  });
});

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

describe("fields of one object", () => {
  // biome-ignore format: one case a line
  it.each<[string, string, string]>([
    ["keep the order of the text", "{ b a c }", "b a c"],
    ["keep alias and arguments", '{ x: a(limit: 1, title: "t") { id } }', "x: a(limit, title) { id }"],
    ["come out of fragments", "{ ...F } fragment F on Query { a { ...G } } fragment G on A { b }", "a { b }"],
    ["come out of inline fragments", "{ ... on Query { a } ... { b } ... @include(if: true) { c } }", "a b c"],
    ["merge by key", "{ a { b } a { c } }", "a { b c }"],
    ["merge by key through fragments", "{ a { b { c } } ...F } fragment F on Q { a { b { d } } }", "a { b { c d } }"],
    ["merge if arguments are in another order", "{ a(x: 1, y: {p: 1, q: 2}) a(y: {q: 2, p: 1}, x: 1) }", "a(x, y)"],
    ["merge equal texts of both forms", '{ a(x: "b") a(x: """b""") }', "a(x)"],
    ["stay apart under other keys", "{ x: a { b } y: a { c } }", "x: a { b } y: a { c }"],
    ["may all be skipped", "{ a { b @skip(if: true) } c @include(if: false) }", "a {  }"],
    ["may be named like anything", "{ __proto__ constructor on fragment query }", "__proto__ constructor on fragment query"],
    ["are asked of mutations too", "mutation { a(x: 1) { id } }", "a(x) { id }"],
  ])("%s", (_, text, expected) => {
    expect(shown(collected(text))).toBe(expected);
  });

  it("bring the type conditions of their fragments, each once", () => {
    const selection =
      collected(`{ ... on Query { a { ...F ... on A { b } } } ... { ... on Query { a { ...F } } } }
      fragment F on B { c ... on D { d } }`);
    expect(selection.on).toEqual(["Query"]);
    expect(selection.fields[0]?.selection?.on).toEqual(["B", "D", "A"]);
  });

  it("bring no type condition of what is skipped", () => {
    expect(collected("{ a ... on B @skip(if: true) { b } }").on).toEqual([]);
  });
});

describe("two fields under one key", () => {
  // biome-ignore format: one case a line
  it.each<[string, string, string]>([
    ["of other names", "{ x: a x: b }", "they are different fields"],
    ["alias and name", "{ a b: a a: c }", "they are different fields"],
    ["of other arguments", "{ a(x: 1) a(x: 2) }", "their arguments differ"],
    ["with and without arguments", "{ a(x: 1) a }", "their arguments differ"],
    ["with variables of other names", "query($p: Int, $q: Int) { a(x: $p) a(x: $q) }", "their arguments differ"],
    ["a variable and a text like it", 'query($p: Int) { a(x: $p) a(x: "$p") }', "their arguments differ"],
    ["an enum and a text", '{ a(x: B) a(x: "B") }', "their arguments differ"],
    ["1 and 1.0", "{ a(x: 1) a(x: 1.0) }", "their arguments differ"],
    ["lists that look alike", '{ a(x: ["b,c"]) a(x: ["b", "c"]) }', "their arguments differ"],
    ["where one selects fields", "{ a a { b } }", "only one of them selects fields"],
    ["in a fragment", "{ a(x: 1) ...F } fragment F on Q { a(x: 2) }", "their arguments differ"],
    ["deep below", "{ a { b { x: c } } a { b { x: d } } }", "they are different fields"],
    ["one of them skipped", "{ x: a x: b @skip(if: true) }", "they are different fields"],
  ])("%s", (_, text, message) => {
    const refused = refusal(() => collected(text));
    expect(refused).toMatchObject({ status: 400, field: "query" });
    expect(refused.message).toContain(message);
  });
});

describe("@skip and @include", () => {
  const text = `query($yes: Boolean!, $no: Boolean = false) {
    a @include(if: $yes) b @skip(if: $yes) c @include(if: $no) d @skip(if: $no)
    e @include(if: $yes) @skip(if: $no) f @skip(if: $yes) @include(if: $no)
    ...F @skip(if: $yes) ... on Q @include(if: $yes) { h } ...G
    a { i @skip(if: $no) }
  } fragment F on Q { g } fragment G on Q { j @include(if: $yes) }`.replace("a @include", "z @include");

  it.each<[Record<string, boolean>, string]>([
    [{ yes: true }, "z d e h j a { i }"],
    [{ yes: false }, "b d g a { i }"],
    [{ yes: true, no: true }, "z c h j a {  }"],
    [{ yes: false, no: true }, "b c f g a {  }"],
  ])("with %o", (variables, expected) => {
    expect(shown(collected(text, variables))).toBe(expected);
  });

  it.each<[string, string]>([
    ["no argument", "{ a @skip }"],
    ["another argument", "{ a @skip(iff: true) }"],
    ["one more argument", "{ a @include(if: true, unless: false) }"],
    ["the same argument twice", "{ a @include(if: true, if: true) }"],
    ["a text", '{ a @skip(if: "true") }'],
    ["a number", "{ a @skip(if: 1) }"],
    ["null", "{ a @skip(if: null) }"],
    ["a list", "{ a @skip(if: [true]) }"],
    ["twice at one place", "{ a @skip(if: true) @skip(if: false) }"],
    ["on an operation", "query @skip(if: true) { a }"],
    ["on a fragment", "{ ...F } fragment F on Q @include(if: true) { a }"],
    ["on a variable", "query($a: Int @skip(if: true)) { a(x: $a) }"],
    ["of another name", "{ a @deprecated }"],
    ["of an unknown name", "{ a @skipp(if: true) }"],
  ])("are refused: %s", (_, refused) => {
    expect(refusal(() => collected(refused))).toMatchObject({ status: 400, field: "query" });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["a variable of another type", "query($a: Int!) { b @skip(if: $a) }", { a: 1 }],
    ["a list of them", "query($a: [Boolean!]) { b @skip(if: $a) }", { a: [true] }],
    ["a text", "query($a: Boolean!) { b @skip(if: $a) }", { a: "true" }],
    ["null", "query($a: Boolean) { b @skip(if: $a) }", { a: null }],
    ["nothing", "query($a: Boolean) { b @skip(if: $a) }", {}],
    ["nothing in a fragment", "query($a: Boolean) { ...F } fragment F on Q { b { c @skip(if: $a) } }", {}],
  ])("name the variable that is not a Boolean: %s", (_, refused, variables) => {
    expect(refusal(() => collected(refused, variables))).toMatchObject({ status: 400, field: "a" });
  });
});

import { describe, expect, it } from "vitest";
import { collected, refusal, shown } from "./reading.ts";

describe("fields of one object", () => {
  // biome-ignore format: one case a line
  it.each<[string, string, string]>([
    ["stand in the order of the text", "{ b a c }", "b a c"],
    ["keep alias and arguments", '{ x: a(limit: 1, title: "t") { id } }', "x: a(limit, title) { id }"],
    ["come out of fragments", "{ ...F } fragment F on Query { a { ...G } } fragment G on A { b }", "a { b }"],
    ["come out of inline fragments", "{ ... on Query { a } ... { b } ... @include(if: true) { c } }", "a b c"],
    ["merge by key", "{ a { b } a { c } }", "a { b c }"],
    ["merge by key through fragments", "{ a { b { c } } ...F } fragment F on Q { a { b { d } } }", "a { b { c d } }"],
    ["merge where arguments stand in another order", "{ a(x: 1, y: {p: 1, q: 2}) a(y: {q: 2, p: 1}, x: 1) }", "a(x, y)"],
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
  ])("name the variable that is no Boolean: %s", (_, refused, variables) => {
    expect(refusal(() => collected(refused, variables))).toMatchObject({ status: 400, field: "a" });
  });
});

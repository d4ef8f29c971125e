import { describe, expect, it } from "vitest";
import { collected, refusal } from "./reading.ts";

describe("a text that is no query", () => {
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

/** Names that nobody sent: a message must not hold one of them. */
describe("messages suggest no names", () => {
  it.each([
    "{ ...Book } fragment Books on books { id }",
    "{ a @skipp(if: true) }",
    "{ a @includ(if: true) }",
    "{ a @skip(iff: true) }",
    "query($title: Int) { a(x: $titel) }",
    "query($a: Strin) { a(x: $b) }",
    "extend type book { a: Int }",
  ])("%s", (text) => {
    const { message } = refusal(() => collected(text));
    const sent = new Set(text.match(/\w+/g));
    for (const quoted of message.match(/"[@$]?\w+"/g) ?? []) {
      expect(sent).toContain(quoted.replaceAll(/["@$]/g, ""));
    }
    expect(message).not.toContain("Did you mean");
  });
});

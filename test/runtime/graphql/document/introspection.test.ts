import { getIntrospectionQuery } from "graphql";
import { describe, expect, it } from "vitest";
import { collected, refusal } from "./reading.ts";

describe("introspection is 403, whatever it wears", () => {
  // biome-ignore format: one case a line
  it.each<[string, string]>([
    ["__schema", "{ __schema { types { name } } }"],
    ["__type", '{ __type(name: "books") { name } }'],
    ["what client tooling sends", getIntrospectionQuery()],
    ["beside an honest field", "{ books { id } __schema { types { name } } }"],
    ["an alias", "{ books: __schema { types { name } } }"],
    ["as an alias", "{ __schema: books { id } }"],
    ["below a field", "{ books { author { __type { name } } } }"],
    ["a fragment", "{ ...F } fragment F on Query { __schema { types { name } } }"],
    ["a fragment that nothing spreads", "{ books { id } } fragment F on Query { __schema { types { name } } }"],
    ["an inline fragment", '{ ... on Query { ... { __type(name: "books") { name } } } }'],
    ["skipped", "{ books { id } __schema @skip(if: true) { types { name } } }"],
    ["not included", "query($a: Boolean!) { books { id } __schema @include(if: $a) { types { name } } }"],
    ["another operation", "query A { books { id } } query B { __schema { types { name } } }"],
    ["a mutation", "mutation { __schema { types { name } } }"],
    ["a subscription", "subscription { __schema { types { name } } }"],
    ["as a type", "{ ... on __schema { id } }"],
    ["as an argument", "{ books(__type: 1) { id } }"],
    ["as a value", "{ books(orderBy: __schema) { id } }"],
    ["as a variable", "query($__type: Int) { books(limit: $__type) { id } }"],
    ["as a directive", "{ books @__schema { id } }"],
    ["between commas and comments", "{ # { books }\n,,, __schema #\n { types { name } } }"],
    ["after a byte order mark", "\uFEFF{ __schema { types { name } } }"],
    ["before a syntax error", "{ __schema { types { name"],
    ["after a syntax error", "{ books { id } } } ) __schema"],
    ["beyond the limits", `{ ${"a ".repeat(60)} ${"@x ".repeat(60)} ${"{a".repeat(300)} __schema`],
    ["after a NUL character", '{ books(title: "\\u0000") { id } __schema { types { name } } }'],
  ])("%s", (_, text) => {
    expect(refusal(() => collected(text, { a: false }, null))).toEqual({ status: 403,
      field: undefined,
      message: "Introspection is not available.",
    });
  });

  it.each<[string, string]>([
    ["the name of a type", "{ __typename books { __typename } }"],
    ["a text", '{ books(title: "__schema") { id } }'],
    ["a block of text", '{ books(title: """{ __schema }""") { id } }'],
    ["a comment", "{ books { id } } # __schema"],
    ["longer names", "{ __schemas __types my__type { id } }"],
    ["another case", "{ __Schema __TYPE }"],
  ])("but not %s", (_, text) => {
    expect(() => collected(text)).not.toThrow();
  });
});

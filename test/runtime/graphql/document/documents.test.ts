import { describe, expect, it } from "vitest";
import { Documents, readVariables } from "#runtime/graphql/document/index";
import type { JsonObject } from "#vocabulary/json";
import { defaultLimits, refusal } from "./reading.ts";

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

  it("give the same selection for the same conditions, whatever the other variables are", () => {
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

import { describe, expect, test } from "vitest";
import { graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { asked, library, refused, root, seven, tree } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const given = tree;

describe("operations", () => {
  const two = "query A { folders(id: 1) { id } } query B { folders(id: 1) { name } }";
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked("{ folders(id: 1) { name } }", root),
    asked("query { folders(id: 1) { name } }", root),
    asked("query Named { folders(id: 1) { name } }", root),
    { ...asked(two, root), operationName: "B", name: "several, of which one is named" },
    { ...asked("query A { folders(id: 1) { name } }", root), operationName: "A" },
    { ...asked(`${two} mutation C { createFolders(input: {}) { id } }`, root), operationName: "B" },
    { query: two, fails: invalid, name: "several and no name" },
    { query: two, operationName: "C", fails: invalid, name: "an unknown name" },
    { query: two, operationName: "", fails: invalid, name: "an empty name" },
    { query: "{ folders { id } }", operationName: "A", fails: invalid, name: "a name for what has none" },
    refused("query A { folders { id } } query A { folders { id } }"),
    refused("{ folders { id } } { folders { id } }"),
    refused("query A { folders { id } } { folders { id } }"),
    refused("subscription { folders { id } }"),
    refused("subscription A { folders { id } } query B { folders { id } }"),
    { name: "a subscription beside the chosen query", query: "subscription A { folders { id } } query B { folders(id: 1) { name } }",
      operationName: "A", fails: invalid },
    refused("fragment F on folders { id }"),
    refused("type Folders { id: Int }"),
    refused("{ folders { id } } type T { id: Int }"),
    refused("{ folders { id } } extend type folders { id: Int }"),
    refused("{ folders { id } } schema { query: Q }"),
    refused("{ folders { id } } directive @skip on FIELD"),
  ]);
});

describe("malformed documents", () => {
  graphqlScenarios(
    service,
    [
      "",
      " ",
      "#",
      "{",
      "}",
      "{}",
      "{ }",
      "query",
      "query {",
      "query { }",
      "{ folders { id }",
      "{ folders { id } } }",
      "{ folders { } }",
      "{ folders() { id } }",
      "{ folders(id) { id } }",
      "{ folders(id:) { id } }",
      "{ folders(id: ) { id } }",
      "{ folders(: 1) { id } }",
      "{ folders(id: $) { id } }",
      "{ folders(id: 01) { id } }",
      "{ folders(id: 1.) { id } }",
      "{ folders(id: 1e) { id } }",
      "{ folders(id: 1a) { id } }",
      '{ folders(name: "a) { id } }',
      '{ folders(name: "\\x") { id } }',
      '{ folders(name: "\\uD800") { id } }',
      '{ folders(name: "\\u{110000}") { id } }',
      "{ folders(name: 'a') { id } }",
      "{ : folders { id } }",
      "{ a: { id } }",
      "{ a: b: folders { id } }",
      "{ folders { id } }; { folders { id } }",
      "{ ... }",
      "{ ...on }",
      "{ ...on { id } }",
      "{ folders { ... on on { id } } }",
      "{ fold-ers { id } }",
      "{ föld { id } }",
      "{ 1folders { id } }",
      "{ folders @ { id } }",
      "nonsense",
      "SELECT * FROM folders",
      "\u0000",
      '{"query": "{ folders { id } }"}',
      "[]",
      `{ folders(extra: ${"[".repeat(70)}${"]".repeat(70)}) { id } }`,
      `{ folders(extra: ${"[".repeat(700)}`,
    ].map((query) => refused(query)),
  );

  graphqlScenarios(service, [
    { ...asked("\ufeff{ folders(id: 1) { name } }", root), name: "a byte order mark is blank space" },
    { ...asked("{,folders,(id:1,,),{name,}},", root), name: "and so are commas" },
    { ...asked("# a comment\r\n{\tfolders(id:1)#another\r{name}}", root), name: "and comments" },
  ]);
});

describe("names", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "of two models with one name the snake_case one has it", as: "admin",
      query: 'mutation { createLineItems(input: { name: "a" }) { name __typename } createLineItems2(input: { label: "b" }) { label __typename } }',
      data: { createLineItems: { name: "a", __typename: "line_items" }, createLineItems2: { label: "b", __typename: "LineItems" } },
      rows: { line_items: [{ name: "a" }], other_items: [{ label: "b" }] } },
    refused("{ nothing { id } }", "404 NOT_FOUND"),
    refused("{ Folders { id } }", "404 NOT_FOUND"),
    refused("{ folder { id } }", "404 NOT_FOUND"),
    refused("{ constructor { id } }", "404 NOT_FOUND"),
    refused("{ __proto__ { id } }", "404 NOT_FOUND"),
    refused("{ toString { id } }", "404 NOT_FOUND"),
    refused("{ hasOwnProperty }", "404 NOT_FOUND"),
    refused("{ ledger { id } }", "404 NOT_FOUND"),
    refused("{ folders { id } nothing { id } }", "404 NOT_FOUND"),
    refused("{ createFolders(input: {}) { id } }", "404 NOT_FOUND"),
    refused("mutation { folders { id } }"),
    refused("mutation { inventFolders(input: {}) { id } }"),
    refused("mutation { fetchFolders { id } }"),
    refused("mutation { createNothing(input: {}) { id } }", "404 NOT_FOUND"),
    refused("mutation { createfolders(input: {}) { id } }", "404 NOT_FOUND"),
    refused("mutation { createLedger(input: {}) { id } }", "404 NOT_FOUND"),
    refused("mutation { createUsers(input: {}) { id } }", "404 NOT_FOUND"),
    refused("mutation { createVaults(input: {}) { id } }", "404 NOT_FOUND"),
    refused("mutation { create__proto__(input: {}) { id } }", "404 NOT_FOUND"),
  ]);

  test.each([
    ["{ folder { id } }", /folders/],
    ["{ folders { nam } }", /\bname\b/],
    ["{ folders { childs { id } } }", /children/],
    ["{ folders(sze: 1) { id } }", /\bsize\b/],
    ["{ folders(size: { gtt: 1 }) { id } }", /\bgte?\b/],
    ["{ folders(orderBy: nam) { id } }", /\bname\b/],
    ["{ folders { ...Frag } } fragment Frags on folders { id }", /\bFrags\b/],
    ["query ($size: Int) { folders(size: $siz) { id } }", /\$?\bsize\b(?!:)/],
    ["{ folders { id @inclde(if: true) } }", /@include/],
    ["{ folders { id @include(i: true) } }", /"if"/],
    ["mutation { creatFolders(input: {}) { id } }", /createFolders|\bcreate\b/],
    ["{ folders_aggregate { cont } }", /\bcount\b/],
    ["{ folders_aggregate(groupBy: nam) { count } }", /\bname\b/],
    ["{ folder_aggregate { count } }", /folders/],
    ["{ strict(nothing: 1) { id } }", /strict-things/],
    ["{ strict(orderBy: nothing) { id } }", /strict-things/],
    ["{ books { author { nothing } } }", /authors/],
    ["{ books { reader { nothing } } }", /users/],
    ["{ books { chapters(nothing: 1) { id } } }", /number|heading/],
  ])("%s suggests nothing", async (query, secret) => {
    const reply = await sendGraphql(service, query, "admin");
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status, reply.text).toBeLessThan(500);
    expect(reply.envelope.message).not.toMatch(/did you mean/i);
    expect(`${reply.envelope.message} ${JSON.stringify(reply.envelope.details ?? {})}`).not.toMatch(secret);
  });
});

describe("the first problem in the contract's order answers", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "any failing root field fails them all", given, query: "{ folders { id } tasks { id } }", fails: "403 PERMISSION_DENIED" },
    { name: "no partial data", given, query: '{ folders(id: 1) { id } things(integer: "x") { id } }', fails: invalid },
    { name: "all roots are looked at before any SQL", given: library, as: seven, query: "{ books { id } sales { id } }",
      fails: "403 PERMISSION_DENIED" },
  ]);

  test("malformed comes before unknown", async () => {
    expect(outcome(await sendGraphql(service, "{ nothing { id } "))).toMatch(invalid);
  });
});

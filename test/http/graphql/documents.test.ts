import { getIntrospectionQuery } from "graphql";
import { describe, expect, test } from "vitest";
import { type GraphqlScenario, graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { asked, both, library, refused, root, seven, tree } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

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
    { query: two, operationName: "C", fails: invalid, name: "an unknown name" },
    refused("query A { folders { id } } { folders { id } }"),
    { name: "a subscription next to the chosen query", query: "subscription A { folders { id } } query B { folders(id: 1) { name } }",
      operationName: "A", fails: invalid },
    refused("type Folders { id: Int }"), refused("{ folders { id } } schema { query: Q }"),
  ]);
});

describe("malformed documents", () => {
  // biome-ignore format: many a line
  graphqlScenarios(
    service,
    [
      "", " ", "#", "{", "}", "{}", "{ }", "query", "query {", "query { }", "{ folders { id }", "{ folders { id } } }", "{ folders { } }",
      "{ folders() { id } }", "{ folders(id) { id } }", "{ folders(id:) { id } }", "{ folders(id: ) { id } }", "{ folders(: 1) { id } }",
      "{ folders(id: $) { id } }", "{ folders(id: 01) { id } }", "{ folders(id: 1.) { id } }", "{ folders(id: 1e) { id } }",
      "{ folders(id: 1a) { id } }", '{ folders(name: "a) { id } }', '{ folders(name: "\\x") { id } }', '{ folders(name: "\\uD800") { id } }',
      '{ folders(name: "\\u{110000}") { id } }', "{ folders(name: 'a') { id } }", "{ : folders { id } }", "{ a: { id } }", "{ a: b: folders { id } }",
      "{ folders { id } }; { folders { id } }", "{ ... }", "{ ...on }", "{ ...on { id } }", "{ folders { ... on on { id } } }", "{ fold-ers { id } }",
      "{ föld { id } }", "{ 1folders { id } }", "{ folders @ { id } }", "nonsense", "SELECT * FROM folders", "\u0000",
      '{"query": "{ folders { id } }"}', "[]", `{ folders(extra: ${"[".repeat(70)}${"]".repeat(70)}) { id } }`, `{ folders(extra: ${"[".repeat(700)}`,
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

describe("introspection, in any disguise", () => {
  const denied = "403 PERMISSION_DENIED";
  graphqlScenarios(
    service,
    [
      "{ __schema { types { name } } }",
      '{ __type(name: "folders") { name } }',
      "query IntrospectionQuery { __schema { queryType { name } } }",
      "{ a: __schema { types { name } } }",
      "{ ...F } fragment F on Query { __schema { types { name } } }",
      "{ ... on Query { __schema { types { name } } } }",
      '{ ... { ... { __type(name: "a") { name } } } }',
      "{ __schema @skip(if: true) { types { name } } folders { id } }",
      "{ folders { id } ... @include(if: false) { __schema { types { name } } } }",
      "{ folders { id __schema { types { name } } } }",
      "{ folders { children { __type } } }",
      "mutation { __schema { types { name } } }",
      "subscription { __schema { types { name } } }",
      "{ folders { id } } fragment Unused on Query { __schema { types { name } } }",
      "query A { folders { id } } query B { __schema { types { name } } }",
      "{ __schema",
      "{ folders { id } } { __type }",
      "{ nothing { id } __schema { types { name } } }",
      "{\n\t__schema\n\t{ types { name } } }",
      "{ __schema: folders { id } }",
      "{ folders(__type: 1) { id } }",
      "query ($__type: Int) { folders(size: $__type) { id } }",
      getIntrospectionQuery(),
      "query ($a: Boolean!) { folders { id } __schema @include(if: $a) { types { name } } }",
      "{ ... on __schema { id } }",
      "{ folders(orderBy: __schema) { id } }",
      "{ folders @__schema { id } }",
      "{ # { folders }\n,,, __schema #\n { types { name } } }",
      "\uFEFF{ __schema { types { name } } }",
      "{ folders { id } } } ) __schema",
      `{ ${"a ".repeat(60)} ${"@x ".repeat(60)} ${"{a".repeat(300)} __schema`,
      '{ folders(name: "\\u0000") { id } __schema { types { name } } }',
    ].flatMap((query) => [
      { query, fails: denied, name: query },
      { query, as: "admin", fails: denied, name: `admin ${query}` },
    ]),
  );

  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "of the operation that is not chosen", query: "query A { folders { id } } query B { __schema { types { name } } }", operationName: "A",
      fails: denied },
    { ...asked('{ folders(name: "__schema") { id } }', { folders: [] }), name: "a text is only a text" },
    { ...asked("# __schema\n{ folders(id: 1) { name } }", root), name: "and so is a comment" },
    { ...asked("query ($n: String) { folders(name: $n) { id } }", { folders: [] }, { n: "__type" }), name: "and a variable" },
    refused("{ __schemas { id } }", "404 NOT_FOUND"),
    refused("{ __types { id } }", "404 NOT_FOUND"),
    refused("{ my__type { id } }", "404 NOT_FOUND"),
    refused("{ __Schema { id } __TYPE { id } }", "404 NOT_FOUND"),
    { ...asked('{ folders(name: """{ __schema }""") { id } }', { folders: [] }), name: "and a block of text" },
  ]);
});

// biome-ignore format: one case a line
const told: readonly (readonly [as: Caller, query: string, field: string, message: string])[] = [
  [null, "{ people { id } tasks { id } }", "tasks", "Your role may not ask for tasks."],
  [null, "{ n: tasks_aggregate { count } }", "tasks_aggregate", "Your role may not ask for tasks_aggregate."],
  [null, "mutation { deleteTasks(ids: [1]) }", "deleteTasks", "Your role may not ask for deleteTasks."],
  [null, "{ books { a: author_id { name } } }", "author_id", "Your role may not ask for author_id."],
  [null, "{ people { a: salary } }", "salary", "Your role may not read the field salary."],
  [null, "{ nothing { id } }", "nothing", "There is no model for nothing."],
  ["admin", "{ createTasks(input: {}) { id } }", "createTasks",
    "There is no model for createTasks. Begin a mutation with the word mutation."],
  [null, "mutation { tasks { id } }", "tasks", "tasks does not begin with the verb of a mutation."],
  [null, "{ people(first: 3) { id } }", "first", "first: is neither an argument nor a field to filter by"],
  [null, "{ people(or: { name: 3 }) { id } }", "or",
    "or: is not a field, and filters have no OR: field: { in: … } matches one of several values; for other cases, send several requests"],
  [null, "{ people(constructor: 3) { id } }", "constructor", "constructor: is neither an argument nor a field to filter by"],
  ["admin", "{ order(constructor: 3) { id } }", "constructor", "constructor: must be a string"],
  [null, "{ people(name: { is: 3 }) { id } }", "name", "name: has no operator is"],
  [null, "{ things(size: { gt: 3 }) { id } }", "size", "size: does not take the operator gt"],
  [null, '{ people(name: { like: "" }) { id } }', "name", "name: must be a string that is not empty"],
  [null, '{ things(search: "") { id } }', "search", "search: must be a string that is not empty"],
  [null, "{ people_aggregate { median { id } } }", "median", "median: is not a field"],
  [null, "{ people_aggregate { count { id } } }", "count", "count: has no subfields"],
  ["admin", "mutation { deleteTasks }", "where", "where: is required unless ids is given"],
];

test.each(told)("%s %s", async (as, query, field, message) => {
  const { envelope, text } = await sendGraphql(service, query, as);
  expect(envelope.details, text).toEqual({ field });
  expect(envelope.message).toBe(message);
});

describe("@skip and @include", () => {
  const flagged = (selection: string, data: object, f?: boolean): GraphqlScenario =>
    asked(
      `query ($f: Boolean = true) { folders(id: 1) { name ${selection} } }`,
      { folders: [data] },
      f === undefined ? {} : { f },
    );
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    flagged("id @include(if: true) x: size @skip(if: $f)", { name: "root", id: 1 }),
    flagged("id @include(if: false) x: size @skip(if: $f)", { name: "root", x: 5 }, false),
    flagged("id @include(if: $f) @skip(if: $f)", { name: "root" }, false),
    flagged("... on folders @include(if: $f) { id }", { name: "root" }, false),
    flagged("children(id: 2) @include(if: $f) { id parent @skip(if: $f) { id } }", { name: "root", children: [{ id: 2 }] }),
    { ...flagged("id id @skip(if: $f)", { name: "root", id: 1 }), name: "one of two of the same field" },
    { ...asked("query ($f: Boolean!) { folders(id: 1) { name ...F @include(if: $f) } } fragment F on folders { id }", both, { f: true }),
      name: "on a spread" },
    { ...asked("query ($f: Boolean!) { folders(id: 1) @include(if: $f) { name } things @skip(if: $f) { id } }", root, { f: true }),
      name: "on root fields" },
    { ...asked("{ folders @skip(if: true) { id } }", {}), name: "nothing is left at the root" },
    { ...asked("{ folders(id: 1) { id @skip(if: true) } }", { folders: [{}] }), name: "nothing is left of an object" },
    { name: "what is skipped is not asked of the database, nor of the access rules", given,
      query: "{ folders(id: 1) { name } tasks @skip(if: true) { id } }", data: root },
    refused("{ folders { id @skip } }"),
    { ...refused("query ($f: Boolean!) { folders { id @skip(if: $f) } }"), name: "a flag that is not sent" },
    { ...refused("query ($f: String!) { folders { id @skip(if: $f) } }"), variables: { f: "true" }, name: "a flag of another type" },
  ]);
});

describe("fragments", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked("{ folders(id: 1) { ...F } } fragment F on folders { name }", root),
    asked("fragment F on folders { name } { folders(id: 1) { id ...F } }", both),
    asked("{ folders(id: 1) { ...F } } fragment F on folders { ...G id } fragment G on folders { name }", both),
    asked("{ folders(id: 1) { ... on folders { name } } }", root),
    { ...asked("{ folders(id: 1) { ... on Folders { name } } }", root), name: "on the name as mutations have it" },
    asked("{ folders(id: 1) { ... { name } id } }", both),
    asked("{ ...Q } fragment Q on Query { folders(id: 1) { name } }", root),
    asked("{ ... on Query { folders(id: 1) { name } } }", root),
    asked("{ ... { folders(id: 1) { name } folders(id: 1) { id } } }", both),
    asked("{ folders(id: 1) { children(id: 2) { ...F } ...F } } fragment F on folders { name }",
      { folders: [{ children: [{ name: "left" }], name: "root" }] }),
    asked("{ folders(id: 1) { ...A ...B } } fragment A on folders { children { id } } fragment B on folders { children { name } }",
      { folders: [{ children: [{ id: 2, name: "left" }, { id: 3, name: "right" }] }] }),
    { name: "in a mutation", as: "admin",
      query: 'mutation { ...M } fragment M on Mutation { createFolders(input: { name: "x" }) { ...F } } fragment F on folders { name }',
      data: { createFolders: { name: "x" } } },
    refused("{ folders { ...Nothing } }"), refused("{ folders { ...F } } fragment F on folders { children { ...F } }"),
    refused("{ folders { ...F } } fragment F on things { id }"), refused("{ folders { ... on things { id } } }"),
    refused("{ folders { ... on Query { id } } }"), refused("{ folders { ... on nothing { id } } }"),
    refused("{ folders { ...F } } fragment F on Query { id }"), refused("{ ... on folders { folders { id } } }"),
    refused("{ ... on Mutation { folders { id } } }"),
    refused("{ folders { ...F } } fragment on on folders { id } fragment F on folders { id }"),
    refused("{ folders { ...F } } fragment F on folders { nothing }"),
    refused("{ folders { id name: id ...F } } fragment F on folders { name }"),
  ]);
});

describe("aliases and keys", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked("{ a: folders(id: 1) { n: name, id: name, name: id } b: folders(id: 9) { id } }",
      { a: [{ n: "root", id: "root", name: 1 }], b: [{ id: 9 }] }),
    asked("{ folders(id: 1) { name } folders(id: 1) { id } }", both),
    asked("{ folders(id: 1) { name name name } }", root),
    asked("{ things: folders(id: 1) { name } }", { things: [{ name: "root" }] }),
    asked("{ constructor: folders(id: 1) { toString: name } }", { constructor: [{ toString: "root" }] }),
    asked("{ __typename t: __typename folders(id: 1) { __typename t: __typename } }",
      { __typename: "Query", t: "Query", folders: [{ __typename: "folders", t: "folders" }] }),
    asked("{ __typename }", { __typename: "Query" }),
    { name: "of a mutation", as: "admin",
      query: 'mutation { __typename a: createFolders(input: { name: "a" }) { __typename } b: createFolders(input: { name: "b" }) { name } }',
      data: { __typename: "Mutation", a: { __typename: "folders" }, b: { name: "b" } } },
    refused("{ folders(id: 1) { id } folders(id: 2) { id } }"), refused("{ __typename { id } }"),
    refused("{ __typename(a: 1) }"), refused("{ folders { __typename { id } } }"), refused("{ a: __typename a: folders { id } }"),
  ]);

  test("__proto__ is a key like any other", async () => {
    await service.store(given);
    const { text } = await sendGraphql(service, "{ __proto__: folders(id: 1) { __proto__: name } }");
    expect(text).toContain('"data":{"__proto__":[{"__proto__":"root"}]}');
  });
});

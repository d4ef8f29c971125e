import { describe, expect, test } from "vitest";
import {
  type GraphqlScenario,
  graphqlScenarios,
  sendGraphql,
  type Variables,
} from "../../support/graphql.ts";
import { library, seven, tree } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const given = tree;

const refused = (query: string, fails = invalid): GraphqlScenario => ({ query, fails });

/** A document over the tree, and `data`. */
const asked = (query: string, data: object, variables?: Variables): GraphqlScenario => ({
  given,
  query,
  data,
  ...(variables !== undefined && { variables }),
});
const root = { folders: [{ name: "root" }] };
const both = { folders: [{ id: 1, name: "root" }] };

describe("operations", () => {
  const two = "query A { folders(id: 1) { id } } query B { folders(id: 1) { name } }";
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
    {
      name: "a subscription beside the chosen query",
      query: "subscription A { folders { id } } query B { folders(id: 1) { name } }",
      operationName: "A",
      fails: invalid,
    },
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
  graphqlScenarios(service, [
    {
      name: "of two models with one name the snake_case one has it",
      as: "admin",
      query:
        'mutation { createLineItems(input: { name: "a" }) { name __typename } createLineItems2(input: { label: "b" }) { label __typename } }',
      data: {
        createLineItems: { name: "a", __typename: "line_items" },
        createLineItems2: { label: "b", __typename: "LineItems" },
      },
      rows: { line_items: [{ name: "a" }], other_items: [{ label: "b" }] },
    },
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

describe("variables", () => {
  const named = (type: string, value: Variables, data: object): GraphqlScenario =>
    asked(`query ($v: ${type}) { folders(size: $v) { id } }`, data, value);
  const found = (...ids: number[]) => ({ folders: ids.map((id) => ({ id })) });
  const wrong = (type: string, value: Variables, use = "size: $v"): GraphqlScenario => ({
    given,
    query: `query ($v: ${type}) { folders(${use}) { id } }`,
    variables: value,
    fails: invalid,
  });
  graphqlScenarios(service, [
    named("Int", { v: 5 }, found(1)),
    named("Int!", { v: 5 }, found(1)),
    named("IntFilter", { v: 5 }, found(1)),
    named("IntFilter", { v: { gte: 5 } }, found(1, 6)),
    named("IntFilter!", { v: { in: [1, 3] } }, found(2, 4, 5)),
    named("IntFilter", { v: { is_null: true } }, found(3, 9)),
    { ...named("Int", { v: null }, found(3, 9)), name: "null: IS NULL" },
    { ...named("IntFilter", { v: { eq: null } }, found(3, 9)), name: "eq: null too" },
    { ...named("Int = 5", {}, found(1)), name: "a default" },
    { ...named("Int = 5", { v: 3 }, found(2)), name: "a default, and a value" },
    { ...named("Int! = 5", {}, found(1)), name: "a default of what must not be null" },
    { ...named("IntFilter = { lt: 3 }", {}, found(4, 5)), name: "an object as default" },
    {
      ...asked("query ($v: Int) { folders(size: { gt: $v, lt: 9 }) { id } }", found(1), { v: 3 }),
      name: "inside an object",
    },
    {
      ...asked("query ($v: Int, $w: Int = 3) { folders(size: { in: [9, $v, $w] }) { id } }", found(1, 2, 6), {
        v: 5,
      }),
      name: "inside a list",
    },
    {
      ...asked("query ($v: [Int!]!) { folders(size: { in: $v }) { id } }", found(1), { v: [5, 8] }),
      name: "a list",
    },
    asked("query ($n: Int, $m: Int) { folders(limit: $n, offset: $m) { id } }", found(2, 3), { n: 2, m: 1 }),
    { ...asked("query ($id: ID) { folders(id: $id) { name } }", root, { id: "1" }), name: "an id as text" },
    asked("query ($id: BigInt) { folders(id: $id) { name } }", root, { id: 1 }),
    asked("query ($s: String!) { folders(name: { like: $s }) { name } }", root, { s: "roo" }),
    refused("query ($unused: Int) { folders(id: 1) { name } }"),
    {
      ...asked("{ folders(id: 1) { name } }", root, { extra: 1 }),
      name: "what no operation declares is ignored",
    },
    {
      ...asked(
        "query ($a: Int) { a: folders(size: $a) { id } b: folders(size: $a, limit: 1) { id } }",
        {
          a: [{ id: 4 }, { id: 5 }],
          b: [{ id: 4 }],
        },
        { a: 1 },
      ),
      name: "one variable twice",
    },
    {
      ...asked(
        "query A($v: Int) { folders(size: $v) { ...f } } fragment f on folders { children(size: $v) { id } }",
        {
          folders: [{ children: [{ id: 5 }] }, { children: [] }],
        },
        { v: 1 },
      ),
      name: "in a fragment",
    },
    wrong("Int", { v: "5" }),
    wrong("Int", { v: 5.5 }),
    wrong("Int", { v: true }),
    wrong("Int", { v: 2147483648 }),
    wrong("Int", { v: [5] }),
    wrong("Int", { v: { eq: 5 } }),
    wrong("Int!", {}),
    wrong("Int!", { v: null }),
    wrong("[Int!]", { v: [null] }, "size: { in: $v }"),
    wrong("[Int]", { v: [null] }, "size: { in: $v }"),
    wrong("[Int]", { v: ["1"] }, "size: { in: $v }"),
    wrong("String", { v: 5 }, "name: $v"),
    wrong("String", { v: 5 }),
    wrong("Boolean", { v: "true" }, "limit: 1, name: $v"),
    wrong("IntFilter", { v: { gt: "x" } }),
    wrong("IntFilter", { v: { nonsense: 1 } }),
    wrong("IntFilter", { v: { gt: null } }),
    wrong("IntFilter", { v: [1] }),
    wrong("Int", { v: 1 }, "size: $w"),
    wrong("Int = $w", { v: 1 }),
    wrong('Int = "x"', {}),
    wrong("Int", { v: 0 }, "limit: $v"),
    { ...refused("query ($v: Int, $v: Int) { folders(size: $v) { id } }"), variables: { v: 1 } },
    { ...refused("query ($v: Int!) { folders(size: $v) { id } }"), name: "none were sent" },
    { ...refused("query ($v: ) { folders(size: $v) { id } }") },
    { ...refused("query ($v) { folders(size: $v) { id } }") },
    { ...refused("query ($v: [Int) { folders(size: $v) { id } }") },
    { ...refused("{ folders(size: $v) { id } }"), variables: { v: 1 } },
    {
      ...refused("query ($s: String) { folders(name: $s) { id } }"),
      variables: { s: "a\u0000b" },
      name: "a NUL",
    },
  ]);

  test("values are bound: one text, many values, each with its own answer", async () => {
    await service.store(given);
    const query = "query ($v: IntFilter, $n: Int) { folders(size: $v, limit: $n) { id } }";
    const ids = async (variables: Variables) =>
      (await sendGraphql(service, query, null, variables)).envelope.data;
    expect(await ids({ v: 5 })).toEqual(found(1));
    expect(await ids({ v: null })).toEqual(found(3, 9));
    expect(await ids({ v: { gt: 3 } })).toEqual(found(1, 6));
    expect(await ids({ v: 3 })).toEqual(found(2));
    expect(await ids({ n: 1 })).toEqual(found(1));
    expect(await ids({ v: { in: [1, 3], gt: 2 } })).toEqual(found(2));
    expect(await ids({})).toEqual(found(1, 2, 3, 4, 5, 6, 9));
  });
});

describe("@skip and @include", () => {
  const flagged = (selection: string, data: object, f?: boolean): GraphqlScenario =>
    asked(
      `query ($f: Boolean = true) { folders(id: 1) { name ${selection} } }`,
      { folders: [data] },
      f === undefined ? {} : { f },
    );
  graphqlScenarios(service, [
    flagged("id @include(if: true) x: size @skip(if: $f)", { name: "root", id: 1 }),
    flagged("id @include(if: false) x: size @skip(if: $f)", { name: "root", x: 5 }, false),
    flagged("id @include(if: $f)", { name: "root", id: 1 }),
    flagged("id @include(if: $f)", { name: "root" }, false),
    flagged("id @include(if: $f) @skip(if: $f)", { name: "root" }),
    flagged("id @include(if: $f) @skip(if: $f)", { name: "root" }, false),
    flagged("id @include(if: $f) @skip(if: false)", { name: "root", id: 1 }),
    flagged("... @include(if: $f) { id }", { name: "root", id: 1 }),
    flagged("... @skip(if: $f) { id }", { name: "root" }),
    flagged("... on folders @include(if: $f) { id }", { name: "root" }, false),
    flagged("children(id: 2) @include(if: $f) { id parent @skip(if: $f) { id } }", {
      name: "root",
      children: [{ id: 2 }],
    }),
    { ...flagged("id id @skip(if: $f)", { name: "root", id: 1 }), name: "one of two of the same field" },
    {
      ...asked(
        "query ($f: Boolean!) { folders(id: 1) { name ...F @include(if: $f) } } fragment F on folders { id }",
        both,
        {
          f: true,
        },
      ),
      name: "on a spread",
    },
    {
      ...asked(
        "query ($f: Boolean!) { folders(id: 1) @include(if: $f) { name } things @skip(if: $f) { id } }",
        root,
        {
          f: true,
        },
      ),
      name: "on root fields",
    },
    { ...asked("{ folders @skip(if: true) { id } }", {}), name: "nothing is left at the root" },
    {
      ...asked("{ folders(id: 1) { id @skip(if: true) } }", { folders: [{}] }),
      name: "nothing is left of an object",
    },
    {
      name: "what is skipped is not asked of the database, nor of the access rules",
      given,
      query: "{ folders(id: 1) { name } tasks @skip(if: true) { id } }",
      data: root,
    },
    refused("{ folders { id @skip } }"),
    refused("{ folders { id @include(if: 1) } }"),
    refused('{ folders { id @include(if: "true") } }'),
    refused("{ folders { id @include(if: null) } }"),
    refused("{ folders { id @include(unless: true) } }"),
    refused("{ folders { id @include(if: true, if: true) } }"),
    refused("{ folders { id @include(if: true, x: 1) } }"),
    refused("{ folders { id @skip(if: true) @skip(if: true) } }"),
    refused("{ folders { id @nonsense } }"),
    refused("{ folders { id @deprecated } }"),
    refused("query @include(if: true) { folders { id } }"),
    refused("query ($f: Boolean @skip(if: true)) { folders { id @skip(if: $f) } }"),
    { ...refused("query ($f: Boolean!) { folders { id @skip(if: $f) } }"), name: "a flag that is not sent" },
    {
      ...refused("query ($f: Boolean!) { folders { id @skip(if: $f) } }"),
      variables: { f: "true" },
      name: "a flag that is no boolean",
    },
    {
      ...refused("query ($f: String!) { folders { id @skip(if: $f) } }"),
      variables: { f: "true" },
      name: "a flag of another type",
    },
  ]);
});

describe("fragments", () => {
  graphqlScenarios(service, [
    asked("{ folders(id: 1) { ...F } } fragment F on folders { name }", root),
    asked("fragment F on folders { name } { folders(id: 1) { id ...F } }", both),
    asked(
      "{ folders(id: 1) { ...F } } fragment F on folders { ...G id } fragment G on folders { name }",
      both,
    ),
    asked("{ folders(id: 1) { ... on folders { name } } }", root),
    asked("{ folders(id: 1) { ... { name } id } }", both),
    asked("{ ...Q } fragment Q on Query { folders(id: 1) { name } }", root),
    asked("{ ... on Query { folders(id: 1) { name } } }", root),
    asked("{ ... { folders(id: 1) { name } folders(id: 1) { id } } }", both),
    asked("{ folders(id: 1) { children(id: 2) { ...F } ...F } } fragment F on folders { name }", {
      folders: [{ children: [{ name: "left" }], name: "root" }],
    }),
    asked(
      "{ folders(id: 1) { ...A ...B } } fragment A on folders { children { id } } fragment B on folders { children { name } }",
      {
        folders: [
          {
            children: [
              { id: 2, name: "left" },
              { id: 3, name: "right" },
            ],
          },
        ],
      },
    ),
    {
      name: "in a mutation",
      as: "admin",
      query:
        'mutation { ...M } fragment M on Mutation { createFolders(input: { name: "x" }) { ...F } } fragment F on folders { name }',
      data: { createFolders: { name: "x" } },
    },
    refused("{ folders { ...Nothing } }"),
    refused("{ folders { ...F } } fragment F on folders { ...F }"),
    refused("{ folders { ...F } } fragment F on folders { ...G } fragment G on folders { ...F }"),
    refused("{ folders { ...F } } fragment F on folders { children { ...F } }"),
    refused("{ folders { id } } fragment F on folders { id }"),
    refused("{ folders { id ...F } } fragment F on folders { id } fragment F on folders { id }"),
    refused("{ folders { ...F } } fragment F on things { id }"),
    refused("{ folders { ... on things { id } } }"),
    refused("{ folders { ... on Query { id } } }"),
    refused("{ folders { ... on nothing { id } } }"),
    refused("{ folders { ...F } } fragment F on Query { id }"),
    refused("{ ... on folders { folders { id } } }"),
    refused("{ ... on Mutation { folders { id } } }"),
    refused("{ folders { ...F } } fragment on on folders { id } fragment F on folders { id }"),
    refused("{ folders { ...F } } fragment F on folders { nothing }"),
    refused("{ folders { id name: id ...F } } fragment F on folders { name }"),
  ]);
});

describe("aliases and keys", () => {
  graphqlScenarios(service, [
    asked("{ a: folders(id: 1) { n: name, id: name, name: id } b: folders(id: 9) { id } }", {
      a: [{ n: "root", id: "root", name: 1 }],
      b: [{ id: 9 }],
    }),
    asked("{ folders(id: 1) { name } folders(id: 1) { id } }", both),
    asked("{ folders(id: 1) { name name name } }", root),
    asked("{ things: folders(id: 1) { name } }", { things: [{ name: "root" }] }),
    asked("{ constructor: folders(id: 1) { toString: name } }", { constructor: [{ toString: "root" }] }),
    asked("{ __typename t: __typename folders(id: 1) { __typename t: __typename } }", {
      __typename: "Query",
      t: "Query",
      folders: [{ __typename: "folders", t: "folders" }],
    }),
    asked("{ __typename }", { __typename: "Query" }),
    {
      name: "of a mutation",
      as: "admin",
      query:
        'mutation { __typename a: createFolders(input: { name: "a" }) { __typename } b: createFolders(input: { name: "b" }) { name } }',
      data: { __typename: "Mutation", a: { __typename: "folders" }, b: { name: "b" } },
    },
    refused("{ folders(id: 1) { id } folders(id: 2) { id } }"),
    refused("{ a: folders { id } a: things { id } }"),
    refused("{ folders { a: id a: name } }"),
    refused("{ folders { id: name id } }"),
    refused("{ __typename { id } }"),
    refused("{ __typename(a: 1) }"),
    refused("{ folders { __typename { id } } }"),
    refused("{ a: __typename a: folders { id } }"),
  ]);

  test("__proto__ is a key like any other", async () => {
    await service.store(given);
    const { text } = await sendGraphql(service, "{ __proto__: folders(id: 1) { __proto__: name } }");
    expect(text).toContain('"data":{"__proto__":[{"__proto__":"root"}]}');
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
    ].flatMap((query) => [
      { query, fails: denied, name: query },
      { query, as: "admin", fails: denied, name: `admin ${query}` },
    ]),
  );

  graphqlScenarios(service, [
    {
      name: "of the operation that is not chosen",
      query: "query A { folders { id } } query B { __schema { types { name } } }",
      operationName: "A",
      fails: denied,
    },
    { ...asked('{ folders(name: "__schema") { id } }', { folders: [] }), name: "a text is only a text" },
    { ...asked("# __schema\n{ folders(id: 1) { name } }", root), name: "and so is a comment" },
    {
      ...asked("query ($n: String) { folders(name: $n) { id } }", { folders: [] }, { n: "__type" }),
      name: "and a variable",
    },
    refused("{ __schemas { id } }", "404 NOT_FOUND"),
  ]);
});

describe("the first problem in the contract's order answers", () => {
  graphqlScenarios(service, [
    {
      name: "any failing root field fails them all",
      given,
      query: "{ folders { id } tasks { id } }",
      fails: "403 PERMISSION_DENIED",
    },
    {
      name: "no partial data",
      given,
      query: '{ folders(id: 1) { id } things(integer: "x") { id } }',
      fails: invalid,
    },
    {
      name: "all roots are looked at before any SQL",
      given: library,
      as: seven,
      query: "{ books { id } sales { id } }",
      fails: "403 PERMISSION_DENIED",
    },
  ]);

  test("malformed comes before unknown", async () => {
    expect(outcome(await sendGraphql(service, "{ nothing { id } "))).toMatch(invalid);
  });
});

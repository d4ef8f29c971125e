import { describe, expect, test } from "vitest";
import { type GraphqlScenario, graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { asked, both, refused, root, tree } from "../../support/graphql-library.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const given = tree;

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
    flagged("id @include(if: $f)", { name: "root", id: 1 }),
    flagged("id @include(if: $f)", { name: "root" }, false),
    flagged("id @include(if: $f) @skip(if: $f)", { name: "root" }),
    flagged("id @include(if: $f) @skip(if: $f)", { name: "root" }, false),
    flagged("id @include(if: $f) @skip(if: false)", { name: "root", id: 1 }),
    flagged("... @include(if: $f) { id }", { name: "root", id: 1 }),
    flagged("... @skip(if: $f) { id }", { name: "root" }),
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
    { ...refused("query ($f: Boolean!) { folders { id @skip(if: $f) } }"), variables: { f: "true" }, name: "a flag that is no boolean" },
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

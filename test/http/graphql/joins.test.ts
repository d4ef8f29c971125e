import { beforeAll, describe, expect, test } from "vitest";
import type { ModelRoutes } from "#runtime/api/rest/index";
import { dataOf, type GraphqlScenario, graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { library, seven, tree } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";
import { service as fixture } from "../fixture/generated/index.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const denied = "403 PERMISSION_DENIED";
const owner = "0a000000-0000-4000-8000-00000000000a";

/** What `as` gets of books. */
const books = (selection: string, as: Caller, ...data: object[]): GraphqlScenario => ({
  given: library,
  as,
  query: `{ books${selection} }`,
  data: { books: data },
});
const authors = (selection: string, as: Caller, ...data: object[]): GraphqlScenario => ({
  given: library,
  as,
  query: `{ authors${selection} }`,
  data: { authors: data },
});
const refused = (query: string, as: Caller, fails: string): GraphqlScenario => ({
  given: library,
  query,
  as,
  fails,
});

describe("belongs_to", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...books(
        " { id author_id author { id name salary } }",
        "staff",
        { id: 1, author_id: 1, author: { id: 1, name: "Ann", salary: 10 } },
        { id: 2, author_id: 2, author: { id: 2, name: "Bob", salary: 20 } },
        { id: 3, author_id: 3, author: null },
        { id: 4, author_id: 1, author: { id: 1, name: "Ann", salary: 10 } },
        { id: 6, author_id: null, author: null },
      ),
      name: "a row, or null for one that is deleted or not there",
    },
    { ...books(
        " { id author_id author { id name } }",
        seven,
        { id: 1, author_id: 1, author: { id: 1, name: "Ann" } },
        { id: 2, author_id: 2, author: null },
        { id: 3, author_id: 3, author: null },
        { id: 4, author_id: 1, author: { id: 1, name: "Ann" } },
      ),
      name: "null for a row out of reach",
    },
    books("(id: { lte: 4 }) { author_id { name } publisher publisher_id { name } }", "staff",
      { author_id: { name: "Ann" }, publisher: "House", publisher_id: null }, { author_id: { name: "Bob" }, publisher: null, publisher_id: null },
      { author_id: null, publisher: null, publisher_id: { name: "Ann" } }, { author_id: { name: "Ann" }, publisher: null, publisher_id: null }),
    { ...books("(id: 1) { id: editor editor { name } other: editor { id } }", "staff", { id: 2, editor: { name: "Bob" }, other: { id: 2 } }),
      name: "under the field's own name; without a selection it is the reference" },
    books("(id: 1) { publisher_id }", "staff", { publisher_id: 3 }),
    { ...books("(id: 1) { a: author { n: name } author { id } a: author { id } }", "staff", { a: { n: "Ann", id: 1 }, author: { id: 1 } }),
      name: "aliases; selections of one key are merged" },
    { name: "by another field than the id",
      given: { docs: [{ code: "x", author: 7 }, { code: "y" }], stamps: [{ doc_code: "x" }, { doc_code: "y" }] }, as: seven,
      query: "{ stamps { code: doc_code doc_code { code author } } }",
      data: { stamps: [{ code: "x", doc_code: { code: "x", author: 7 } }, { code: "y", doc_code: null }] } },
    { name: "to rows with uuid ids",
      given: { owners: [{ id: owner, user_id: 1, mail: "a@example.org" }], pets: [{ name: "rex", owner_id: owner }] }, as: "admin",
      query: "{ pets { name owner_id owner { id mail level } } }",
      data: { pets: [{ name: "rex", owner_id: owner, owner: { id: owner, mail: "a@example.org", level: "low" } }] } },
    refused("{ books { author } }", "staff", invalid),
    refused('{ books { author(name: "Ann") { id } } }', "staff", invalid),
    refused("{ books { author { } } }", "staff", invalid),
    refused("{ books { author { nothing } } }", "staff", invalid),
    refused("{ books { title { id } } }", "staff", invalid),
    refused("{ books { a: author { id } a: editor { id } } }", "staff", invalid),
    refused("{ books { editor editor { id } } }", "staff", invalid),
    refused("{ books { author_id author_id { id } } }", "staff", invalid),
  ]);
});

describe("has_many", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...authors(
        " { id books { id } edited { id } }",
        "staff",
        { id: 1, books: [{ id: 1 }, { id: 4 }], edited: [{ id: 3 }, { id: 4 }] },
        { id: 2, books: [{ id: 2 }], edited: [{ id: 1 }] },
        { id: 4, books: [], edited: [] },
      ),
      name: "live rows by id, or an empty list",
    },
    { ...authors(
        "(id: { in: [1, 2] }) { id books { id } }",
        { role: "user", sub: "8" },
        { id: 1, books: [{ id: 1 }] },
        { id: 2, books: [{ id: 2 }] },
      ),
      name: "rows within the caller's reach",
    },
    books("(id: 1) { chapters { number } }", "staff", { chapters: [1, 2, 3, 4].map((number) => ({ number })) }),
    books("(id: 1) { chapters(limit: 99) { number } }", "staff", { chapters: [1, 2, 3, 4].map((number) => ({ number })) }),
    books("(id: 1) { chapters(offset: 4) { number } }", "staff", { chapters: [{ number: 5 }, { number: 6 }] }),
    books('(id: 1) { chapters(number: { gt: 2 }, orderBy: "-number", limit: 2, offset: 1) { heading } }', "staff",
      { chapters: [{ heading: "A5" }, { heading: "A4" }] }),
    books("(id: 1) { chapters(orderBy: number__desc, limit: 1) { heading } }", "staff", { chapters: [{ heading: "A6" }] }),
    books('(id: 1) { chapters(heading: { ilike: "a3" }) { number } }', "staff", { chapters: [{ number: 3 }] }),
    { ...books("(limit: 2) { id chapters { number } }", null, { id: 1, chapters: [{ number: 1 }] }, { id: 2, chapters: [{ number: 1 }] }),
      name: "under the role's own conditions" },
    { name: "ten rows by default",
      given: { folders: [
          { id: 1, name: "up" },
          ...Array.from({ length: 11 }, (_, at) => ({ name: `f${at}`, parent_id: 1 })),
        ],
      },
      query: "{ folders(id: 1) { children { name } more: children(limit: 11) { id } } }",
      data: { folders: [
          { children: Array.from({ length: 10 }, (_, at) => ({ name: `f${at}` })),
            more: Array(11).fill({ id: expect.any(Number) }),
          },
        ],
      },
    },
    { ...books(
        "(id: 1) { first: chapters(number: 1) { id } last: chapters(number: 6) { id } chapters(limit: 1) { number } }",
        "staff",
        { first: [{ id: 1 }],
          last: [{ id: 6 }],
          chapters: [{ number: 1 }],
        },
      ),
      name: "one relation several times, each with arguments of its own",
    },
    { name: "arguments by variables",
      given: library,
      as: "staff",
      query:
        "query ($n: Int, $f: IntFilter, $l: Int = 1) { books(id: 1) { a: chapters(number: $n) { id } b: chapters(number: $f, limit: $l) { id } } }",
      variables: { n: 2, f: { gte: 5 } },
      data: { books: [{ a: [{ id: 2 }], b: [{ id: 5 }] }] },
    },
    refused("{ books { chapters } }", "staff", invalid),
    refused("{ books { chapters(nothing: 1) { id } } }", "staff", invalid),
    refused('{ books { chapters(search: "a") { id } } }', "staff", `${invalid} search`),
    refused('{ folders { children(search: "a") { id } } }', null, `${invalid} search`),
    refused("{ books { chapters(groupBy: number) { id } } }", "staff", `${invalid} groupBy`),
    refused("{ books { chapters(limit: 0) { id } } }", "staff", invalid),
    refused("{ books { chapters(orderBy: nothing) { id } } }", "staff", invalid),
    refused('{ books { chapters(number: "x") { id } } }', "staff", invalid),
    refused("{ books { chapters(number: 1) { id } chapters(number: 2) { id } } }", "staff", invalid),
    refused("{ authors { books(note: null) { id } } }", seven, `${denied} note`),
    refused('{ authors { books(orderBy: "-note") { id } } }', seven, `${denied} note`),
    refused("{ authors { books { note } } }", seven, `${denied} note`),
  ]);
});

describe("has_one", () => {
  graphqlScenarios(service, [
    {
      ...authors(
        " { id profile { id bio } }",
        "admin",
        { id: 1, profile: { id: 1, bio: "first" } },
        { id: 2, profile: { id: 3, bio: "second" } },
        { id: 4, profile: null },
      ),
      name: "the live row, or null",
    },
    authors("(id: 2) { profile { phone author { name profile { bio } } } }", "staff", {
      profile: { phone: "3", author: { name: "Bob", profile: { bio: "second" } } },
    }),
    refused("{ authors { profile { phone } } }", "admin", `${denied} phone`),
    refused("{ authors { profile } }", "admin", invalid),
  ]);
});

describe("what a role may not fetch", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    refused("{ books { title author { name } } }", null, denied),
    { name: "even where there is no row", query: "{ books { author { id } } }", fails: denied },
    { name: "nor its type name", query: "{ books { author { __typename } } }", fails: denied },
    refused("{ books { a: author_id { name } } }", null, denied),
    refused("{ things { owner { level } } }", "user", denied),
    refused("{ books { vault { items { author { id } } } } }", null, denied),
    refused("{ books { author { salary } } }", seven, `${denied} salary`),
    refused("{ books { author { money: salary } } }", seven, `${denied} salary`),
    refused("{ books { chapters { book { note } } } }", seven, `${denied} note`),
    refused("{ books(limit: 0) { author { salary } } }", seven, denied),
    { name: "a reference is a plain field", given: library, query: "{ books(id: 1) { author_id } }", data: { books: [{ author_id: 1 }] } },
    { name: "search rules at the root, fetch rules below", given: library, as: "admin", query: '{ authors(search: "ann") { books { id } } }',
      data: { authors: [{ books: [{ id: 1 }, { id: 4 }] }] } },
    { name: "what only search would show is not joined", given: library, as: "staff",
      query: '{ books(id: 1, search: "alpha") { author { name } } }', data: { books: [{ author: { name: "Ann" } }] } },
  ]);
});

describe("internal models", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...books("(id: { lte: 2 }) { vault { name } }", null, { vault: { name: "north" } }, { vault: null }),
      name: "need no fetch rule; their deleted rows are null" },
    books("(id: 1) { vault { combination items { id } } }", "admin", { vault: { combination: "123", items: [{ id: 1 }] } }),
    refused("{ books { vault { combination } } }", "staff", `${denied} combination`),
    refused("{ books { vault { pin } } }", "admin", `${denied} pin`),
    books("(id: { lte: 2 }) { reader { handle } }", null, { reader: { handle: "ann" } }, { reader: { handle: null } }),
    books("(id: 2) { reader { id points first_name } }", "staff", { reader: { id: 2, points: 3, first_name: null } }),
    refused("{ books { reader { id } } }", null, `${denied} id`),
    refused("{ books { reader { points } } }", seven, `${denied} points`),
    ...[
      "email", "password", "role", "is_active", "created_at", "pin", "settings", "born_at", "last_login_at",
    ].map((field) => refused(`{ books { reader { ${field} } } }`, "admin", `${denied} ${field}`)),
    refused("{ books { reader { nothing } } }", "admin", invalid),
    refused("{ vaults { name } }", "admin", "404 NOT_FOUND"),
    refused("{ users { handle } }", "admin", "404 NOT_FOUND"),
    refused("{ vaults_aggregate { count } }", "admin", "404 NOT_FOUND"),
    refused("{ users_aggregate { count } }", "admin", "404 NOT_FOUND"),
    refused("{ auth_tokens { id } }", "admin", "404 NOT_FOUND"),
    { name: "children in an internal model", given: { hooked: [{ id: 1, name: "a", code: "c" }], ledger: [{ hooked_name: "x", hooked_id: 1 }] },
      query: "{ hooked { entries { hooked_name hooked { name } } } }",
      data: { hooked: [{ entries: [{ hooked_name: "x", hooked: { name: "a" } }] }] } },
  ]);
});

describe("nesting", () => {
  const folders = (selection: string, ...data: object[]): GraphqlScenario => ({
    given: tree,
    query: `{ folders${selection} }`,
    data: { folders: data },
  });
  const nested = (levels: number): string =>
    Array(levels)
      .fill("")
      .reduce((inner: string) => `{ children(limit: 2) ${inner} }`, "{ name }");
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    folders("(id: 1) { name children { name parent { name } children { name children { name } } } }",
      { name: "root",
        children: [{ name: "left", parent: { name: "root" }, children: [{ name: "deep", children: [{ name: "deeper" }] }] },
          { name: "right", parent: { name: "root" }, children: [] }] }),
    folders("(id: 6) { parent { parent { parent { parent { name parent { name } } } } } }",
      { parent: { parent: { parent: { parent: { name: "root", parent: null } } } } }),
    folders("(parent_id: null) { id parent { id } children(size: 3) { id } }", { id: 1, parent: null, children: [{ id: 2 }] },
      { id: 9, parent: null, children: [] }),
    { ...folders(`(id: 9) ${nested(6)}`, { children: [] }), name: "as deep as max_depth" },
    { given: tree, query: `{ folders(id: 9) ${nested(7)} }`, name: "no deeper", fails: invalid },
    { name: "both ways and back, through three models",
      given: library,
      as: seven,
      query:
        "{ chapters(id: 7) { heading book { title author { name } reader { handle } chapters { book { id chapters(limit: 1) { number } } } } } }",
      data: { chapters: [
          { heading: "B1",
            book: { title: "Beta",
              author: null,
              reader: { handle: null },
              chapters: [{ book: { id: 2, chapters: [{ number: 1 }] } }],
            },
          },
        ],
      },
    },
    { name: "__typename is the model's name",
      given: library,
      as: "staff",
      query:
        "{ __typename books(id: 1) { __typename author { t: __typename } chapters(limit: 1) { __typename } vault { __typename } reader { __typename } } }",
      data: { __typename: "Query",
        books: [
          { __typename: "books",
            author: { t: "authors" },
            chapters: [{ __typename: "chapters" }],
            vault: { __typename: "vaults" },
            reader: { __typename: "users" },
          },
        ],
      },
    },
    { name: "a null join has no __typename", given: library, as: "staff", query: "{ books(id: 6) { author { __typename } } }",
      data: { books: [{ author: null }] } },
  ]);
});

/** The fixture's models, with the columns that joins go over closed to all but admins. */
function gated(entry: ModelRoutes): ModelRoutes {
  const { fields } = entry.policy;
  return { ...entry, policy: { ...entry.policy, fields: { ...fields, author_id: { read: ["admin"] } } } };
}
const models = fixture.models.map((entry) =>
  ["books", "profiles"].includes(entry.model.key) ? gated(entry) : entry,
);
const guarded = await testService({}, { served: { ...fixture, models } });

beforeAll(() => guarded.store(library));

// A caller who sees which rows a join returns learns the value of the referring column.
describe("who may not read a reference may not join over it", () => {
  // biome-ignore format: many a line
  test.each([
    "{ books { author_id } }", "{ books { author { name } } }", "{ books { author_id { name } } }", "{ books { author { __typename } } }",
    "{ authors { books { id } } }", "{ authors { books(limit: 1) { __typename } } }", "{ authors { profile { bio } } }",
    "{ chapters { book { author { name } } } }", "mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { author { name } } }",
  ])("%s", async (query) => {
    const refused = await sendGraphql(guarded, query, seven);
    expect(outcome(refused), refused.text).toBe("403 PERMISSION_DENIED author_id");
    expect(outcome(await sendGraphql(guarded, query, "admin"))).toBe("200");
  });

  test("other joins of the same model are open", async () => {
    const { envelope } = await sendGraphql(guarded, "{ books(id: 1) { editor { name } } }", "staff");
    expect(envelope.data).toEqual({ books: [{ editor: { name: "Bob" } }] });
  });
});

// The generator warns of a `has_one` over a key that is not unique, and makes the model all the same.
test("of several rows that a has_one leads to the first by id is joined", async () => {
  await service.query("DROP INDEX profiles_author_id_key");
  await service.store({
    authors: [{ id: 1, name: "Ann" }],
    profiles: [
      { id: 9, author_id: 1, bio: "stored first" },
      { id: 2, author_id: 1, bio: "gone", deleted_at: "2026-01-01T00:00:00Z" },
      { id: 5, author_id: 1, bio: "first by id" },
    ],
  });
  const data = await dataOf(service, "{ authors { profile { id bio } } }", "admin");
  expect(data).toEqual({ authors: [{ profile: { id: 5, bio: "first by id" } }] });
});

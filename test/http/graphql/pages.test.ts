import { describe, expect, it } from "vitest";
import { dataOf, graphqlScenarios, sendGraphql, type Variables } from "../../support/graphql.ts";
import { library } from "../../support/graphql-library.ts";
import { requestOf } from "../../support/request.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const service = await testService();
const invalid = "400 VALIDATION_ERROR";
const denied = "403 PERMISSION_DENIED";

interface Page {
  readonly rows: readonly { readonly id: number }[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly has_more: boolean;
}

async function pageOf(query: string, as: Caller, variables?: Variables): Promise<Page> {
  const data = await dataOf(service, query, as, variables);
  return (data as unknown as { readonly page: Page }).page;
}

/** The rows of all pages in their order. */
async function walk(
  root: string,
  selection: string,
  order: string,
  direction: "after" | "before",
  as: Caller = null,
) {
  const rows: unknown[] = [];
  let cursor: string | null = direction === "after" ? "start" : "end";
  while (cursor !== null) {
    const query = `query ($cursor: String) {
      page: ${root}_page(limit: 2, orderBy: ${order}, ${direction}: $cursor) { rows ${selection} next previous has_more } }`;
    const page: Page = await pageOf(query, as, { cursor });
    if (direction === "after") rows.push(...page.rows);
    else rows.unshift(...page.rows);
    cursor = direction === "after" ? page.next : page.previous;
    expect(page.has_more).toBe(cursor !== null);
  }
  return rows;
}

describe("a walk has each row once, in order", () => {
  it.each(["pages", "pages__desc", "publisher", "price__desc", "id__desc", "genre", "genre__desc"])(
    "books by %s",
    async (order) => {
      await service.store(library);
      const selections = [
        "{ id }",
        "{ id title author { name profile { bio } } }",
        "{ id chapters(limit: 2, orderBy: number__desc) { number } author { books { id } } }",
      ];
      for (const selection of selections) {
        const { books } = (await dataOf(
          service,
          `{ books(limit: 20, orderBy: ${order}) ${selection} }`,
          "staff",
        )) as { books: unknown };
        expect(books).toHaveLength(5);
        expect(await walk("books", selection, order, "after", "staff")).toEqual(books);
        expect(await walk("books", selection, order, "before", "staff")).toEqual(books);
      }
    },
  );
});

describe("a page", () => {
  const cursor = expect.stringMatching(/^[\w-]+$/);
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "has its fields under their keys", given: library, as: "staff",
      query: '{ first: books_page(limit: 1, where: { pages: { gte: 100 } }, orderBy: "-pages") { __typename list: rows { name: title __typename } next previous more: has_more total estimated } }',
      data: { first: { __typename: "BooksPage", list: [{ name: "Gamma", __typename: "books" }], next: cursor, previous: null, more: true, total: null, estimated: null } } },
    { name: "counts if it is asked for a total", given: library, as: "staff",
      query: "query ($t: PageTotal, $w: BooksWhere) { books_page(total: $t, where: $w) { total estimated } all: books_page(total: estimated, limit: 1) { rows { id } total estimated } }",
      variables: { t: "exact", w: { title: { ilike: "a" }, deleted_at: { is_null: false } } },
      data: { books_page: { total: 4, estimated: false }, all: { rows: [{ id: 1 }], total: 5, estimated: false } } },
    { name: "has the rows of its caller", given: library, query: "{ books_page(total: exact) { rows { id } total next } }",
      data: { books_page: { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], total: 3, next: null } } },
    { name: "of a search has the rules of search", given: library, as: "admin", query: '{ books_page(search: "alpha", total: exact, orderBy: title) { rows { title } total } }',
      data: { books_page: { rows: [{ title: "Alpha" }, { title: "Epsilon" }], total: 2 } } },
    { name: "ignores filters whose variables are not sent, as a list does", given: library, as: "staff",
      query: "query ($t: String) { books_page(where: { title: { eq: $t }, genre: {} }, total: exact) { total } }", data: { books_page: { total: 5 } } },
    { name: "takes null for what is not sent", given: library, as: "staff", query: "{ books_page(after: null, before: null, where: null, total: null, orderBy: null, search: null, limit: null) { rows { id } total } }",
      data: { books_page: { rows: [1, 2, 3, 4, 6].map((id) => ({ id })), total: null } } },
    { name: "is empty where nothing matches", given: library, query: "{ books_page(before: \"end\", where: { title: \"none\" }) { rows { id } next previous has_more } }",
      data: { books_page: { rows: [], next: null, previous: null, has_more: false } } },
    { name: "goes through hooks", given: { hooked: [1, 2].map((id) => ({ id, name: `n${id}`, number: id, code: "c" })) },
      plays: { before_fetch: (query) => ({ ...query, order_by: "number", order: "DESC" }), after_fetch: (rows) => rows.map((row) => ({ ...row, name: "hidden" })) },
      query: "{ hooked_page(limit: 1) { rows { id label: name } has_more } }", data: { hooked_page: { rows: [{ id: 2, label: "hidden" }], has_more: true } } },
    ...([
      ["{ books_page(title: \"x\") { next } }", null, `${invalid} title`], ["{ books_page(offset: 1) { next } }", null, `${invalid} offset`],
      ["{ books_page(after: \"start\", before: \"end\") { next } }", null, `${invalid} before`], ["{ books_page(after: \"end\") { next } }", null, `${invalid} after`],
      ["{ books_page(total: some) { total } }", null, `${invalid} total`], ["{ books_page(where: 1) { next } }", null, `${invalid} where`],
      ["{ books_page(after: 5) { next } }", null, `${invalid} after`], ["{ books_page(before: [\"end\"]) { next } }", null, `${invalid} before`],
      ["{ books_page(after: { a: 1 }, before: \"end\") { next } }", null, `${invalid} after`], ["{ books_page(where: { nothing: 1 }) { next } }", null, `${invalid} nothing`],
      ["{ books_page { a: rows { id } b: rows { title } } }", null, `${invalid} rows`], ["{ books_page }", null, `${invalid} books_page`],
      ["{ books_page { rows } }", null, `${invalid} rows`], ["{ books_page { next { a } } }", null, `${invalid} next`], ["{ books_page { nothing } }", null, `${invalid} nothing`],
      ["{ books_page { next(a: 1) } }", null, `${invalid} a`], ["query ($a: Int) { books_page(after: $a) { next } }", null, `${invalid} a`],
      ["{ books_page { ... on Page { next } } }", null, invalid], ["{ nothing_page { next } }", null, "404 NOT_FOUND nothing_page"],
      ["{ authors_page { rows { id } } }", null, `${denied} authors`], ["{ authors_page { rows { salary } } }", "user", `${denied} salary`],
      ["{ authors_page(where: { salary: 1 }) { total } }", "user", `${denied} salary`], ["{ authors_page(orderBy: salary) { next } }", "user", `${denied} salary`],

    ] as [string, Caller, string][]).map(([query, as, fails]) => ({ query, as, fails, given: library })),
  ]);

  it("names the order by its argument if a sort value is too long", async () => {
    await service.store({
      books: [1, 2].map((id) => ({ id, title: "t", blurb: "x".repeat(2049) })),
    });
    const { envelope } = await sendGraphql(
      service,
      "{ books_page(orderBy: blurb, limit: 1) { next } }",
      "admin",
    );
    expect(envelope).toMatchObject({ error: "VALIDATION_ERROR", details: { field: "orderBy" } });
  });

  it("takes no cursor of REST, of another model, other filters or another search, and REST takes none of GraphQL", async () => {
    await service.store(library);
    const { next } = await pageOf("{ page: books_page(limit: 1) { next } }", "admin");
    const rest = await service.send(requestOf("GET /books/fetch?limit=1&page__after=start"), "admin");
    const query = (root: string) => `query ($c: String) { ${root} { next } }`;
    const given = (root: string, c: unknown) => sendGraphql(service, query(root), "admin", { c: String(c) });
    expect((await given("books_page(after: $c)", next)).status).toBe(200);
    const foreign = [
      await given("books_page(after: $c)", rest.envelope.pagination?.["next"]),
      await given("authors_page(after: $c)", next),
      await given('books_page(after: $c, where: { title: "x" })', next),
      await given('books_page(after: $c, search: "a")', next),
      await given("books_page(before: $c, orderBy: id__desc)", next),
    ];
    for (const { status, envelope } of foreign)
      expect([status, envelope.error, envelope.details?.["field"]]).toEqual([
        400,
        "VALIDATION_ERROR",
        expect.stringMatching(/^(after|before)$/),
      ]);
    const back = await service.send(requestOf(`GET /books/fetch?limit=1&page__after=${next}`), "admin");
    expect(back.envelope.details).toEqual({ field: "page__after" });
  });
});

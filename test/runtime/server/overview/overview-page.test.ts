import { expect, test } from "vitest";
import { definePolicy } from "#runtime/models/access/index";
import { defineModel } from "#runtime/models/index";
import { overviewPage } from "#runtime/server/service-overview";
import { type Operation, operations } from "#vocabulary/operations";

const hostile = `<b onclick='x'>"&`;
const shown = "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;";

// biome-ignore format: many a line
const model = defineModel({
  key: "books", typeName: "Books", table: "books", slug: "books", id: "bigint", softDelete: false,
  maxLimit: 100, fields: { title: { kind: "string", nullable: true } }, relations: {}, uniqueKeys: [],
  foreignKeys: [],
});
const open = { op: "eq", field: "title", value: "open" } as const;
// biome-ignore format: many a line
const policy = definePolicy<typeof model>({
  fetch: { "*": open, staff: true }, search: { [hostile]: true }, count: "as fetch", exists: "as fetch",
  create: { signed_in: true }, update: { staff: open, user: true, "*": open }, upsert: "as create and update",
  delete: {}, destroy: {}, restore: {}, fields: {},
});
const routes = new Map(
  operations.map((operation) => [
    operation,
    { method: methodOf(operation), path: `/${operation}`, operation },
  ]),
);
function methodOf(operation: Operation): string {
  return ["fetch", "search", "count", "exists"].includes(operation) ? "GET" : "POST";
}

const { html } = overviewPage(
  {
    name: hostile,
    baseUrl: "https://example.org/x",
    servicePrefix: "/v1",
    models: [{ model, policy, routes }],
    routes: [
      { method: "GET", path: "/rates", access: ["*"] },
      { method: "GET", path: "/slots/:day", access: ["*", "clerk"] },
      { method: "POST", path: "/rates", access: ["signed_in"] },
    ],
    signInPath: "/auth/sign-in",
    places: [
      { path: `/${hostile}`, what: hostile, isPage: true },
      { path: "/graphql", what: "GraphQL", isPage: false },
    ],
  },
  "https://example.org/x",
);

/** Routes and the roles that can call them, in the table's order. */
const rows = [...html.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)].map(
  ([, route = "", whom = ""]) => [route, whom].map((cell) => cell.replace(/<[^>]+>/g, "")).join(" | "),
);

test("each route of a model stands there with the roles that reach it, and whether they reach all rows", () => {
  // biome-ignore format: many a line
  expect(rows).toEqual([
    "GET /v1/books/fetch | * (some rows), staff", `GET /v1/books/search | ${shown}`, "GET /v1/books/count | * (some rows), staff",
    "GET /v1/books/exists | * (some rows), staff", "POST /v1/books/create | signed_in",
    "POST /v1/books/update | staff (some rows), user, * (some rows)", "POST /v1/books/upsert | signed_in (some rows), staff (some rows), user",
    "POST /v1/books/delete | no one", "POST /v1/books/destroy | no one", "POST /v1/books/restore | no one", "GET /v1/rates | *",
    "GET /v1/slots/:day | *, clerk", "POST /v1/rates | signed_in",
  ]);
});

test("routes that everyone can open in a browser are links, relative to the page", () => {
  const links = [...html.matchAll(/href="(.*?)"/g)].map(([, link]) => link);
  // biome-ignore format: many a line
  expect(links).toEqual([
    "./auth/sign-in", "./v1/books/fetch", "./v1/books/count", "./v1/rates", "./%3Cb%20onclick=&#39;x&#39;%3E%22&amp;",
  ]);
});

test("a name is rendered as text for all characters", () => {
  expect(html).not.toMatch(/<b /);
  expect(html).toContain(`<title>${shown}</title>`);
  expect(html).toContain(`<h1>${shown}</h1>`);
  expect(html).toContain(`<dt><code>${shown}</code></dt>`);
});

test("a role that only a route of the app names is listed as well", () => {
  expect(html).toContain("<dt><code>clerk</code></dt><dd>named by /slots/:day</dd>");
});

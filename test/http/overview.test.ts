import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { project } from "../generator/support/project.ts";
import { password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { requestOf } from "../support/request.ts";
import { expectEnvelope, outcome } from "../support/scenarios.ts";
import { anyService, testService } from "../support/service.ts";
import { service as fixture } from "./fixture/generated/index.ts";

const browser = testBrowser();
const service = await testService();
const elsewhere = await testService(
  { servicePrefix: "/api/v1", authPrefix: "/accounts", rateLimit: { enabled: true, defaultMaxRequests: 1 } },
  { mountedAt: "/shop/now" },
);
const published = await testService({ baseUrl: "https://shop.example/v1" });
const inProduction = await testService({ production: true });

const get = ({ send }: typeof service, path: string) => send({ method: "GET", path });

describe("GET / outside production", () => {
  test("every request gets a page without scripts that caches must not store", async () => {
    const { status, headers, text } = await get(service, "/");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
    });
    expect(text).not.toMatch(/<script|<form|\ssrc=|\s(?:on\w+|style)=/);
    const odd = await service.send({ ...requestOf("GET /?a=<b>"), headers: { authorization: "Bearer x" } });
    expect([odd.status, odd.text]).toEqual([200, text]);
  });

  test("names each route of each model, each role, and how to get a token", async () => {
    const { text } = await get(service, "/");
    for (const { model, policy, routes } of fixture.models) {
      expect(text).toContain(`<h3 id="model-${model.key}">${model.key}</h3>`);
      for (const { method, path } of routes.values())
        expect(text).toContain(`<code>${method} /${model.slug}${path}</code>`);
      for (const role of policy.fetch.rules.map((rule) => rule.role))
        expect(text).toContain(`<dt><code>${role}</code></dt>`);
    }
    expect(text).toContain("npm run --silent token -- --role admin");
    expect(text).toContain('href="./auth/sign-in"');
  });

  test("links to the pages of the API, as far as they are on", async () => {
    const links = ["/reference", "/openapi.json", "/reference/graphql"].map((path) => `href=".${path}"`);
    const shown = ({ text }: { readonly text: string }) => links.filter((link) => text.includes(link));
    expect(shown(await get(service, "/"))).toEqual(links);
    const docs = { enabled: false, scope: "all", path: "/reference" } as const;
    expect(shown(await get(await testService({ docs }), "/"))).toEqual([]);
  });

  // biome-ignore format: one case a line
  test.each<[string, string, string | RegExp]>([
    ["that of base_url, where it came by that", "Shop.example", "https://shop.example/v1"],
    ["the one that was asked for on this machine", "LOCALHOST:4711", "http://localhost:4711"],
    ["the own one of the service, where another name leads to it", "evil.example:80", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["and where one only begins like one of this machine", "localhost.evil.example", /^http:\/\/127\.0\.0\.1:\d+$/],
  ])("the address in the example is %s", async (_, host, address) => {
    const { text } = await published.send({ method: "GET", path: "/", headers: { host } });
    const [, shown = ""] = /TOKEN" (http[^<]*)\/\w+\/fetch/.exec(text) ?? [];
    expect(shown).toMatch(address);
    expect(text).not.toMatch(/evil|<img/);
  });

  test("HEAD returns only the headers, and other methods return 405", async () => {
    const head = await service.send({ method: "HEAD", path: "/" });
    expect([head.status, head.text, head.headers["content-type"]]).toEqual([
      200,
      "",
      "text/html; charset=utf-8",
    ]);
    const post = await service.send({ method: "POST", path: "/", body: {} });
    expectEnvelope(post);
    expect([outcome(post), post.headers["allow"]]).toEqual(["405 HTTP_ERROR", "GET, HEAD"]);
  });

  test.each(["//", "/./", "/index.html", "/%2F"])("%s is no way to it", async (path) => {
    expect((await get(service, path)).status).toBe(404);
  });
});

test.each(["GET", "HEAD", "POST"])("in production %s / is 404, as what is not there", async (method) => {
  const [page, nothing] = await Promise.all(
    ["/", "/nothing"].map((path) => inProduction.send({ method, path })),
  );
  expect([page?.status, page?.text]).toEqual([404, nothing?.text]);
});

describe("where the service is mounted", () => {
  test("the page is at its path, with the slash from which its links lead on", async () => {
    const bare = await get(elsewhere, "/shop/now");
    expect([bare.status, bare.headers["location"]]).toEqual([307, "./now/"]);
    expect((await get(elsewhere, "/shop/now/")).status).toBe(200);
  });

  test("each link leads to something, with all prefixes, and nothing counts who looks at the page", async () => {
    const { text, headers } = await get(elsewhere, "/shop/now/");
    expect(headers).not.toHaveProperty("x-ratelimit-limit");
    expect((await get(elsewhere, "/shop/now/")).status).toBe(200);
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
    expect(links).toContain("./api/v1/notes/fetch");
    expect(links).toContain("./accounts/sign-in");
    for (const link of links) {
      const { pathname } = new URL(link, "http://x/shop/now/");
      const { status, text: answer } = await get(elsewhere, pathname);
      // A model may have nothing to search.
      expect([200, 403], `${pathname}: ${answer}`).toContain(status);
    }
  });
});

describe.skipIf(browser === null)("in a browser", () => {
  test("it is whole, by day and by night, and complains of nothing", async () => {
    if (browser === null) throw new Error("there is no browser");
    const { origin } = elsewhere;
    const { page, complaints, strays } = await browser.open(origin, {
      colorScheme: "dark",
      javaScriptEnabled: false,
    });
    await page.goto(`${origin}/shop/now`);
    expect(page.url()).toBe(`${origin}/shop/now/`);
    expect(await page.title()).toBe("scenarios");
    const headings = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    expect(headings).toEqual(["Get a token", "Models", "Roles", "Other addresses"]);
    const table = page.getByRole("table", { name: "notes", exact: true });
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["Route", "Open to"]);
    await page.getByRole("link", { name: "Register or sign in" }).click();
    expect(page.url()).toBe(`${origin}/shop/now/accounts/sign-in`);
    expect({ complaints, strays }).toEqual({ complaints: [], strays: [] });
  });
});

const prefixed = await testService({ servicePrefix: "/v1" });

test.each([
  ["/v1/things/fetch", "200"],
  ["/v1/things/fetch?limit=1", "200"],
  ["/v1/thing%73/fetch", "200"],
  ["/things/fetch", "404 NOT_FOUND"],
  ["/v1things/fetch", "404 NOT_FOUND"],
  ["/v1-things/fetch", "404 NOT_FOUND"],
  ["/V1/things/fetch", "404 NOT_FOUND"],
  ["/v1/v1/things/fetch", "404 NOT_FOUND"],
  ["/v1//things/fetch", "404 NOT_FOUND"],
  ["/v1?x=/things/fetch", "404 NOT_FOUND"],
  ["/healthz", "200"],
  ["/v1/healthz", "404 NOT_FOUND"],
])("the routes of models lie below the prefix, and nothing else does: %s", async (path, expected) => {
  await prefixed.store({});
  expect(outcome(await prefixed.send({ method: "GET", path }))).toBe(expected);
});

test("their lines of the log name the route with it", async () => {
  await prefixed.send({ method: "GET", path: "/v1/things/fetch", headers: { "x-request-id": "prefixed" } });
  expect(prefixed.log.filter(({ request_id }) => request_id === "prefixed")).toMatchObject([
    { path: "/v1/things/fetch", status: 200 },
  ]);
});

test("a project without models has accounts and GraphQL", async () => {
  const { root, generate, remove } = project({});
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, problems: [] });
  // A build has only what is compiled, and no migration is.
  remove("generated/migrations");
  const { service: generated }: { service: Service } = await import(
    /* @vite-ignore */ join(root, "generated/index.ts")
  );
  const service = await anyService(generated);
  const body = { email: "a@example.com", password };
  const statuses = [
    await service.send({ method: "POST", path: "/auth/register", body }),
    await service.send({ method: "POST", path: "/graphql", body: { query: "{ __typename }" } }),
    await service.send({ method: "GET", path: "/books/fetch" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 404]);
});

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { withUsedComponents } from "#vocabulary/openapi/used-components";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { type Tab, testBrowser } from "../support/browser.ts";
import { authorize, openOperation, runQuery, tryOperation, typeQuery } from "../support/docs-pages.ts";
import { rewritingProxy } from "../support/proxy.ts";
import { type TestService, testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const browser = testBrowser();
const docs = { enabled: true, path: "/reference" } as const;

/** The fixture with two models in its document: Swagger UI reads all of it again for each operation. */
const small = (() => {
  const folder = temporaryFolder("kirak-docs-");
  const generated = join(import.meta.dirname, "../http/fixture/generated");
  const whole: OpenApiDocument = JSON.parse(readFileSync(join(generated, "openapi.json"), "utf8"));
  const paths = Object.entries(whole.paths).filter(([path]) => /^\/(?:tasks|things)\//.test(path));
  const document = withUsedComponents({ ...whole, paths: Object.fromEntries(paths) });
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  cpSync(join(generated, "graphql"), join(folder, "graphql"), { recursive: true });
  return { ...fixture, folder: pathToFileURL(`${folder}/`) };
})();
const mounted = await testService(
  { docs: { ...docs, scope: "all" } },
  { mountedAt: "/shop/now", served: small },
);
const forCallers = await testService(
  { docs: { ...docs, scope: "caller" }, auth: { cookieName: "session" } },
  { served: small },
);

/** Opens a page of a service, as a proxy publishes it that takes a prefix away, or as it is. */
async function open({ origin }: Pick<TestService, "origin">, path: string): Promise<Tab> {
  if (browser === null) throw new Error("there is no browser");
  const tab = await browser.open(origin);
  await tab.page.goto(origin + path);
  return tab;
}

const stored = (tab: Tab) =>
  tab.page.evaluate("[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]");
const clean = { complaints: [], strays: [], referrers: [] };
const faultsOf = ({ complaints, strays, referrers }: Tab) => ({ complaints, strays, referrers });

const task = { id: 1, title: "a", user: 7, status: "open" };

describe.skipIf(browser === null)("the API reference", () => {
  test("shows operations with their access, and sends requests with the token, below a mount path", async () => {
    await mounted.store({ tasks: [task] });
    const tab = await open(mounted, "/shop/now/reference");
    const operation = await openOperation(tab.page, "tasks", "fetchTasks");
    const access = await operation.locator("tr", { hasText: "x-kirak-access" }).innerText();
    expect(access).toContain('{"role":"user","rows":"user = {user_id}"}');
    await authorize(tab.page, tokenOf({ role: "user", sub: "7" }));
    const [url, status, body] = await tryOperation(operation);
    expect([url, status]).toEqual([`${mounted.origin}/shop/now/tasks/fetch?limit=10&order=ASC`, "200"]);
    expect(body).toContain('"title": "a"');
    expect(await tab.page.title()).toBe("scenarios: API reference");
    expect(await stored(tab)).toEqual([[], [], ""]);
    expect(faultsOf(tab)).toEqual(clean);
  });

  test("shows the document of guests if the cookie is not valid any more", async () => {
    const tab = await open(forCallers, "/healthz");
    await tab.page.context().addCookies([{ name: "session", value: "expired", url: forCallers.origin }]);
    await tab.page.goto(`${forCallers.origin}/reference`);
    await tab.page.locator("#operations-tag-things").waitFor();
  });

  test("loads the document of the credential, behind a proxy that takes a prefix away", async () => {
    await forCallers.store({ tasks: [task] });
    const published = { origin: await rewritingProxy(forCallers.origin, "/ops/shop") };
    const tab = await open(published, "/ops/shop/reference");
    const { page } = tab;
    const ofTasks = page.locator("#operations-tag-tasks");
    await page.locator("#operations-tag-things").waitFor();
    expect(await ofTasks.count()).toBe(0);

    await authorize(page, tokenOf({ role: "user", sub: "7" }));
    const operation = await openOperation(page, "tasks", "fetchTasks");
    const [url, status, body] = await tryOperation(operation);
    expect([url, status]).toEqual([`${published.origin}/ops/shop/tasks/fetch?limit=10&order=ASC`, "200"]);
    expect(body).toContain('"title": "a"');

    await authorize(page, null);
    await ofTasks.waitFor({ state: "detached" });
    expect(faultsOf(tab)).toEqual(clean);

    await authorize(page, "not a token");
    await page.locator(".errors-wrapper", { hasText: "token" }).waitFor();
    expect(await page.locator("#operations-tag-things").count()).toBe(1);
    expect(tab.complaints).toEqual([expect.stringContaining("401")]);
    expect(await stored(tab)).toEqual([[], [], ""]);
    expect(tab.strays).toEqual([]);
  });
});

describe.skipIf(browser === null)("GraphiQL", () => {
  test("proposes names of the schema and runs a query, without introspection", async () => {
    await mounted.store({ things: [{ id: 1, string: "first" }] });
    const tab = await open(mounted, "/shop/now/reference/graphql");
    const sent: string[] = [];
    tab.page.on("request", (request) => sent.push(request.postData() ?? ""));
    expect(await typeQuery(tab.page, "{ thi")).toContain("things");
    await typeQuery(tab.page, "{ things(limit: 1) { string } }");
    const shown = await runQuery(tab.page);
    expect(shown).toContain('"first"');
    expect(shown).not.toContain("statusCode");
    await tab.page.getByRole("button", { name: "Re-fetch GraphQL schema" }).click();
    await tab.page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await tab.page.locator(".graphiql-doc-explorer", { hasText: "Query" }).waitFor();
    expect(sent.filter((text) => text !== "")).toEqual([expect.stringContaining("things(limit: 1)")]);
    expect(await tab.page.title()).toBe("scenarios: GraphiQL");
    expect(faultsOf(tab)).toEqual(clean);
  });
});

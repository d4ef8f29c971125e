import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { loadFiles } from "../generator/load/load-text.ts";
import { account, accounts, countRows, password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { clientScript } from "../support/client.ts";
import { testClock } from "../support/clock.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";

const { definition } = await loadFiles({
  "models.json": {},
  "manifest.json": { name: "x", auth: { cookie_name: "access", refresh_cookie_name: "refresh" } },
});
if (definition === null) throw new Error("the definition has errors");

const browser = testBrowser();
const clock = testClock();
const names = { cookieName: "access", refreshCookieName: "refresh" };
const service = await testService({ auth: { ...names, accessTokenSeconds: 300 } }, { now: clock.now });
const front = await frontOf(service.origin);
const html = `<!doctype html><meta charset="utf-8"><title>app</title>
<script>${clientScript(openApiDocument(definition))}
const api = client.createClient({ url: "", cookies: true, retries: 0 });
const heard = [];
api.session.subscribe((session) => heard.push(session));
/** Calls at once, each with its error or null. */
const calls = (count) => Promise.all(Array.from({ length: count }, () => api.auth.me().result().then(({ error }) => error?.error ?? null)));
</script>`;
const sends = (line: string) => front.lines().filter((one) => one === line).length;
const refreshes = () => sends("POST /auth/refresh-token");
const email = "user1@example.com";

beforeEach(async () => {
  front.reset();
  front.always("/app", { status: 200, headers: { "content-type": "text/html" }, body: html });
  await service.store(accounts([account(1)]));
});

/** A page of the app with a session. */
async function signedIn(): Promise<Page> {
  if (browser === null) throw new Error("there is no browser");
  const { page } = await browser.open(front.url);
  await page.goto(`${front.url}/app`);
  await page.evaluate(`api.auth.login(${JSON.stringify({ email, password })})`);
  return page;
}

const fine = (count: number) => Array.from({ length: count }, () => null);

describe.skipIf(browser === null)("a client with cookies, in Chromium", () => {
  test("signs in, and no script can read a token", async () => {
    if (browser === null) return;
    const { page } = await browser.open(front.url);
    const texts: Promise<string>[] = [];
    page.on("response", (response) => texts.push(response.text()));
    await page.goto(`${front.url}/app`);
    const data = await page.evaluate(`api.auth.login(${JSON.stringify({ email, password })})`);
    expect(data).toEqual({ user: expect.objectContaining({ email }), expiresIn: 300 });
    await page.evaluate("api.auth.refresh()");
    expect(await page.evaluate("calls(2)")).toEqual(fine(2));
    const cookies = await page.context().cookies(`${front.url}/auth`);
    const byName = cookies.toSorted((one, other) => one.name.localeCompare(other.name));
    expect(byName).toMatchObject([
      { name: "access", httpOnly: true, secure: true, sameSite: "Lax", path: "/" },
      { name: "refresh", httpOnly: true, secure: true, sameSite: "Strict", path: "/auth" },
    ]);
    const session = { accessToken: "", refreshToken: "", expiresAt: expect.any(Number) };
    expect(await page.evaluate("api.session.get()")).toEqual(session);
    const stored = "[document.cookie, localStorage.length, sessionStorage.length]";
    expect(await page.evaluate(stored)).toEqual(["", 0, 0]);
    const all = (await Promise.all(texts)).join("\n");
    for (const { value } of cookies) expect(all).not.toContain(value);
    expect(all).not.toMatch(/eyJ[\w-]+\.eyJ/);
    for (const { headers } of front.arrived) expect(headers).not.toHaveProperty("authorization");
  });

  test("refreshes once for many calls: after the end of the token, and of its cookie", async () => {
    // The service looks at the real time to judge a token, and at its clock to make one.
    clock.pass(-400);
    const page = await signedIn();
    clock.pass(400);
    expect(await page.evaluate("calls(5)")).toEqual(fine(5));
    expect(sends("GET /auth/me")).toBe(10);
    expect(refreshes()).toBe(1);
    await page.context().clearCookies({ name: "access" });
    expect(await page.evaluate("calls(5)")).toEqual(fine(5));
    expect([refreshes(), await countRows(service, "auth_sessions")]).toEqual([2, 1]);
  });

  test("keeps the session when the page loads again, and in another tab", async () => {
    const page = await signedIn();
    await page.reload();
    expect(await page.evaluate("calls(3)")).toEqual(fine(3));
    expect(refreshes()).toBe(1);
    const other = await page.context().newPage();
    await other.goto(`${front.url}/app`);
    await page.reload();
    expect(await Promise.all([page.evaluate("calls(2)"), other.evaluate("calls(2)")])).toEqual([
      fine(2),
      fine(2),
    ]);
    expect(refreshes()).toBe(3);
    await other.close();
  });

  test("learns that its session was ended elsewhere", async () => {
    const page = await signedIn();
    const [session] = await service.query("SELECT id FROM auth_sessions");
    const login = await service.send({ method: "POST", path: "/auth/login", body: { email, password } });
    await service.send({
      ...{ method: "DELETE", path: `/auth/sessions/${session?.["id"]}` },
      headers: { authorization: `Bearer ${Object(login.envelope.data).accessToken}` },
    });
    expect(await page.evaluate("calls(3)")).toEqual(["TOKEN_EXPIRED", "TOKEN_EXPIRED", "TOKEN_EXPIRED"]);
    // A refused refresh is sent again.
    expect(refreshes()).toBe(2);
    expect(await page.evaluate("heard.at(-1)")).toBeNull();
  });

  test("signs in again: the cookies of the new session stay, and the old one ends", async () => {
    const page = await signedIn();
    const ids = () => service.query("SELECT id FROM auth_sessions");
    const before = await ids();
    await page.evaluate(`api.auth.reauthenticate(${JSON.stringify({ email, password })})`);
    expect(await ids()).toHaveLength(1);
    expect(await ids()).not.toEqual(before);
    expect(await page.evaluate("calls(2)")).toEqual(fine(2));
    expect(refreshes()).toBe(0);
  });

  test("signs out: the cookies are gone, also for the next page", async () => {
    const page = await signedIn();
    expect(await page.evaluate("api.auth.logout()")).toMatchObject({ deleted_tokens: 1 });
    expect(await page.context().cookies()).toEqual([]);
    expect(await countRows(service, "auth_sessions")).toBe(0);
    expect(await page.evaluate("calls(1)")).toEqual(["MISSING_TOKEN"]);
    await page.reload();
    expect(await page.evaluate("calls(1)")).toEqual(["MISSING_TOKEN"]);
  });

  test("acts by the cookie on other accounts' routes: sessions and profile", async () => {
    const page = await signedIn();
    expect(await page.evaluate("api.auth.account.update({ first_name: 'Ann' })")).toMatchObject({
      first_name: "Ann",
    });
    expect(await page.evaluate("api.auth.sessions.list()")).toMatchObject({ sessions: [{ current: true }] });
    await page.evaluate(
      "api.auth.sessions.list().then(({ sessions: [{ id }] }) => api.auth.sessions.end({ id }))",
    );
    expect(await page.context().cookies()).toEqual([]);
  });
});

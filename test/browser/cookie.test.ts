import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { account, accounts, password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { testService } from "../support/service.ts";

const browser = testBrowser();
const service = await testService({ auth: { cookieName: "session" } });

const other = createServer((_request, response) => {
  const form = `<form method="post" action="${service.origin}/auth/api-keys/create"></form>`;
  response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>other</title>${form}`);
});
/** Another origin of the same site: browsers send it the cookie in spite of `SameSite=Lax`. */
const neighbour = await listening(other);

const keys = () => service.query("select id from auth_tokens where token_type = 'api_key'");

describe.skipIf(browser === null)("the auth cookie in a browser", () => {
  test("only pages of the service write with it", async () => {
    if (browser === null) throw new Error("there is no browser");
    await service.store(accounts([account(1)]));
    const { page } = await browser.open(service.origin);
    await page.goto(`${service.origin}/auth/sign-in`);
    await page.getByRole("textbox", { name: "E-mail address" }).first().fill("user1@example.com");
    await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Signed in as user1@example.com" }).waitFor();
    expect(
      await page.evaluate('fetch("api-keys/create", { method: "POST" }).then(({ status }) => status)'),
    ).toBe(200);
    expect(await keys()).toHaveLength(1);
    await page.goto(neighbour);
    const navigation = page.waitForNavigation();
    await page.evaluate("document.forms[0].submit()");
    const response = await navigation;
    expect(response?.status()).toBe(403);
    expect((await response?.request().allHeaders())?.["cookie"]).toContain("session=");
    expect(await keys()).toHaveLength(1);
  });
});

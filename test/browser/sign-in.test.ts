import { createSecretKey, randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { signInPage } from "#runtime/modules/auth/http/sign-in-page/sign-in-page";
import { errorCodes } from "#vocabulary/error-codes";
import { account, accounts, password } from "../support/accounts.ts";
import { type Tab, testBrowser } from "../support/browser.ts";
import { testClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { totp } from "../support/mfa.ts";
import { testService } from "../support/service.ts";
import { testSms } from "../support/sms.ts";
import { testSmtp } from "../support/smtp.ts";
import { player } from "../support/social/player.ts";
import { playGithub, socialSettings } from "../support/social/sign-in.ts";
import { alert, heading, status } from "./page-actions.ts";

const browser = testBrowser();
const smtp = await testSmtp();
const sms = await testSms();
const provider = await player();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const address = `${origin}/account/v1/sign-in`;
const email = "ann@example.com";
const phone = "+12025550123";

const service = await testService(
  {
    authPrefix: "/account/v1",
    baseUrl: origin,
    secrets: { verification: [createSecretKey(randomBytes(32))] },
    email: { provider: "smtp", from: "Shop <no-reply@shop.example>", smtpUrl: smtp.url },
    sms: sms.settings,
    social: socialSettings({
      github: {
        settings: {
          redirect_uri: `${origin}/account/v1/github/callback`,
          // The browser goes there as well, and has no resolver.
          authorization_url: `${provider.origin}/https/github.com/login/oauth/authorize`,
        },
      },
    }),
  },
  { resolveProvider: provider.resolve, port },
);

/** The provider redirects back at once, as for a user who has agreed before. */
function playConsent(answer: Readonly<Record<string, string>>): void {
  provider.play("GET https://github.com/login/oauth/authorize", ({ url }) => {
    const state = url.searchParams.get("state") ?? "";
    const back = new URLSearchParams({ ...answer, state });
    return { status: 302, headers: { location: `${url.searchParams.get("redirect_uri")}?${back}` } };
  });
}

async function open(path = ""): Promise<Tab> {
  if (browser === null) throw new Error("there is no browser");
  const tab = await browser.open(origin);
  await tab.page.goto(`${address}${path}`);
  return tab;
}

/** Moves the focus to the element with this name, with only the Tab key. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < 30; stop++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate<string>(
      "(document.activeElement.labels?.[0] ?? document.activeElement).textContent",
    );
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    if (found === name) return expect(outline).toBe("solid");
  }
  throw new Error(`the Tab key does not reach ${name}`);
}
const facts = async (page: Page) => {
  const [names, values] = [
    await page.locator("dt").allInnerTexts(),
    await page.locator("dd").allInnerTexts(),
  ];
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
};
async function signInByKeyboard(page: Page, secret = password): Promise<void> {
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(secret);
  await page.keyboard.press("Enter");
}

describe.skipIf(browser === null)("the sign-in page", () => {
  test("as a screen reader hears it", async () => {
    const { page, complaints, strays } = await open();
    await page.getByRole("button", { name: "Continue with GitHub" }).waitFor();
    expect(await page.title()).toBe("Sign in");
    expect(await page.locator("body").ariaSnapshot()).toMatchInlineSnapshot(`
      "- main:
        - heading "Sign in" [level=1]
        - paragraph: This page is for testing accounts in development. It does not exist in production.
        - alert
        - status
        - region "With a password":
          - heading "With a password" [level=2]
          - text: E-mail address
          - textbox "E-mail address"
          - text: Password
          - textbox "Password"
          - alert
          - button "Sign in"
          - status
          - paragraph:
            - link "Forgot your password?":
              - /url: forgot-password
        - region "With a passkey":
          - heading "With a passkey" [level=2]
          - button "Sign in with a passkey"
        - region "With a one-time code":
          - heading "With a one-time code" [level=2]
          - text: Phone number
          - textbox "Phone number"
          - alert
          - button "Send a code"
          - status
        - region "With a code by e-mail":
          - heading "With a code by e-mail" [level=2]
          - text: E-mail address
          - textbox "E-mail address"
          - alert
          - button "Send a code"
          - status
        - region "With an account of a provider":
          - heading "With an account of a provider" [level=2]
          - list:
            - listitem:
              - button "Continue with GitHub"
        - region "Register":
          - heading "Register" [level=2]
          - text: E-mail address
          - textbox "E-mail address"
          - text: New password
          - textbox "New password"
          - paragraph: At least 12 characters.
          - alert
          - button "Register"
          - status"
    `);
    expect({ complaints, strays }).toEqual({ complaints: [], strays: [] });
  });

  test("with a password and only the keyboard: errors, the user, renewal, and sign-out", async () => {
    await service.store(
      accounts([account(1, { email, first_name: "Ann", last_name: "Lee", role: "editor" })]),
    );
    const { page, strays, referrers } = await open();
    await signInByKeyboard(page, "Wrong-Horse-1!");
    await alert(page, "E-mail or password is wrong. (INVALID_CREDENTIALS)");
    await page.getByRole("textbox", { name: "Password", exact: true }).press("ControlOrMeta+a");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await heading(page, `Signed in as ${email}`).waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("who");
    expect(await facts(page)).toEqual({
      "User id": "1",
      "E-mail": email,
      Name: "Ann Lee",
      Role: "editor",
      Verified: "yes",
      "Access token": expect.stringMatching(/^until .*\d/),
      "Refresh token": expect.stringMatching(/^until .*\d/),
    });
    const rows = () => service.query("select token_hash from auth_tokens");
    const [before] = await rows();
    await tabTo(page, "Renew the tokens");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await rows())[0]?.["token_hash"]).not.toBe(before?.["token_hash"]);
    await status(page, "tokens renewed");
    expect(await page.evaluate("document.activeElement.id")).toBe("done");
    await tabTo(page, "Sign out");
    await page.keyboard.press("Enter");
    await heading(page, "With a password").waitFor();
    expect(await rows()).toEqual([]);
    expect(
      await page.locator("input").evaluateAll((all) => all.map((one) => Reflect.get(one, "value")).join("")),
    ).toBe("");
    expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
  });

  test("a registration, the mail, another mail, and in", async () => {
    await service.store({});
    const { page } = await open();
    await tabTo(page, "New password");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type(email);
    await page.keyboard.press("Tab");
    await page.keyboard.type("short");
    await page.keyboard.press("Enter");
    await alert(page, "(WEAK_PASSWORD)");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await status(page, "Registered. Open the link");
    await smtp.next(email);
    await page.getByRole("textbox", { name: "E-mail address" }).first().focus();
    await signInByKeyboard(page);
    await alert(page, "(EMAIL_NOT_VERIFIED)");
    await tabTo(page, "Send a new verification link");
    await page.keyboard.press("Enter");
    await status(page, "a link is on its way");
    const { pathname, search } = new URL((await smtp.next(email)).link);
    await service.send({ method: "GET", path: pathname + search });
    await page.getByRole("textbox", { name: "Password", exact: true }).press("Enter");
    await heading(page, `Signed in as ${email}`).waitFor();
  });

  test("with a one-time code", async () => {
    await service.store({});
    const { page } = await open();
    await tabTo(page, "Phone number");
    await page.keyboard.type("020");
    await page.keyboard.press("Enter");
    await alert(page, "with the code of its country");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(phone);
    await page.keyboard.press("Enter");
    const code = page.getByRole("textbox", { name: "Code from the text message" });
    await code.waitFor();
    await page.keyboard.type("abc");
    await page.keyboard.press("Enter");
    await alert(page, "(INVALID_OTP)");
    await code.press("ControlOrMeta+a");
    await page.keyboard.type(sms.codeOf(phone));
    await page.keyboard.press("Enter");
    await heading(page, /^Signed in as user \d+$/).waitFor();
    expect(await facts(page)).toMatchObject({ "E-mail": "none", Verified: "yes" });
  });

  test("a second factor is set up, asked for, and turned off", async () => {
    await service.store(accounts([account(1, { email })]));
    const { page } = await open();
    await signInByKeyboard(page);
    await heading(page, `Signed in as ${email}`).waitFor();
    await tabTo(page, "Set up a second factor");
    await page.keyboard.press("Enter");
    const codes = page.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const [first = "", second = ""] = await page.locator("#backup li").allInnerTexts();
    const secret = new URL(await page.locator("#uri").innerText()).searchParams.get("secret") ?? "";
    await page.keyboard.type(totp(secret, testClock()));
    await page.keyboard.press("Enter");
    await status(page, "MFA is enabled");
    await tabTo(page, "Sign out");
    await page.keyboard.press("Enter");
    await heading(page, "With a password").waitFor();

    await signInByKeyboard(page);
    await alert(page, "This account has a second factor");
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await alert(page, "(INVALID_MFA_CODE)");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(first);
    await page.keyboard.press("Enter");
    await heading(page, `Signed in as ${email}`).waitFor();
    await tabTo(page, "Code from the app, or a backup code");
    await page.keyboard.type(second);
    await tabTo(page, "Turn it off");
    await page.keyboard.press("Enter");
    await status(page, "MFA is disabled");
  });

  test("with a social account and only the keyboard; the token leaves the address", async () => {
    await service.store({});
    playGithub(provider, { id: 7, email });
    playConsent({ code: "good" });
    const { page, complaints } = await open("?lang=en");
    await page.getByRole("button", { name: "Continue with GitHub" }).waitFor();
    await tabTo(page, "Continue with GitHub");
    await page.keyboard.press("Enter");
    await heading(page, `Signed in as ${email}`).waitFor();
    expect(page.url()).toBe(address);
    expect(await facts(page)).toMatchObject({ "E-mail": email, Name: "Ann Lee", Verified: "yes" });
    await page.reload();
    await heading(page, "With a password").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a provider's refusal is shown as text, and leaves the address", async () => {
    await service.store({});
    playConsent({ error: "access_denied" });
    const { page } = await open();
    await page.getByRole("button", { name: "Continue with GitHub" }).press("Enter");
    await alert(page, `${errorCodes.SOCIAL_AUTH_FAILED.message} (SOCIAL_AUTH_FAILED)`);
    expect(page.url()).toBe(address);
  });

  test.each([
    ["?error=SOCIAL_EMAIL_NOT_VERIFIED", errorCodes.SOCIAL_EMAIL_NOT_VERIFIED.message],
    ["?error=Call+0900-123", "The sign-in failed."],
    ["?error=toString", "The sign-in failed."],
    ["?token=forged", "This sign-in began in another tab."],
    ["?token=", "This sign-in began in another tab."],
  ])("%s shows only known texts", async (query, text) => {
    const { page } = await open(query);
    await alert(page, text);
    expect(page.url()).toBe(address);
    expect(await page.locator("main").innerText()).not.toContain("0900");
  });

  test("a provider that a page of the app starts gets a word, one that needs a name asks for it", async () => {
    if (browser === null) throw new Error("there is no browser");
    const { page } = await browser.open(origin);
    const { html, contentSecurityPolicy } = signInPage({
      ...{ features: [], registration: true, columns: {} },
      beginnings: { telegram: { parameter: null }, shopify: { parameter: "shop" } },
    });
    const headers = { "content-type": "text/html", "content-security-policy": contentSecurityPolicy };
    await page.route(address, (route) => route.fulfill({ body: html, headers }));
    const entry = (name: string, title: string) => ({
      provider: name,
      title,
      login_url: `${origin}/account/v1/${name}/login`,
    });
    const data = [entry("telegram", "<b>Telegram"), entry("shopify", "Shopify")];
    await page.route(`${origin}/account/v1/providers`, (route) => route.fulfill({ json: { data } }));
    const asked = page.waitForRequest(/shopify\/login/);
    await page.goto(address);
    await page.getByText("<b>Telegram: a page of the app begins this sign-in.").waitFor();
    expect(await page.getByRole("button", { name: /Telegram/ }).count()).toBe(0);
    await page.getByRole("textbox", { name: "shop for Shopify" }).fill("a.myshopify.com");
    await page.keyboard.press("Enter");
    const { searchParams } = new URL((await asked).url());
    expect(Object.fromEntries(searchParams)).toEqual({
      shop: "a.myshopify.com",
      redirect_to: address,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("without scripts it shows a note and no form", async () => {
    if (browser === null) throw new Error("there is no browser");
    const { page } = await browser.open(origin, { javaScriptEnabled: false });
    await page.goto(address);
    expect(await page.locator("main").innerText()).toContain("needs JavaScript");
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test.each(["light", "dark"] as const)(
    "fits a narrow window, readable when it is %s",
    async (colorScheme) => {
      if (browser === null) throw new Error("there is no browser");
      await service.store(accounts([account(1, { email })]));
      const { page } = await browser.open(origin, { viewport: { width: 320, height: 600 }, colorScheme });
      await page.goto(address);
      const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(await overflow()).toBe(0);
      await signInByKeyboard(page);
      await heading(page, `Signed in as ${email}`).waitFor();
      await page.getByRole("button", { name: "Set up a second factor" }).press("Enter");
      await page.getByRole("list", { name: "Backup codes" }).waitFor();
      expect(await overflow()).toBe(0);
      const colours = await page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]",
      );
      const [text, back] = ["rgb(27, 27, 31)", "rgb(255, 255, 255)"];
      expect(colours).toEqual(
        colorScheme === "light" ? [text, back] : ["rgb(236, 236, 241)", "rgb(22, 23, 29)"],
      );
    },
  );
});

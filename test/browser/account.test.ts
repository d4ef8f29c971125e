import { createSecretKey, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { testClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import type { Stored } from "../support/service.ts";
import { testService } from "../support/service.ts";
import { testSms } from "../support/sms.ts";
import { testSmtp } from "../support/smtp.ts";
import { player } from "../support/social/player.ts";
import { playGithub, socialSettings } from "../support/social/sign-in.ts";
import { alert, fill, heading, press, signIn, status } from "./page-actions.ts";

const browser = testBrowser();
const smtp = await testSmtp();
const sms = await testSms();
const provider = await player();
const clock = testClock();
const port = await freePort();
const origin = `http://localhost:${port}`;
const address = `${origin}/auth/sign-in`;
const email = "user1@example.com";
const phone = "+12025550123";
const another = "Another-Horse-2?";

const service = await testService(
  {
    baseUrl: origin,
    auth: {
      passkeys: { rpId: "localhost", rpName: "Shop", origins: [origin] },
      changeEmailPageUrl: `${origin}/auth/change-email`,
      securityNotices: false,
    },
    secrets: { verification: [createSecretKey(randomBytes(32))] },
    email: { provider: "smtp", from: "Shop <no-reply@shop.example>", smtpUrl: smtp.url },
    sms: sms.settings,
    social: socialSettings({
      github: {
        settings: {
          redirect_uri: `${origin}/auth/github/callback`,
          authorization_url: `${provider.origin}/https/github.com/login/oauth/authorize`,
        },
      },
    }),
  },
  { resolveProvider: provider.resolve, port, now: clock.now },
);

/** The page, with user 1 signed in. */
async function open(columns: Stored = {}): Promise<Page> {
  if (browser === null) throw new Error("there is no browser");
  await service.store(accounts([account(1, columns)]));
  const { page } = await browser.open(origin);
  await page.goto(address);
  await signIn(page, email);
  await heading(page, `Signed in as ${email}`).waitFor();
  return page;
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const users = (condition: string) => countRows(service, "users", condition);

/** A device with passkeys. Returns a function that sets whether its user agrees to each later request at once. */
async function addAuthenticator(page: Page): Promise<(agrees: boolean) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options });
  return (enabled) => session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
}

describe.skipIf(browser === null)("on the sign-in page, a user", () => {
  test("changes names, and columns of the app", async () => {
    const page = await open({ first_name: "Ann", pin: "1234" });
    await fill(page, "Profile", "First name", "");
    await fill(page, "Profile", "Last name", "Lee");
    await fill(page, "Profile", "nickname", "x".repeat(21));
    await press(page, "Change the profile");
    await alert(page, /nickname.*\(VALIDATION_ERROR\)/);
    await fill(page, "Profile", "nickname", "annie");
    await fill(page, "Profile", "settings", '{"theme":"dark"}');
    await press(page, "Change the profile");
    await status(page, "profile changed");
    const changed = `first_name IS NULL AND last_name = 'Lee' AND nickname = 'annie' AND settings->>'theme' = 'dark' AND pin = '1234'`;
    expect(await users(changed)).toBe(1);
    expect(await page.getByRole("textbox", { name: "settings" }).inputValue()).toBe('{"theme":"dark"}');
  });

  test("changes the e-mail address by a link, and withdraws a change", async () => {
    const page = await open();
    const ask = async (address: string) => {
      await fill(page, "E-mail", "New e-mail address", address);
      await press(page, "Send a link to it");
      await page.getByText(`The link to ${address} is not used yet.`).waitFor();
    };
    await ask("other@example.com");
    await press(page, "Withdraw the change");
    await page.getByText("is not used yet").waitFor({ state: "detached" });
    await ask("new@example.com");
    const mail = await page.context().newPage();
    await mail.goto((await smtp.next("new@example.com")).link);
    await press(mail, "Use the new address");
    await status(mail, "Your e-mail address is now new@example.com.");
    await mail.close();
    await press(page, "Renew the tokens");
    await heading(page, "Signed in as new@example.com").waitFor();
  });

  test("changes and removes the phone number", async () => {
    const page = await open();
    await fill(page, "Phone", "New phone number", phone);
    await press(page, "Send a code to it");
    const code = page.getByRole("textbox", { name: "Code from the text message" });
    await code.fill("abc");
    await press(page, `Confirm ${phone}`);
    await alert(page, "(INVALID_OTP)");
    await code.fill(sms.codeOf(phone));
    await press(page, `Confirm ${phone}`);
    await region(page, "Phone").getByText(phone, { exact: true }).waitFor();
    expect(await code.count()).toBe(0);
    await press(page, "Remove the phone number");
    await page.getByText("This account has no phone number.").waitFor();
  });

  test("removes the password, sets one, and signs in again with another one", async () => {
    const page = await open();
    await press(page, "Remove the password");
    await page.getByRole("button", { name: "Set a password" }).waitFor();
    await fill(page, "Password", "New password", password);
    await fill(page, "Password", "Repeat the new password", another);
    await press(page, "Set a password");
    await alert(page, "The two passwords are not the same.");
    await fill(page, "Password", "Repeat the new password", password);
    await press(page, "Set a password");
    const current = page.getByRole("textbox", { name: "Current password" });
    await current.fill(password);
    await fill(page, "Password", "New password", another);
    await fill(page, "Password", "Repeat the new password", another);
    await press(page, "Change the password");
    await status(page, "Your password is changed. Sign in with the new one.");
    await signIn(page, email, another);
    await heading(page, `Signed in as ${email}`).waitFor();
    // No field keeps a password.
    expect([await current.inputValue(), await page.locator("#password_new_password").inputValue()]).toEqual([
      "",
      "",
    ]);
  });

  test("ends other sessions, and leaves a session that was ended elsewhere", async () => {
    const page = await open();
    const login = () => service.send({ method: "POST", path: "/auth/login", body: { email, password } });
    for (let begun = 0; begun < 3; begun++) await login();
    await press(page, "Renew the tokens");
    const sessions = region(page, "Sessions").getByRole("listitem");
    await expect.poll(() => sessions.count()).toBe(4);
    expect(await sessions.filter({ hasText: "(this session)" }).count()).toBe(1);
    await page.getByRole("button", { name: "End this session" }).first().click();
    await expect.poll(() => sessions.count()).toBe(3);
    await press(page, "End all other sessions");
    await expect.poll(() => sessions.count()).toBe(1);
    expect(await countRows(service, "auth_sessions")).toBe(1);

    await service.query("DELETE FROM auth_tokens");
    await press(page, "Renew the tokens");
    await alert(page, "(INVALID_TOKEN)");
    await signIn(page, email);
    await heading(page, `Signed in as ${email}`).waitFor();
    await service.query("DELETE FROM auth_tokens");
    await press(page, "Sign out");
    await status(page, "You are signed out.");
    await heading(page, "With a password").waitFor();
  });

  test("adds a passkey, renames it, signs in with it in two ways, and deletes it", async () => {
    const page = await open();
    await addAuthenticator(page);
    await press(page, "Add a passkey");
    const passkeys = region(page, "Passkeys");
    await passkeys.getByRole("textbox", { name: "Name" }).fill("Chromium");
    await press(page, "Rename this passkey");
    await passkeys.getByText("Chromium, last used never").waitFor();
    // A browser that offers no passkeys by itself, once.
    await page.evaluate(`(() => {
      const { isConditionalMediationAvailable } = PublicKeyCredential;
      PublicKeyCredential.isConditionalMediationAvailable = async () => {
        Object.assign(PublicKeyCredential, { isConditionalMediationAvailable });
        return false;
      };
    })()`);
    const used = () => service.query("SELECT id FROM auth_sessions WHERE signed_in_with = '{passkey}'");
    await press(page, "Sign out");
    await press(page, "Sign in with a passkey");
    await heading(page, `Signed in as ${email}`).waitFor();
    const [first] = await used();
    // Now the field of the e-mail address offers the passkey, and the user takes it.
    await press(page, "Sign out");
    await expect.poll(used).toEqual([{ id: expect.not.stringMatching(String(first?.["id"])) }]);
    await heading(page, `Signed in as ${email}`).waitFor();
    await press(page, "Delete this passkey");
    await status(page, "passkey deleted");
    expect(await countRows(service, "auth_passkeys")).toBe(0);
  });

  test("uses a passkey as the second factor", async () => {
    const page = await open();
    const agree = await addAuthenticator(page);
    await press(page, "Add a passkey");
    await page.getByRole("button", { name: "Rename this passkey" }).waitFor();
    await agree(false);
    const offered = page.waitForResponse(/login-options/);
    await press(page, "Sign out");
    await offered;
    await service.query(
      "INSERT INTO auth_mfa (user_id, secret, backup_codes, enabled) VALUES (1, 'x', '[]', true)",
    );
    await signIn(page, email);
    await agree(true);
    await press(page, "Use a passkey as the second factor");
    await heading(page, `Signed in as ${email}`).waitFor();
    expect(await countRows(service, "auth_sessions", "signed_in_with = '{password,passkey}'")).toBe(1);
    await page.getByRole("button", { name: "Turn it off" }).waitFor();
  });

  test("links and unlinks a provider, and keeps the last way to sign in", async () => {
    const page = await open();
    playGithub(provider, { id: 7, email: "ann@github.example" });
    provider.play("GET https://github.com/login/oauth/authorize", ({ url }) => {
      const back = new URLSearchParams({ code: "good", state: url.searchParams.get("state") ?? "" });
      return { status: 302, headers: { location: `${url.searchParams.get("redirect_uri")}?${back}` } };
    });
    await press(page, "Link GitHub");
    await status(page, "The provider is linked. Sign in to see it.");
    expect(page.url()).toBe(address);
    await signIn(page, email);
    await region(page, "Linked providers").getByText("GitHub, ann@github.example").waitFor();
    await service.query("UPDATE users SET password = NULL, is_verified = false");
    await press(page, "Unlink GitHub");
    await alert(page, "(LAST_SIGN_IN_METHOD)");
    await service.query("UPDATE users SET is_verified = true");
    await press(page, "Unlink GitHub");
    await page.getByRole("button", { name: "Link GitHub" }).waitFor();
    expect(await countRows(service, "auth_social")).toBe(0);
  });

  test("downloads the data, and deletes the account", async () => {
    const page = await open();
    const downloading = page.waitForEvent("download");
    await press(page, "Download my data");
    const file = await (await downloading).path();
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ account: { user: { email } } });
    page.once("dialog", (dialog) => dialog.dismiss());
    await press(page, "Delete the account");
    expect(await users("true")).toBe(1);
    page.once("dialog", (dialog) => dialog.accept());
    await press(page, "Delete the account");
    await status(page, "The account is deleted.");
    expect(await users("true")).toBe(0);
  });

  test("signs in again to change a way to sign in, which replaces the session", async () => {
    const page = await open({ phone_number: phone });
    clock.pass(11 * 60);
    await press(page, "Remove the phone number");
    await alert(page, "(REAUTHENTICATION_REQUIRED)");
    const ways = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    expect(ways).toEqual(["With a password", "With a one-time code", "With a code by e-mail"]);
    await press(page, "Back to the account");
    await fill(page, "E-mail", "New e-mail address", "new@example.com");
    await press(page, "Send a link to it");
    await alert(page, "(REAUTHENTICATION_REQUIRED)");
    await signIn(page, email);
    await status(page, "You are signed in again. Now repeat the change.");
    expect(await region(page, "Sessions").getByRole("listitem").count()).toBe(1);
    await press(page, "Remove the phone number");
    await page.getByText("This account has no phone number.").waitFor();
  });
});

const bare = await testService({
  auth: { selfService: [], passkeys: null, emailCodes: false, registration: false },
});

test.skipIf(browser === null)("features that are off have no part of the page", async () => {
  if (browser === null) return;
  await bare.store(accounts([account(1)]));
  const { page } = await browser.open(bare.origin);
  await page.goto(`${bare.origin}/auth/sign-in`);
  const parts = () => page.getByRole("heading", { level: 2 }).allInnerTexts();
  await heading(page, "With an account of a provider").waitFor();
  expect(await parts()).toEqual(["With a password", "With a one-time code", "With an account of a provider"]);
  await signIn(page, email);
  await heading(page, `Signed in as ${email}`).waitFor();
  expect(await parts()).toEqual([`Signed in as ${email}`, "Second factor"]);
  const buttons = await page.getByRole("button").allInnerTexts();
  expect(buttons).toEqual(["Sign in again", "Renew the tokens", "Sign out", "Set up a second factor"]);
});

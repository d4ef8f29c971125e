import { describe, expect, test } from "vitest";
import { account, accounts, password } from "../support/accounts.ts";
import { type Tab, testBrowser } from "../support/browser.ts";
import { testSmtp } from "../support/smtp.ts";
import { mailingService } from "./mailing-service.ts";

const browser = testBrowser();
const smtp = await testSmtp();
const newPassword = "Another-Horse-2!";

describe.skipIf(browser === null).each(["/auth", "/account/v1"])(
  "a forgotten password, below %s",
  async (prefix) => {
    const service = await mailingService(prefix, smtp);
    const address = `${service.origin}${prefix}/forgot-password`;

    const open = async (path = ""): Promise<Tab> => {
      if (browser === null) throw new Error("there is no browser");
      const tab = await browser.open(service.origin);
      await tab.page.goto(`${address}${path}`);
      return tab;
    };
    const login = async (email: string, sent: string) =>
      (await service.send({ method: "POST", path: `${prefix}/login`, body: { email, password: sent } }))
        .status;
    /** The mail's link as a path of this service, which is not really at shop.example. */
    const linkTo = async (email: string) => {
      const { pathname, search } = new URL((await smtp.next(email)).link);
      expect(pathname).toBe(`${prefix}/forgot-password`);
      return search;
    };

    test("is replaced, with only the keyboard, through the link of the mail", async () => {
      const email = "jörg@example.com";
      await service.store(accounts([account(1, { email })]));
      const { page, complaints, strays, referrers } = await open();
      await page.keyboard.type(email);
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: /\w/ }).waitFor();

      await page.goto(`${address}${await linkTo(email)}`);
      expect(page.url()).toBe(address);
      const alert = page.getByRole("alert");
      const first = page.getByRole("textbox", { name: "New password", exact: true });
      const second = page.getByRole("textbox", { name: "Repeat the new password" });

      await page.keyboard.type("short");
      await page.keyboard.press("Tab");
      await page.keyboard.type("short");
      await page.keyboard.press("Enter");
      await alert.filter({ hasText: "12" }).waitFor();
      expect(await first.getAttribute("aria-invalid")).toBe("true");

      await first.press("ControlOrMeta+a");
      await page.keyboard.type(newPassword);
      await page.keyboard.press("Tab");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(`${newPassword}?`);
      await page.keyboard.press("Enter");
      await alert.filter({ hasText: /^The two passwords are not the same\.$/ }).waitFor();
      expect(await second.getAttribute("aria-invalid")).toBe("true");
      expect(await login(email, password)).toBe(200);

      await second.press("ControlOrMeta+a");
      await page.keyboard.type(newPassword);
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: /\w/ }).waitFor();
      expect(await page.getByRole("textbox").count()).toBe(0);
      expect([await login(email, newPassword), await login(email, password)]).toEqual([200, 401]);
      // What the two refusals leave there; nothing that the content security policy stopped.
      expect(complaints).toEqual(Array(2).fill(expect.stringMatching(/status of 400/)));
      expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
    });

    test("a link works once; the page then leads to another", async () => {
      const email = "ann@example.com";
      await service.store(accounts([account(1, { email })]));
      await service.send({ method: "POST", path: `${prefix}/request-reset-password`, body: { email } });
      const link = await linkTo(email);
      for (const outcome of ["status", "alert"] as const) {
        const { page } = await open(link);
        await page.keyboard.type(newPassword);
        await page.keyboard.press("Tab");
        await page.keyboard.type(newPassword);
        await page.keyboard.press("Enter");
        await page.getByRole(outcome).filter({ hasText: /\w/ }).waitFor();
        if (outcome === "alert") {
          await page.getByRole("link", { name: "Ask for a new one" }).press("Enter");
          await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
        }
      }
    });

    test("an address without an account gets the same words, and no mail", async () => {
      await service.store(accounts([account(1, { email: "known@example.com" })]));
      const words: string[] = [];
      for (const email of ["known@example.com", "unknown@example.com"]) {
        const { page } = await open();
        await page.keyboard.type(email);
        await page.keyboard.press("Enter");
        const status = page.getByRole("status").filter({ hasText: /\w/ });
        await status.waitFor();
        words.push(await status.innerText());
      }
      await smtp.next("known@example.com");
      expect(words[0]).toBe(words[1]);
      expect(smtp.mails.filter(({ to }) => to.includes("unknown@example.com"))).toEqual([]);
    });

    test("an invalid address is reported, and stays in the field", async () => {
      const { page } = await open();
      await page.keyboard.type("ann");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
      const field = page.getByRole("textbox", { name: "E-mail address" });
      expect([await field.inputValue(), await field.getAttribute("aria-invalid")]).toEqual(["ann", "true"]);
    });
  },
);

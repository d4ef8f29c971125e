import { describe, expect, test } from "vitest";
import { password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { testSmtp } from "../support/smtp.ts";
import { mailingService } from "./mailing-service.ts";

const browser = testBrowser();
const smtp = await testSmtp();
const email = "ann@example.com";

describe.skipIf(browser === null).each(["/auth", "/account/v1"])(
  "a registration, below %s",
  async (prefix) => {
    const service = await mailingService(prefix, smtp);

    test("the mail's link leads to a page that says what came of it, each time", async () => {
      if (browser === null) throw new Error("there is no browser");
      await service.store({});
      const login = () =>
        service.send({ method: "POST", path: `${prefix}/login`, body: { email, password } });
      await service.send({ method: "POST", path: `${prefix}/register`, body: { email, password } });
      expect((await login()).envelope.error).toBe("EMAIL_NOT_VERIFIED");
      const { pathname, search } = new URL((await smtp.next(email)).link);
      expect(pathname).toBe(`${prefix}/verify-email`);

      const { page, complaints, strays, referrers } = await browser.open(service.origin);
      const visit = async (query: string) => {
        const answer = await page.goto(`${service.origin}${pathname}${query}`);
        const heading = page.getByRole("heading", { level: 1 });
        expect(await page.title()).toBe(await heading.innerText());
        return [answer?.status(), await heading.innerText()];
      };
      expect(await visit(search)).toEqual([200, "Your e-mail address is confirmed"]);
      expect(await visit(search)).toEqual([200, "Your e-mail address is already confirmed"]);
      expect((await login()).status).toBe(200);
      expect(complaints).toEqual([]);
      expect(await visit(`${search}x`)).toEqual([400, "This link does not work"]);
      expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
    });

    test("an invalid link leads to another, with only the keyboard", async () => {
      if (browser === null) throw new Error("there is no browser");
      await service.store({});
      await service.send({ method: "POST", path: `${prefix}/register`, body: { email, password } });
      await smtp.next(email);
      const { page, complaints, strays, referrers } = await browser.open(service.origin);
      await page.goto(`${service.origin}${prefix}/verify-email?token=x`);
      expect(await page.locator("body").ariaSnapshot()).toBe(
        `
- main:
  - heading "This link does not work" [level=1]
  - paragraph: "It may be incomplete, or too old: links work for 24 hours. Please copy the whole link from the mail, or ask for a new one."
  - paragraph: Enter the e-mail address that you want to confirm.
  - text: E-mail address
  - textbox "E-mail address"
  - alert
  - button "Send a new link"
  - status
`.trim(),
      );
      await page.keyboard.press("Tab");
      await page.keyboard.type("ann");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: "one e-mail address" }).waitFor();
      await page.keyboard.type("@example.com");
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: "on its way" }).waitFor();
      const { pathname, search } = new URL((await smtp.next(email)).link);
      const answer = await page.goto(`${service.origin}${pathname}${search}`);
      expect(answer?.status()).toBe(200);
      // What the page itself and the refusal leave there; nothing that the content security policy stopped.
      expect(complaints).toEqual(Array(2).fill(expect.stringMatching(/status of 400/)));
      expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
    });
  },
);

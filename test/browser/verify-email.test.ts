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
      expect(await visit(search)).toEqual([200, "Your e-mail address was confirmed before"]);
      expect((await login()).status).toBe(200);
      expect(complaints).toEqual([]);
      expect(await visit(`${search}x`)).toEqual([400, "This link does not work"]);
      expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
    });
  },
);

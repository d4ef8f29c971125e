import { describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { testSmtp } from "../support/smtp.ts";
import { mailingService } from "./mailing-service.ts";

const browser = testBrowser();
const smtp = await testSmtp();
const email = "user1@example.com";
const wanted = "o'neil@example.com";

describe.skipIf(browser === null).each(["/auth", "/account/v1"])(
  "a change of the e-mail, below %s",
  async (prefix) => {
    const service = await mailingService(prefix, smtp);
    const title = "Confirm your new e-mail address";

    test("the mail's link leads to a page whose button changes it, once, with only the keyboard", async () => {
      if (browser === null) throw new Error("there is no browser");
      await service.store(accounts([account(1)]));
      const post = (path: string, body: Record<string, string>, headers = {}) =>
        service.send({ method: "POST", path: `${prefix}/${path}`, body, headers });
      const { accessToken } = Object((await post("login", { email, password })).envelope.data);
      await post("change-email", { new_email: wanted }, { authorization: `Bearer ${accessToken}` });
      const { pathname, search } = new URL((await smtp.next(wanted)).link);
      expect(pathname).toBe(`${prefix}/change-email`);

      const { page, complaints, strays, referrers } = await browser.open(service.origin);
      const visit = () => page.goto(`${service.origin}${pathname}${search}`);
      await visit();
      expect(await page.title()).toBe(title);
      // The token is not in the history.
      expect(page.url()).toBe(`${service.origin}${pathname}`);
      expect(await page.locator("body").ariaSnapshot()).toBe(
        `
- main:
  - heading "${title}" [level=1]
  - paragraph: Your account will use the address that received the link. It keeps the old address until you confirm the new one.
  - alert
  - button "Use the new address"
  - status
`.trim(),
      );
      expect(await countRows(service, "users", `email = '${email}'`)).toBe(1);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page
        .getByRole("status")
        .filter({ hasText: `Your e-mail address is now ${wanted}.` })
        .waitFor();
      expect(await countRows(service, "users", "email = 'o''neil@example.com' AND is_verified")).toBe(1);
      expect(complaints).toEqual([]);

      await visit();
      await page.getByRole("button").click();
      await page
        .getByRole("alert")
        .filter({ hasText: "The link is not valid, has expired, or was used." })
        .waitFor();
      expect(complaints).toEqual([expect.stringMatching(/status of 400/)]);
      expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
    });
  },
);

import { describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { testSmtp } from "../support/smtp.ts";
import { mailingService } from "./mailing-service.ts";
import { alert, status } from "./page-actions.ts";

const browser = testBrowser();
const smtp = await testSmtp();
const email = "new@example.com";
const chosen = "Another-Horse-2?";

describe.skipIf(browser === null).each(["/auth", "/account/v1"])(
  "an invitation, below %s",
  async (prefix) => {
    const service = await mailingService(prefix, smtp);
    const title = "Set a password for your account";
    const login = (address: string, secret: string) =>
      service.send({ method: "POST", path: `${prefix}/login`, body: { email: address, password: secret } });

    test("the mail's link leads to a page that sets the first password, once, with only the keyboard", async () => {
      if (browser === null) throw new Error("there is no browser");
      await service.store(accounts([account(1, { role: "admin" })]));
      const { accessToken } = Object((await login("user1@example.com", password)).envelope.data);
      const headers = { authorization: `Bearer ${accessToken}` };
      await service.send({ method: "POST", path: "/admin/users", body: { email }, headers });
      const { pathname, search } = new URL((await smtp.next(email)).link);
      expect(pathname).toBe(`${prefix}/accept-invitation`);

      const { page, complaints, strays, referrers } = await browser.open(service.origin);
      const visit = () => page.goto(`${service.origin}${pathname}${search}`);
      await visit();
      // The token is not in the history.
      expect([await page.title(), page.url()]).toEqual([title, `${service.origin}${pathname}`]);
      expect(await page.locator("body").ariaSnapshot()).toBe(
        `
- main:
  - heading "${title}" [level=1]
  - text: New password
  - textbox "New password"
  - paragraph: At least 12 characters.
  - text: Repeat the new password
  - textbox "Repeat the new password"
  - checkbox "Show the passwords"
  - text: Show the passwords
  - alert
  - button "Set the password"
  - status
`.trim(),
      );
      const first = page.getByRole("textbox", { name: "New password", exact: true });
      const second = page.getByRole("textbox", { name: "Repeat the new password" });
      const enter = async (one: string, other: string) => {
        await first.focus();
        await page.keyboard.type(one);
        await page.keyboard.press("Tab");
        await page.keyboard.type(other);
        await page.keyboard.press("Enter");
      };
      const clear = () => Promise.all([first.fill(""), second.fill("")]);
      const isSet = () => countRows(service, "users", `email = '${email}' AND is_verified`);

      await enter("short", "short");
      await alert(page, "12");
      expect(await first.getAttribute("aria-invalid")).toBe("true");
      await clear();
      await enter(chosen, `${chosen}x`);
      await alert(page, "The two passwords are not the same.");
      expect([await second.getAttribute("aria-invalid"), await isSet()]).toEqual(["true", 0]);
      await page.getByRole("checkbox").press("Space");
      expect([await first.getAttribute("type"), await second.getAttribute("type")]).toEqual(["text", "text"]);
      await clear();
      await enter(chosen, chosen);
      await status(page, "Your password is set. You can sign in with it now.");
      expect(await page.getByRole("textbox").count()).toBe(0);
      expect([(await login(email, chosen)).status, await isSet()]).toEqual([200, 1]);

      await visit();
      await enter("Third-Horse-3!!", "Third-Horse-3!!");
      await alert(page, "The link is not valid, has expired, or was used.");
      expect((await login(email, chosen)).status).toBe(200);
      // What the three refusals leave there; nothing that the content security policy stopped.
      expect(complaints).toEqual(Array(3).fill(expect.stringMatching(/status of 400/)));
      expect({ strays, referrers }).toEqual({ strays: [], referrers: [] });
    });
  },
);

import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../support/browser.ts";
import { testService } from "../support/service.ts";

const browser = testBrowser();
const { origin } = await testService();
const address = `${origin}/auth/forgot-password`;

describe.skipIf(browser === null)("the reset page", () => {
  const open = async (path: string, options?: BrowserContextOptions) => {
    if (browser === null) throw new Error("there is no browser");
    const tab = await browser.open(origin, options);
    await tab.page.goto(`${address}${path}`);
    return tab;
  };

  test("as a screen reader hears it, without a token", async () => {
    const { page, complaints } = await open("");
    expect(await page.title()).toBe("Forgot your password?");
    expect(await page.locator("body").ariaSnapshot()).toBe(
      `
- main:
  - heading "Forgot your password?" [level=1]
  - paragraph: Enter the e-mail address of your account. If the account exists, you will get a link that lets you set a new password.
  - text: E-mail address
  - textbox "E-mail address"
  - alert
  - button "Send the link"
  - status
`.trim(),
    );
    expect(complaints).toEqual([]);
  });

  test("as a screen reader hears it, with one", async () => {
    const { page, complaints } = await open("?token=abc");
    expect(await page.title()).toBe("Set a new password");
    expect(await page.locator("body").ariaSnapshot()).toBe(
      `
- main:
  - heading "Set a new password" [level=1]
  - text: New password
  - textbox "New password"
  - paragraph: At least 12 characters.
  - text: Repeat the new password
  - textbox "Repeat the new password"
  - checkbox "Show the passwords"
  - text: Show the passwords
  - alert
  - button "Set the password"
  - paragraph:
    - text: The link does not work?
    - link "Ask for a new one":
      - /url: forgot-password
    - text: .
  - status
`.trim(),
    );
    expect(complaints).toEqual([]);
  });

  test("the keyboard reaches everything in order, and the focus is seen", async () => {
    const { page } = await open("?token=abc");
    const focused = () =>
      page.evaluate<string>("document.activeElement.textContent || document.activeElement.id");
    const outline = "getComputedStyle(document.activeElement).outlineStyle";
    const stops: unknown[] = [];
    for (let stop = 0; stop < 5; stop++) {
      stops.push(await focused());
      expect(await page.evaluate(outline)).toBe("solid");
      await page.keyboard.press("Tab");
    }
    // biome-ignore format: many a line
    expect(stops).toEqual([
      "new_password", "confirm_password", "show", "Set the password", "Ask for a new one",
    ]);
  });

  test("passwords are hidden until the user shows them", async () => {
    const { page } = await open("?token=abc");
    const types = () =>
      page.locator("#set input:not(#show)").evaluateAll((all) => all.map((one) => one.getAttribute("type")));
    expect(await types()).toEqual(["password", "password"]);
    await page.getByRole("checkbox", { name: "Show the passwords" }).press("Space");
    expect(await types()).toEqual(["text", "text"]);
  });

  test("the token leaves the address, what else stands there stays, and no way back brings it again", async () => {
    const { page } = await open("?lang=en&token=abc.def");
    expect(page.url()).toBe(`${address}?lang=en`);
    await page.getByRole("link", { name: "Ask for a new one" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await page.reload();
    await page.goBack();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    expect(page.url()).toBe(`${address}?lang=en`);
  });

  test("without scripts it shows a note and no form", async () => {
    const { page } = await open("", { javaScriptEnabled: false });
    expect(await page.getByRole("heading").allTextContents()).toEqual(["Reset your password"]);
    expect(await page.locator("main").innerText()).toContain("needs JavaScript");
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("a server that cannot be reached is no silence", async () => {
    const { page } = await open("");
    await page.context().setOffline(true);
    await page.keyboard.type("ann@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "could not be reached" }).waitFor();
  });

  test("it fits a window as narrow as 320 pixels, or four times enlarged", async () => {
    const { page } = await open("?token=abc", { viewport: { width: 320, height: 600 } });
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });
});

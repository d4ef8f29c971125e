import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { kirak } from "../../test/cli/support/kirak.ts";
import { testBrowser } from "../../test/support/browser.ts";
import { developmentPassword } from "../seed/accounts.ts";
import { knownEmails } from "../seed/people.ts";
import { shopService } from "./shop-service.ts";

const browser = testBrowser();
const root = join(import.meta.dirname, "..", "..");

/** Starts `examples/web/serve.js`. Returns its address. */
async function servePage(): Promise<string> {
  const server = spawn(process.execPath, [join(root, "examples", "web", "serve.js")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterAll(() => server.kill());
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  return String(line);
}

const page = await servePage();
const shop = await shopService(400, { SERVICE_SET_CORS__ORIGINS: JSON.stringify([page]) });

test.skipIf(browser === null)("the example page signs in, lists, writes and uploads", async () => {
  if (browser === null) return;
  const tab = await browser.open(page);
  const at = (selector: string) => tab.page.locator(selector);
  await tab.page.goto(`${page}/?port=${new URL(shop.origin).port}`);

  // Guests see all published books, page by page.
  const { count: total } = (await shop.call("GET /books/count", null)).envelope.data as { count: number };
  expect(total).toBeGreaterThan(20);
  const books = () => at("#books li").count();
  await expect.poll(books).toBe(20);
  const scrolled = async () => {
    await at("#more").scrollIntoViewIfNeeded();
    return at("#more").textContent();
  };
  await expect.poll(scrolled).toBe(`${total} books`);
  const titles = await at("#books li").allTextContents();
  expect(new Set(titles).size).toBe(total);

  const signIn = async (password: string) => {
    await at("#sign-in [name=email]").fill(knownEmails.reader);
    await at("#sign-in [name=password]").fill(password);
    await at("#sign-in button").click();
  };
  await signIn("wrong");
  await expect.poll(() => at("#sign-in output").textContent()).toBe("E-mail or password is wrong.");
  await signIn(developmentPassword);
  await expect.poll(() => at("#signed-in span").textContent()).toBe(knownEmails.reader);

  // Each wrong field has the message of the service.
  await at("#review [name=rating]").fill("9");
  await at("#review [name=title]").fill("x");
  await at("#review button").click();
  await expect.poll(() => at("#review [aria-invalid=true]").count()).toBe(2);
  expect(await at("#review .problem").allTextContents()).toEqual([
    expect.stringContaining("5"),
    expect.stringContaining("3"),
  ]);

  await at("#picture [name=file]").setInputFiles({ name: "me.png", mimeType: "image/png", buffer: png });
  await at("#picture button").click();
  await expect.poll(() => at("#picture a").textContent()).toMatch(/-me\.png$/);
  expect(await at("#picture progress").evaluate((bar) => Reflect.get(bar, "value"))).toBe(1);

  // A reload keeps the session; signing out ends it.
  await tab.page.reload();
  await expect.poll(() => at("#signed-in span").textContent()).toBe(knownEmails.reader);
  await at("#signed-in button").click();
  await expect.poll(() => at("#sign-in").isVisible()).toBe(true);
  expect(tab.complaints.filter((line) => !/status of (400|401)/.test(line))).toEqual([]);
});

test("the client of the page is up to date", async () => {
  const flags = ["--out", "examples/web/client", "--package", "bookshop-client", "--check"];
  expect(await kirak(root, ["client", ...flags])).toMatchObject({ status: 0, stderr: "" });
});

/** 30 pixels wide, 20 high. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAB4AAAAUCAMAAACtdX32AAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQokWNgGAWjgD4AAAJsAAGClu6+AAAAAElFTkSuQmCC",
  "base64",
);

import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Tab, TestBrowser } from "./browser.ts";
import { ingestionKey } from "./monitoring.ts";

/** The dashboard in a tab, and what it has asked the service for. */
export interface DashboardTab extends Tab {
  /** Paths with queries, in order. */
  readonly asked: readonly string[];
}

/** Opens the dashboard of a service that is published at an address, and enters no key. */
export async function openDashboard(
  browser: TestBrowser | null,
  published: string,
  options?: BrowserContextOptions & { readonly prepare?: (page: Page) => Promise<unknown> },
): Promise<DashboardTab> {
  if (browser === null) throw new Error("there is no browser");
  const { prepare, ...context } = options ?? {};
  const { origin } = new URL(published);
  // What prepares a page stays with it.
  const tab = await browser.open(origin, options === undefined ? undefined : context);
  const asked: string[] = [];
  tab.page.on("request", (request) => {
    if (request.resourceType() === "fetch") asked.push(request.url().slice(origin.length));
  });
  await prepare?.(tab.page);
  await tab.page.goto(`${published}/monitoring/dashboard`);
  return { ...tab, asked };
}

/** Opens the dashboard in a tab that was opened before, as if it had just been: it keeps nothing but in memory. */
export async function openAgain({ page, forget }: Tab, published: string): Promise<void> {
  await page.goto("about:blank");
  forget();
  await page.goto(`${published}/monitoring/dashboard`);
  await enter(page);
}

/** Enters a key, by keyboard. */
export async function enterKey(page: Page, key = ingestionKey): Promise<void> {
  await page.getByLabel("Ingestion key").fill(key);
  await page.keyboard.press("Enter");
}

/** Enters the key, and waits for the first figures. */
export async function enter(page: Page): Promise<void> {
  await enterKey(page);
  await page.locator("#board[data-of='chosen window']").waitFor();
  await page.locator("#live-dot[data-state=live]").waitFor();
}

/** The rows of a table, cell by cell. */
export function rowsOf(page: Page, table: string): Locator {
  return page.getByRole("table", { name: table }).locator("tbody tr");
}

import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, onTestFinished, vi } from "vitest";
import { needs } from "./needs.ts";

/** A page of a browser, and what went wrong or astray in it. */
export interface Tab {
  readonly page: Page;
  /** Errors and warnings of the console, what the content security policy stopped among them. */
  readonly complaints: readonly string[];
  /** Every request that left for another origin than the one given. */
  readonly strays: readonly string[];
  /** Headers `Referer` that were sent. */
  readonly referrers: readonly string[];
  /** Empties these lists: what comes is the next test's. */
  readonly forget: () => void;
}

export interface TestBrowser {
  /**
   * A page with an empty profile. Without options it is that of the test before, emptied: one of its own takes a second of
   * processor time.
   */
  open(origin: string, options?: BrowserContextOptions): Promise<Tab>;
  /** A page for several tests of the file, each of which loads what it looks at. */
  keep(origin: string): Promise<Tab>;
}

/** Flags that stop the browser's background requests. */
// biome-ignore format: a list of values
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
  // Fewer processes: each takes some time to start.
  "--in-process-gpu", "--disable-site-isolation-trials", "--renderer-process-limit=1",
];

/** The headless Chromium of this machine, started by the first page and closed after the test file; null if it is not installed. */
export function testBrowser(): TestBrowser | null {
  const executablePath = needs("chromium", "chromium-browser", "google-chrome");
  if (executablePath === null) return null;
  // Its start can take seconds on a busy machine.
  vi.setConfig({ testTimeout: 60_000 });
  let launched: ReturnType<typeof chromium.launch> | null = null;
  afterAll(async () => (await launched)?.close());
  const newContext = async (options: BrowserContextOptions) => {
    launched ??= chromium.launch({ executablePath, headless: true, args: flags });
    return (await launched).newContext(options);
  };
  const idle: Page[] = [];
  return {
    async open(origin, options) {
      if (options === undefined) {
        const page = idle.pop() ?? (await (await newContext({})).newPage());
        onTestFinished(async () => {
          await empty(page, origin);
          idle.push(page);
        });
        return watch(page, origin);
      }
      const context = await newContext(options);
      onTestFinished(() => context.close());
      return watch(await context.newPage(), origin);
    },
    async keep(origin) {
      const context = await newContext({});
      return watch(await context.newPage(), origin);
    },
  };
}

function watch(page: Page, origin: string): Tab {
  const complaints: string[] = [];
  const strays: string[] = [];
  const referrers: string[] = [];
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin) strays.push(url.href);
    const { referer } = request.headers();
    if (referer) referrers.push(referer);
  });
  const forget = () => {
    for (const list of [complaints, strays, referrers]) list.length = 0;
  };
  return { page, complaints, strays, referrers, forget };
}

/** Leaves a page, and nothing of an origin in its profile. */
async function empty(page: Page, origin: string): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  await page.evaluate("sessionStorage.clear()").catch(() => {});
  await page.goto("about:blank");
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.send("Network.clearBrowserCache");
  await session.send("Page.resetNavigationHistory");
  await session.detach();
  await context.clearCookies();
}

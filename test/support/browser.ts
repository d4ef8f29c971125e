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
  /** A page with an empty profile, closed after the test. */
  open(origin: string, options?: BrowserContextOptions): Promise<Tab>;
  /** A page for several tests of the file, each of which loads what it looks at: a page more takes a second of processor time. */
  keep(origin: string): Promise<Tab>;
}

/** Of a browser that talks to nobody of its own accord. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The headless Chromium of this machine, started by the first page and closed after the test file; null where there is none. */
export function testBrowser(): TestBrowser | null {
  const executablePath = needs("chromium", "chromium-browser", "google-chrome");
  if (executablePath === null) return null;
  // Its start alone can take seconds where much else runs.
  vi.setConfig({ testTimeout: 60_000 });
  let launched: ReturnType<typeof chromium.launch> | null = null;
  afterAll(async () => (await launched)?.close());
  const newContext = async (options: BrowserContextOptions) => {
    launched ??= chromium.launch({ executablePath, headless: true, args: flags });
    return (await launched).newContext(options);
  };
  return {
    async open(origin, options = {}) {
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
  page.setDefaultTimeout(10_000);
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

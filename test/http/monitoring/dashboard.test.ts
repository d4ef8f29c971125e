import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Tab, testBrowser } from "../../support/browser.ts";
import { enter, enterKey, openAgain, openDashboard, rowsOf } from "../../support/dashboard.ts";
import { ingestionKey, monitoredService } from "../../support/monitoring.ts";
import { rewritingProxy } from "../../support/proxy.ts";
import { requestOf } from "../../support/request.ts";
import { stage } from "../fixture/stage.ts";

const browser = testBrowser();
const service = await monitoredService();
/** As a proxy publishes it that takes a prefix away. */
const published = `${await rewritingProxy(service.origin, "/ops/shop")}/ops/shop`;

const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u202e`;
const canaries = ["canary-query", "canary-header", "canary-body", "canary@example.com", "canary-password"];

/** One request that fails with a run and a call in its hook, and others that go well or not. */
beforeAll(async () => {
  await service.store({ tasks: [{ id: 1, title: "a", user: 7, status: "open" }] });
  stage.hooks = {
    before_fetch: (_, context) => {
      for (const [index, status] of (["completed", "completed", "failed"] as const).entries())
        context.monitoring.aiRun({
          run_id: `run-${index}`,
          agent: index === 0 ? hostile : "support",
          model: "a-model",
          provider: "a-provider",
          status,
          input_tokens: 1_000,
          output_tokens: 200,
          cost_usd: 0.25,
          duration_ms: 2_500,
          turns: 2,
          user_id: hostile,
          tool_calls: [
            { tool: hostile, duration_ms: 12, status, error_message: `${hostile} canary@example.com` },
          ],
        });
      context.monitoring.mcpCall({ server: hostile, tool: "find", status: "ok", duration_ms: 5 });
      context.monitoring.mcpCall({
        server: "shop",
        tool: "refund",
        status: "error",
        duration_ms: 7,
        error_code: "FORBIDDEN",
      });
      context.log.warn({ password: "canary-password" }, `${hostile} for canary@example.com`);
      throw new Error(`${hostile} at postgres://shop:canary-password@db for canary@example.com`);
    },
  };
  const get = (path: string, id: string) =>
    service.send(
      { ...requestOf(`GET ${path}`), headers: { "x-request-id": id, "x-canary": "canary-header" } },
      "user",
    );
  for (let index = 0; index < 18; index++) await get(`/things/count`, `things-${index}`);
  await get("/things/fetch?nonsense=canary-query", "wrong-parameter");
  await get("/hooked/fetch", "failed-request");
  await service.send(requestOf("POST /tasks/create", { title: "canary-body", user: 7 }), "user");
  await get("/notes/fetch", "last-request");
  await service.written(22);
});

afterAll(() => {
  stage.hooks = {};
});

const open = (options?: BrowserContextOptions) => openDashboard(browser, published, options);
/** Opens it and enters the key. */
const opened = async (options?: BrowserContextOptions) => {
  const tab = await open(options);
  await enter(tab.page);
  return tab;
};
let kept: Promise<Tab> | undefined;
/** As `opened`, in the one tab of those who only look. */
const looking = async () => {
  if (browser === null) throw new Error("there is no browser");
  kept ??= browser.keep(service.origin);
  await openAgain(await kept, published);
  return kept;
};
const overflow = "document.documentElement.scrollWidth - innerWidth";

describe.skipIf(browser === null)("the key", () => {
  test("nothing is asked for, and nothing is there, before it is entered", async () => {
    const { page, complaints, strays, asked } = await open();
    await page.getByLabel("Ingestion key").waitFor();
    expect(await page.title()).toBe("Monitoring");
    expect(asked).toEqual([]);
    expect(await page.locator("main:visible").ariaSnapshot()).toBe(
      `
- main:
  - heading "Monitoring" [level=1]
  - paragraph: Requests, AI runs and MCP calls of this service.
  - text: Ingestion key
  - textbox "Ingestion key"
  - paragraph:
    - text: The value of
    - code: SERVICE_MONITORING_INGESTION_KEY
    - text: . It stays in the memory of this tab.
  - alert
  - button "Open"
`.trim(),
    );
    expect([complaints, strays]).toEqual([[], []]);
  });

  test("a wrong one is refused, and asked for again", async () => {
    const { page } = await open();
    await enterKey(page, "another-key");
    await page.getByRole("alert").filter({ hasText: "not the ingestion key" }).waitFor();
    expect(await page.getByLabel("Ingestion key").getAttribute("aria-invalid")).toBe("true");
    await enterKey(page, "two words");
    await page.getByRole("alert").filter({ hasText: "no spaces" }).waitFor();
    await enter(page);
    expect(await page.getByLabel("Ingestion key").count()).toBe(0);
  });

  test("where none is configured, the page says which variable is missing", async () => {
    const keyless = await monitoredService({ ingestionKey: null });
    const { page } = await openDashboard(browser, keyless.origin);
    await enterKey(page);
    await page.getByRole("alert").filter({ hasText: "SERVICE_MONITORING_INGESTION_KEY" }).waitFor();
  });

  test("it stays in memory, is sent only to this service, and is gone with the tab", async () => {
    const { page, strays, complaints, asked, referrers } = await opened();
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((path) => !path.startsWith("/ops/shop/monitoring/"))).toEqual([]);
    expect([strays, complaints]).toEqual([[], []]);
    expect([...asked, ...referrers, page.url(), await page.content()].join("\n")).not.toContain(ingestionKey);
    expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
    expect(await page.evaluate("sessionStorage.length + localStorage.length")).toBe(0);
    await page.getByRole("button", { name: "Forget the key" }).click();
    await page.getByLabel("Ingestion key").waitFor();
    expect(await page.locator("#summary").count()).toBe(0);
  });

  test("when it is changed, the page asks for the new one", async () => {
    const { page } = await opened();
    await page.route("**/monitoring/*", (route) => route.fulfill({ status: 401, json: { message: "no" } }));
    await page.getByLabel("5 min").click();
    await page.getByRole("alert").filter({ hasText: "not the ingestion key" }).waitFor();
    await page.unroute("**/monitoring/*");
    await enter(page);
    await page.getByRole("heading", { name: "Routes" }).waitFor();
  });
});

describe.skipIf(browser === null)("requests", () => {
  test("the figures are those of the endpoints", async () => {
    const { page } = await looking();
    const tile = (title: string) => page.locator(".tile", { has: page.getByText(title, { exact: true }) });
    expect(await tile("Requests").locator(".value").innerText()).toBe("22");
    expect(await tile("5xx").locator(".value").innerText()).toBe("4.55%");
    expect(await tile("p95").locator(".value").innerText()).toMatch(/^(<?\d+(\.\d+)?) m?s$/);
    expect(await tile("Requests").locator(".note").innerText()).toBe("+22 on the hour before");
    const bins = await page.locator("#latencies .count").allInnerTexts();
    expect([bins.length, bins.reduce((sum, count) => sum + Number(count), 0)]).toEqual([14, 22]);
    const chart = page.getByRole("slider", { name: "Requests per second" });
    await expect.poll(() => chart.locator("canvas").count()).toBe(1);
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^\d\d:\d\d: all 0(\.\d+)?$/);
    await rowsOf(page, "Routes").filter({ hasText: "/hooked/fetch" }).filter({ hasText: "100%" }).waitFor();
  });

  test("a moment between two without requests is seen in the latencies, too", async () => {
    const { page } = await looking();
    const chart = page.getByRole("slider", { name: "Latency" });
    await expect.poll(() => chart.locator("canvas").count()).toBe(1);
    const drawn = () =>
      chart.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
        const colours = getComputedStyle(document.documentElement).getPropertyValue("--teal");
        const hex = /#\w+/.exec(colours)?.[0] ?? "";
        const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? { data: [] };
        let pixels = 0;
        for (let at = 0; at < data.length; at += 4)
          if (wanted.every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < 8)) pixels++;
        return pixels;
      });
    await expect.poll(drawn).toBeGreaterThan(4);
  });

  test("routes are sorted by any column", async () => {
    const { page } = await looking();
    const table = page.getByRole("table", { name: "Routes" });
    const sorted = () =>
      table
        .locator("th[aria-sort]")
        .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute("aria-sort")]));
    const routes = () => rowsOf(page, "Routes").locator("td:nth-child(2)").allInnerTexts();
    expect(await sorted()).toEqual([["Requests", "descending"]]);
    expect((await routes())[0]).toBe("/things/count");
    await table.getByRole("button", { name: "Route", exact: true }).click();
    expect(await sorted()).toEqual([["Route", "ascending"]]);
    const ascending = await routes();
    expect(ascending).toEqual(ascending.toSorted());
    await table.getByRole("button", { name: "Route", exact: true }).click();
    expect([await sorted(), await routes()]).toEqual([[["Route", "descending"]], ascending.toReversed()]);
  });

  test("a status class, and all rows, can be asked for", async () => {
    const { page } = await looking();
    const rows = rowsOf(page, "Recent requests");
    await expect.poll(() => rows.count()).toBe(15);
    await page.locator("#recent").getByRole("button", { name: "Show all 22" }).click();
    await expect.poll(() => rows.count()).toBe(22);
    await page.locator("#view-requests").getByLabel("Status").selectOption("5xx");
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.innerText()).toContain("/hooked/fetch");
    await page.locator("#view-requests").getByLabel("Status").selectOption("3xx");
    await page.getByText("No such requests yet").waitFor();
  });

  test("a trace is opened by its row, with steps, errors and logs", async () => {
    const { page, complaints } = await looking();
    await rowsOf(page, "Recent requests").filter({ hasText: "failed-request" }).click();
    const trace = page.getByRole("dialog", { name: "Trace of a request" });
    await trace.getByRole("heading", { name: "Steps" }).waitFor();
    const names = await trace.locator(".waterfall .name").allInnerTexts();
    expect(names).toEqual(expect.arrayContaining(["auth", "hook:before_fetch"]));
    expect(await trace.locator(".error").innerText()).toContain("INTERNAL_ERROR");
    expect(await trace.locator(".error pre").innerText()).toContain("at ");
    expect(await trace.locator(".logs li").count()).toBeGreaterThan(0);
    // The stack is shown once, and each time with its zone.
    expect((await trace.innerText()).split("\n    at ").length).toBeGreaterThan(1);
    expect(await trace.locator(".logs").innerText()).not.toContain("    at ");
    for (const time of await trace.locator(".logs .when, .facts dd:nth-of-type(2)").allInnerTexts())
      expect(time).toMatch(/\d\d:\d\d:\d\d (UTC|GMT.*|[A-Z]+)$/);
    const bar = trace.locator(".waterfall li", { hasText: "hook:before_fetch" }).locator(".bar");
    expect((await bar.boundingBox())?.width).toBeGreaterThan(1);
    await page.keyboard.press("Escape");
    expect(await trace.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  test("a trace is opened by its request id, and an unknown id is reported", async () => {
    const { page } = await looking();
    await page.getByLabel("Request id").fill(" last-request ");
    await page.getByRole("button", { name: "Open trace" }).click();
    await page.getByRole("dialog").getByText("GET /notes/fetch").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Request id").fill("no/such id");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("alert").filter({ hasText: "Nothing is recorded" }).waitFor();
  });
});

describe.skipIf(browser === null)("the address", () => {
  /** Opens an address in a tab that has shown nothing yet, and enters the key. */
  const follow = async (state: string) => {
    const tab = await opened();
    await tab.page.goto("about:blank");
    await tab.page.goto(`${published}/monitoring/dashboard${state}`);
    await enter(tab.page);
    return tab;
  };

  test("holds what is looked at, and never the key", async () => {
    const { page, complaints } = await opened();
    const state = () => new URL(page.url()).hash;
    expect(state()).toBe("");
    await page.getByLabel("6 h").check();
    await page.getByLabel("Route contains").fill("hooked");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => rowsOf(page, "Routes").allInnerTexts())
      .toEqual([expect.stringContaining("/hooked/fetch")]);
    await page.locator("#recent-status").selectOption("5xx");
    await expect.poll(() => rowsOf(page, "Recent requests").count()).toBe(1);
    await rowsOf(page, "Recent requests").getByRole("button").click();
    await page.getByRole("dialog").getByText("GET /hooked/fetch").waitFor();
    expect(state()).toBe("#window=21600&route=hooked&requests=5xx&trace=failed-request");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "AI runs" }).click();
    expect(state()).toBe("#window=21600&route=hooked&requests=5xx&tab=ai");
    expect([page.url().includes(ingestionKey), complaints]).toEqual([false, []]);
  });

  test("leads back to it", async () => {
    const { page } = await follow("#window=21600&route=notes&requests=5xx&trace=failed-request");
    await page.getByRole("dialog").getByText("GET /hooked/fetch").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("6 h").isChecked()).toBe(true);
    expect(await page.locator("#recent-status").inputValue()).toBe("5xx");
    for (const text of await rowsOf(page, "Routes").allInnerTexts()) expect(text).toContain("/notes/");
    expect(await rowsOf(page, "Recent requests").count()).toBe(0);
    await page.goto(`${published}/monitoring/dashboard#tab=ai&runs=failed&run=run-2`);
    await page.getByRole("dialog", { name: "Run of an agent" }).getByText("run-2").waitFor();
    expect(await page.getByLabel("1 h").isChecked()).toBe(true);
    expect(await page.locator("#run-status").inputValue()).toBe("failed");
  });

  test("may hold anything", async () => {
    const { page, complaints } = await follow("#window=7&tab=nothing&requests=9xx&%zz");
    expect(await page.getByLabel("1 h").isChecked()).toBe(true);
    expect(await page.getByRole("tab", { name: "Requests" }).getAttribute("aria-selected")).toBe("true");
    expect([await page.locator("#recent-status").inputValue(), complaints]).toEqual(["", []]);
  });
});

describe.skipIf(browser === null)("AI, MCP and the store", () => {
  test("runs with their costs, and the calls of tools behind one", async () => {
    const { page, complaints } = await looking();
    await page.getByRole("tab", { name: "AI runs" }).click();
    await rowsOf(page, "Agents").filter({ hasText: "support" }).filter({ hasText: "$0.50" }).waitFor();
    expect(await page.locator("#ai-summary").innerText()).toMatch(/Cost\s+\$0.75\s+\$0.25 a run/);
    expect(await rowsOf(page, "Models").allInnerTexts()).toEqual([
      expect.stringMatching(/^a-model\s+3\s+33.3%\s+\$0.75\s+3,600/),
    ]);
    await page.locator("#view-ai").getByLabel("Status").selectOption("failed");
    await expect.poll(() => rowsOf(page, "Recent runs").count()).toBe(1);
    await rowsOf(page, "Recent runs").getByRole("button").press("Enter");
    const run = page.getByRole("dialog", { name: "Run of an agent" });
    await run.getByText("run-2").waitFor();
    expect(await rowsOf(page, "Calls of tools").innerText()).toContain("failed");
    expect(complaints).toEqual([]);
  });

  test("calls over MCP by server and tool, and the latest ones", async () => {
    const { page, complaints } = await looking();
    await page.getByRole("tab", { name: "MCP" }).click();
    await rowsOf(page, "Servers and tools").filter({ hasText: "refund" }).waitFor();
    await page.locator("#view-mcp").getByLabel("Status").selectOption("error");
    await expect.poll(() => rowsOf(page, "Recent calls").count()).toBe(1);
    expect(await rowsOf(page, "Recent calls").innerText()).toContain("FORBIDDEN");
    await page.locator("#view-mcp").getByLabel("Status").selectOption("");
    await expect.poll(() => rowsOf(page, "Recent calls").count()).toBe(2);
    const server = page.locator("#mcp-server");
    expect(await server.locator("option").allInnerTexts()).toEqual(["any", hostile, "shop"]);
    await server.selectOption(hostile);
    await expect
      .poll(() => rowsOf(page, "Recent calls").allInnerTexts())
      .toEqual([expect.stringContaining("find")]);
    expect(complaints).toEqual([]);
  });

  test("how the store is", async () => {
    const { page, complaints } = await looking();
    await page.getByRole("tab", { name: "Store" }).click();
    const store = page.locator("#store");
    await store.getByText(/ of 200 MB, /).waitFor();
    expect(await store.innerText()).toMatch(/Store\s+ok\s+Dropped\s+0/);
    expect(await store.innerText()).toContain("0 of 5,000, 0 dropped");
    expect(await store.innerText()).toContain(`Node.js ${process.versions.node}`);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(browser === null)("what was recorded", () => {
  test("is shown as text, never as HTML, and holds no secret", async () => {
    const { page, complaints } = await looking();
    const seen: string[] = [];
    const look = async () => seen.push(await page.content());
    await look();
    await rowsOf(page, "Recent requests").filter({ hasText: "failed-request" }).click();
    await page.locator(".error pre").waitFor();
    expect(await page.locator(".error p").innerText()).toContain("<img src=x");
    await look();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "AI runs" }).click();
    const run = rowsOf(page, "Recent runs").filter({ hasText: "<script>alert(2)</script>" });
    await run.first().waitFor();
    await look();
    await rowsOf(page, "Recent runs").first().getByRole("button").click();
    await rowsOf(page, "Calls of tools").filter({ hasText: "<img" }).waitFor();
    await look();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "MCP" }).click();
    await rowsOf(page, "Servers and tools").filter({ hasText: "<img" }).waitFor();
    await look();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(1);
    expect(complaints).toEqual([]);
    for (const canary of [...canaries, ingestionKey]) expect(seen.join("\n")).not.toContain(canary);
  });
});

describe.skipIf(browser === null)("how it is read", () => {
  test("works with only the keyboard, and the focus is always visible", async () => {
    const { page, complaints } = await open();
    await page.keyboard.type(ingestionKey);
    await page.keyboard.press("Enter");
    await rowsOf(page, "Recent requests").first().waitFor();
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim() || document.activeElement.id || document.activeElement.value",
      );
    const stops: string[] = [];
    const isSeen = `(() => {
      const of = (one) => one !== null && getComputedStyle(one).outlineStyle === "solid";
      return of(document.activeElement) || of(document.activeElement.nextElementSibling);
    })()`;
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press("Tab");
      stops.push(await focused());
      expect([stops.at(-1), await page.evaluate(isSeen)]).toEqual([stops.at(-1), true]);
    }
    // biome-ignore format: many on a line
    expect(stops.slice(0, 9)).toEqual([
      "3600", "Pause", "Forget the key", "Requests", "Requests per second", "Errors", "Latency", "route-filter", "Routes",
    ]);
    await page.getByRole("button", { name: "Method" }).focus();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("columnheader", { name: "Method" }).first().getAttribute("aria-sort")).toBe(
      "ascending",
    );
    await page.getByRole("slider", { name: "Errors" }).focus();
    await page.keyboard.press("Home");
    expect(await page.getByRole("slider", { name: "Errors" }).getAttribute("aria-valuenow")).toBe("0");
    expect(await page.getByRole("slider", { name: "Latency" }).getAttribute("aria-valuenow")).toBe("0");
    await page.keyboard.press("ArrowRight");
    for (const name of ["Requests per second", "Errors", "Latency"])
      await expect.poll(() => page.getByRole("slider", { name }).getAttribute("aria-valuenow")).toBe("1");
    const first = rowsOf(page, "Recent requests").first().getByRole("button");
    await first.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    expect(await first.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByRole("tab", { name: "Requests" }).focus();
    for (const name of ["AI runs", "MCP", "Store", "Requests"]) {
      await page.keyboard.press("ArrowRight");
      expect([name, await focused()]).toEqual([name, name]);
      expect(await page.getByRole("tab", { name, exact: true }).getAttribute("aria-selected")).toBe("true");
    }
    expect(complaints).toEqual([]);
  });

  test.each([
    [400, "light", "rgb(245, 246, 248)"],
    [400, "dark", "rgb(15, 17, 21)"],
    [1280, "light", "rgb(245, 246, 248)"],
  ] as const)("on a window %d pixels wide, %s", async (width, colorScheme, back) => {
    const { page, complaints } = await opened({ viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(back);
    // A truncated table shows a note.
    const tables = await page
      .locator(".scroll:visible")
      .evaluateAll((all) =>
        all.map((one) => [one.scrollWidth > one.clientWidth, one.previousElementSibling?.checkVisibility()]),
      );
    expect(tables.map(([, isHinted]) => isHinted)).toEqual(tables.map(([isCut]) => isCut));
    if (width === 400) expect(tables.some(([isCut]) => isCut)).toBe(true);
    for (const name of ["AI runs", "MCP", "Store", "Requests"]) {
      await page.getByRole("tab", { name, exact: true }).click();
      expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
    }
    await page.getByLabel("Request id").fill("failed-request");
    await page.keyboard.press("Enter");
    await page.locator(".error pre").waitFor();
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await page.locator("#drawer").evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("without scripts it asks for JavaScript", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator("body").innerText()).toContain("needs JavaScript");
  });
});

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../support/browser.ts";
import { enter, enterKey, openDashboard, rowsOf } from "../../support/dashboard.ts";
import { monitoredService } from "../../support/monitoring.ts";

const browser = testBrowser();
const service = await monitoredService();

/** The page with a clock of its own, on which nothing passes by itself. */
async function openPaced(of = service) {
  const prepare = async ({ clock }: Page) => {
    await clock.install();
    await clock.pauseAt(Date.now() + 60_000);
  };
  const tab = await openDashboard(browser, of.origin, { prepare });
  const readings = () => tab.asked.filter((path) => path === "/monitoring/health").length;
  return { ...tab, readings };
}

const pass = (page: Page, ms: number) => page.clock.runFor(ms);
/** Sets `document.hidden`, as the browser does for a hidden tab, and fires the event. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  `);

describe.skipIf(browser === null)("live figures", () => {
  test("without recordings, each section shows that it is empty", async () => {
    const { page, complaints } = await openDashboard(browser, service.origin);
    await enter(page);
    for (const text of ["No errors in this window", "No such requests yet"])
      await page.getByText(text).waitFor();
    expect(await page.getByText("No requests in this window").filter({ visible: true }).count()).toBe(4);
    await page.getByRole("tab", { name: "AI runs" }).click();
    await page.getByText("No such runs in this window").waitFor();
    await page.getByRole("tab", { name: "MCP" }).click();
    await page.getByText("No such calls in this window").waitFor();
    expect(complaints).toEqual([]);
  });

  test("are read again every 5 seconds, but not while they are paused, and what comes is shown", async () => {
    const { page, readings } = await openPaced();
    await enter(page);
    await expect.poll(readings).toBe(2);
    await service.send({ method: "GET", path: "/things/count", headers: { "x-request-id": "a-new-one" } });
    await service.written(1);
    await pass(page, 5_000);
    await expect.poll(readings).toBe(3);
    const row = rowsOf(page, "Recent requests").filter({ hasText: "a-new-one" });
    await row.waitFor();
    await row.getByRole("button").focus();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused").waitFor();
    await pass(page, 60_000);
    expect(readings()).toBe(3);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(readings).toBe(4);
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test("a row keeps its place in the document, and the focus, while others come above it", async () => {
    const { page, readings } = await openPaced();
    const send = (id: string) =>
      service.send({ method: "GET", path: "/things/count", headers: { "x-request-id": id } });
    await send("the-row");
    await service.written(2);
    await enter(page);
    const button = rowsOf(page, "Recent requests").filter({ hasText: "the-row" }).getByRole("button");
    await button.focus();
    await send("above-it");
    await service.written(3);
    const before = readings();
    await pass(page, 5_000);
    await expect.poll(readings).toBeGreaterThan(before);
    await rowsOf(page, "Recent requests").filter({ hasText: "above-it" }).waitFor();
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test("a hidden tab reads nothing, and reads at once when it becomes visible", async () => {
    const { page, readings } = await openPaced();
    await enter(page);
    await expect.poll(readings).toBe(2);
    await setHidden(page, true);
    await pass(page, 120_000);
    expect(readings()).toBe(2);
    await setHidden(page, false);
    await pass(page, 1);
    await expect.poll(readings).toBe(3);
  });

  test("a wider window is read more seldom, and another one at once", async () => {
    const { page, readings, asked } = await openPaced();
    await enter(page);
    await page.getByLabel("7 d").check();
    await expect.poll(readings).toBe(3);
    await expect.poll(() => asked.filter((path) => path.includes("window_seconds=604800")).length).toBe(4);
    await page.getByText("on the week before").first().waitFor();
    await pass(page, 59_999);
    expect(readings()).toBe(3);
    await pass(page, 1);
    await expect.poll(readings).toBe(4);
  });
});

describe.skipIf(browser === null)("when something fails", () => {
  test("a service that is away is asked less and less often, and the figures stay", async () => {
    const { page, readings } = await openPaced();
    await enter(page);
    await rowsOf(page, "Recent requests").first().waitFor();
    await page.route("**/monitoring/**", (route) => route.abort());
    let waitMs = 5_000;
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      const before = readings();
      await pass(page, waitMs - 1);
      expect(readings()).toBe(before);
      await pass(page, 1);
      await expect.poll(readings).toBe(before + 1);
      await page.getByText(`again in ${seconds} s`).waitFor();
      waitMs = 1_000 * seconds;
    }
    await page.getByRole("alert").filter({ hasText: "The service does not answer." }).waitFor();
    expect(await rowsOf(page, "Recent requests").count()).toBeGreaterThan(0);
    await page.unroute("**/monitoring/**");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.locator("#problem").isVisible()).toBe(false);
  });

  test("a proxy that answers with a page of its own is no answer", async () => {
    const { page } = await openDashboard(browser, service.origin);
    await page.route("**/monitoring/health", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }),
    );
    await enterKey(page);
    await page
      .getByRole("alert")
      .filter({ hasText: "The service cannot answer now (status 502)." })
      .waitFor();
  });

  test("an unreachable store is reported, and the rest of its state is shown", async () => {
    const away = await monitoredService({ databasePath: "/dev/null/metrics.db" });
    const { page } = await openDashboard(browser, away.origin);
    await enterKey(page);
    const problem = page.getByRole("alert").filter({ hasText: "cannot be reached right now" });
    await problem.waitFor();
    await page.getByRole("tab", { name: "Store" }).click();
    await page.locator("#store").getByText("unreachable").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await problem.isVisible()).toBe(true);
    expect(await page.locator("#store").innerText()).toContain("0 of 10,000");
  });
});

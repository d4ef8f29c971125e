import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dashboardFiles } from "#runtime/monitoring/dashboard/dashboard-files";
import { dashboardPage, monitoredService } from "../../support/monitoring.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await monitoredService();
const get = (path: string, headers = {}) => service.send({ method: "GET", path, headers });
const files = dashboardFiles(dashboardPage());
const paths = [...files.keys()].map((path) => `/monitoring${path}`);
const source = join(import.meta.dirname, "../../../runtime/monitoring/dashboard/page");
const isPackage = (path: string) => path.includes("uplot");

describe("the table of files", () => {
  test("holds all that the page consists of", () => {
    const sources = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|css|svg)$/.test(name) && !name.endsWith(".d.ts"))
      .map((name) => `/monitoring/dashboard/${name.replace(/\.ts$/, ".js")}`);
    const own = paths.filter((path) => !isPackage(path) && path !== "/monitoring/dashboard");
    expect(own.sort()).toEqual(sources.sort());
  });

  test("whatever a file names is in it, by a relative path", async () => {
    const named: string[] = [];
    for (const path of paths.filter((one) => !isPackage(one))) {
      const { text } = await get(path);
      expect(text.match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/g)).toBe(null);
      for (const [, to = ""] of text.matchAll(/(?:from |import |import\(|src=|href=)"([^"]+)"/g)) {
        expect(to).toMatch(/^(\.\.?\/|dashboard\/)/);
        named.push(new URL(to, `http://host${path}`).pathname);
      }
    }
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((path) => !paths.includes(path))).toEqual([]);
    expect(paths.slice(1).filter((path) => !named.includes(path))).toEqual([]);
  });

  test("no script and no style stands in the page itself", async () => {
    const { text } = await get("/monitoring/dashboard");
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)|\son\w+=|\sstyle=/);
    for (const path of paths.filter((one) => one.endsWith(".js") && !isPackage(one)))
      expect((await get(path)).text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|\beval\b|localStorage/,
      );
  });
});

describe("each file", () => {
  test.each(paths)("%s is sent without a key, under a strict policy, and kept by browsers", async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, text.length > 0]).toEqual([200, true]);
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    const kept = await get(path, { "if-none-match": headers.etag });
    expect([kept.status, kept.text, kept.headers.etag]).toEqual([304, "", headers.etag]);
    const headed = await service.send({ method: "HEAD", path });
    expect([headed.status, headed.text, headed.headers["content-length"]]).toEqual([
      200,
      "",
      headers["content-length"],
    ]);
  });

  test("their types", async () => {
    const types = new Map<string, Set<string | undefined>>();
    for (const path of paths) {
      const ending = /\.\w+$/.exec(path)?.[0] ?? "";
      types.set(ending, (types.get(ending) ?? new Set()).add((await get(path)).headers["content-type"]));
    }
    expect(types).toEqual(
      new Map([
        ["", new Set(["text/html; charset=utf-8"])],
        [".css", new Set(["text/css; charset=utf-8"])],
        [".svg", new Set(["image/svg+xml"])],
        [".js", new Set(["text/javascript; charset=utf-8"])],
      ]),
    );
  });

  test("takes GET and HEAD alone", async () => {
    for (const path of ["/monitoring/dashboard", "/monitoring/dashboard/app.js"])
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const reply = await service.send({ method, path });
        expect([outcome(reply), reply.headers.allow]).toEqual(["405 HTTP_ERROR", "GET, HEAD"]);
      }
  });
});

test.each([
  "/dashboard/",
  "/dashboard/dashboard.html",
  "/dashboard/app.ts",
  "/dashboard/tsconfig.json",
  "/dashboard/App.js",
  "/dashboard/%61pp.js",
  "/dashboard//app.js",
  "/dashboard/./app.js",
  "/dashboard/../dashboard-files.js",
  "/dashboard/..%2fdashboard-files.js",
  "/dashboard/widgets/",
  "/dashboard/widgets/uplot.d.ts",
  "/dashboard/node_modules/uplot/package.json",
])("GET /monitoring%s is no file of it", async (path) => {
  expect(outcome(await get(`/monitoring${path}`))).toBe("404 NOT_FOUND");
});

test("none is there where the module is off", async () => {
  const off = await testService();
  for (const path of paths) expect((await off.send({ method: "GET", path })).status).toBe(404);
});

test("no load of the page is recorded", async () => {
  for (const path of paths) await get(path);
  await get("/things/count");
  await service.written(1);
});

describe("colours", () => {
  const css = readFileSync(join(source, "dashboard.css"), "utf8");
  const [light = "", dark = ""] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, body = ""]) => body);

  test.each([
    ["light", light],
    ["dark", dark],
  ])("%s ones can be told from what is behind them (WCAG 2.2, AA)", (_, body) => {
    const colours = new Map(
      [...body.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name = "", hex = ""]) => [name, hex]),
    );
    const contrast = (one: string, other: string) => {
      const [a, b] = [luminance(colours.get(one) ?? ""), luminance(colours.get(other) ?? "")];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    for (const behind of ["panel", "back", "raised"])
      for (const text of ["text", "soft", "blue", "green", "amber", "red"])
        expect([text, behind, contrast(text, behind) >= 4.5]).toEqual([text, behind, true]);
    for (const tone of ["green", "amber", "red"]) expect(contrast(tone, `${tone}-back`)).toBeGreaterThan(4.5);
    expect(contrast("on-strong", "blue")).toBeGreaterThan(4.5);
    for (const mark of ["edge", "blue", "teal", "violet", "amber", "red", "green"])
      expect([mark, contrast(mark, "panel") >= 3]).toEqual([mark, true]);
  });
});

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

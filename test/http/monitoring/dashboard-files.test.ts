import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dashboardFiles } from "#runtime/modules/monitoring/dashboard/dashboard-route";
import * as texts from "../../../runtime/modules/monitoring/dashboard/page/texts.js";
import { monitoredService } from "../../support/monitoring.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await monitoredService();
const get = (path: string, headers = {}) => service.send({ method: "GET", path, headers });
const paths = [...dashboardFiles().keys()].map((path) => `/monitoring${path}`);
const source = join(import.meta.dirname, "../../../runtime/modules/monitoring/dashboard/page");
const own = paths.filter((path) => !path.includes("/packages/"));

test("the table of files holds all files of the page, and every file names others by a relative path", async () => {
  const sources = readdirSync(source).filter((name) => /\.(js|css|svg)$/.test(name));
  expect(own.slice(1).sort()).toEqual(sources.map((name) => `/monitoring/dashboard/${name}`).sort());
  const named = new Set<string>();
  for (const path of paths) {
    const { text } = await get(path);
    if (own.includes(path)) expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    // Comments name types.
    const code = text.replace(/\/\*\*.*?\*\//gs, "");
    for (const [, to = ""] of code.matchAll(/(?:from ?|import ?|import\(|src=|href=)"([^"\s]+)"/g)) {
      expect(to).toMatch(/^(\.\/|dashboard\/)/);
      named.add(new URL(to, `http://host${path}`).pathname);
    }
  }
  expect([...named].sort()).toEqual(paths.slice(1).sort());
});

test("the page has no inline script or style, and no module writes HTML or storage", async () => {
  expect((await get("/monitoring/dashboard")).text).not.toMatch(
    /<style|<script(?![^>]*src=)|\son\w+=|\sstyle=/,
  );
  for (const path of own.filter((one) => one.endsWith(".js")))
    expect((await get(path)).text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|\beval\b|localStorage|dangerouslySet/,
    );
});

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

test.each(paths)("%s is sent without a key, under a strict policy, and kept by browsers", async (path) => {
  const { status, headers, text } = await get(path);
  expect([status, text.length > 0]).toEqual([200, true]);
  expect(headers).toMatchObject({
    "content-type": types[path.split(".")[1] ?? ""] ?? "text/html; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  });
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]));
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

test("other methods than GET and HEAD are refused", async () => {
  for (const path of ["/monitoring/dashboard", "/monitoring/dashboard/app.js"])
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const reply = await service.send({ method, path });
      expect([outcome(reply), reply.headers.allow]).toEqual(["405 HTTP_ERROR", "GET, HEAD"]);
    }
});

// biome-ignore format: many on a line
test.each([
  "/dashboard/", "/dashboard/dashboard.html", "/dashboard/types.ts", "/dashboard/tsconfig.json", "/dashboard/App.js",
  "/dashboard/%61pp.js", "/dashboard//app.js", "/dashboard/./app.js", "/dashboard/../dashboard-route.js",
  "/dashboard/..%2fdashboard-route.js", "/dashboard/packages/", "/dashboard/packages/uplot.d.ts",
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

const pairs = readFileSync(join(source, "dashboard.css"), "utf8").matchAll(
  /--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g,
);
const colours = new Map(Array.from(pairs, ([, name = "", ...both]) => [name, both] as const));

test.each([
  ["light", 0],
  ["dark", 1],
])("%s colours can be told from what is behind them (WCAG 2.2, AA)", (_, scheme) => {
  const contrast = (one: string, other: string) => {
    const [a = 0, b = 0] = [one, other].map((name) => luminance(colours.get(name)?.[scheme] ?? ""));
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

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const difference = (share: number) => texts.signed(share, texts.pointsText);
const texted = <Value>(text: (value: Value) => string, values: readonly Value[]) =>
  values.map(text).join(", ");

// biome-ignore format: one case a line
describe("figures of the dashboard", () => {
  test.each([
    ["durations", texted(texts.durationText, [null, 0, 0.004, 0.01, 9.994, 9.996, 99.96]), "–, 0 ms, <0.01 ms, 0.01 ms, 9.99 ms, 10.0 ms, 100 ms"],
    ["long durations", texted(texts.durationText, [999.4, 999.6, 59_940, 60_000, 5_400_000]), "999 ms, 1.00 s, 59.9 s, 1.00 min, 90.0 min"],
    ["shares", texted(texts.percentText, [0, 0.000_05, 0.004_2, 0.5, 0.9999, 1]), "0%, <0.01%, 0.42%, 50.0%, 100%, 100%"],
    ["differences of shares", texted(difference, [0, 0.000_001, 0.011_8, -0.25]), "±0.00 pts, ±0.00 pts, +1.18 pts, −25.0 pts"],
    ["counts", texted(texts.compactText, [9_999, 12_345, 4_000_000]), "9,999, 12.3K, 4M"],
    ["rates", texted(texts.rateText, [0, 0.013_33, 1_234.5]), "0, 0.0133, 1,235"],
    ["money", texted(texts.dollarText, [null, 0, 0.000_000_4, 0.004_234, 0.5, 1_234.567]), "–, $0, <$0.000001, $0.00423, $0.50, $1,234.57"],
    ["sizes", texted(texts.bytesText, [0, 1_023, 1_536, 209_715_200, 5e15]), "0 B, 1,020 B, 1.5 kB, 200 MB, 4,550 TB"],
    ["spans", texted(texts.spanText, [0, 59, 60, 3_725, 86_400, 273_600]), "0 s, 59 s, 1 min, 1 h 2 min, 1 d, 3 d 4 h"],
  ])("%s", (_, shown, expected) => expect(shown).toBe(expected));

  test("moments", () => {
    const at = new Date(2026, 10, 22, 14, 3, 9);
    expect(texts.momentText(at.toISOString(), new Date(2026, 10, 22, 23))).toBe("14:03:09");
    expect(texts.momentText(at.toISOString(), new Date(2026, 10, 23))).toBe("Nov 22, 14:03:09");
    expect([5, 60, 7_200].map((seconds) => texts.bucketText(at, seconds))).toEqual(["14:03:09", "14:03", "Nov 22, 14:03"]);
  });
});

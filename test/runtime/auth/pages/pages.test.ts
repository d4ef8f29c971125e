import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  forgotPasswordPage,
  signInPage,
  tooManyRequestsPage,
  verificationPage,
} from "#runtime/auth/http/pages/index";
import { type Page, sendPage } from "#runtime/pages/index";
import { sendRequest } from "../../../support/request.ts";

const all: readonly [string, Page][] = [
  ["forgot-password", forgotPasswordPage()],
  ["verified", verificationPage("verified")],
  ["already-verified", verificationPage("already-verified")],
  ["invalid", verificationPage("invalid")],
  ["unavailable", verificationPage("unavailable")],
  ["too-many-requests", tooManyRequestsPage()],
  ["sign-in", signInPage({ shopify: { parameter: "shop" } })],
];
const scripted = ["forgot-password", "invalid", "sign-in"];

const inline = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map((match) => match[1] ?? "");
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe.each(all)("%s", (name, { html, contentSecurityPolicy }) => {
  const directives = new Map(
    contentSecurityPolicy.split("; ").map((directive) => {
      const [key = "", ...values] = directive.split(" ");
      return [key, values.join(" ")];
    }),
  );

  test("runs its own script and style, and nothing else", () => {
    const [style = "", ...styles] = inline(html, "style");
    const scripts = inline(html, "script");
    expect(styles).toEqual([]);
    expect(Object.fromEntries(directives)).toEqual({
      "default-src": "'none'",
      "style-src": hashOf(style),
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      ...(scripted.includes(name) && { "script-src": scripts.map(hashOf).join(), "connect-src": "'self'" }),
    });
    expect(scripts).toHaveLength(scripted.includes(name) ? 1 : 0);
    expect(html).not.toMatch(/\s(?:on\w+|style)=|javascript:/i);
  });

  test("loads nothing, and says its language, title and heading", () => {
    expect(html).not.toMatch(/\ssrc=|https?:|\burl\(|@import|<(?:link|img|iframe|object)/);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).toMatch(/<h1>/);
  });
});

test("each outcome has a page of its own", () => {
  expect(new Set(all.map(([, { html }]) => html)).size).toBe(all.length);
});

async function serve(status: number, page: Page): Promise<string> {
  const server = createServer((_, response) => sendPage(response, status, page)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

test("is sent with headers that keep it to itself", async () => {
  const page = verificationPage("invalid");
  const origin = await serve(400, page);
  const { status, headers, text } = await sendRequest(origin, { method: "GET", path: "/?token=<b>" });
  expect({ status, text }).toEqual({ status: 400, text: page.html });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-length": String(Buffer.byteLength(page.html)),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy": page.contentSecurityPolicy,
  });
});

test("HEAD has the headers alone", async () => {
  const origin = await serve(200, forgotPasswordPage());
  const { status, headers, text } = await sendRequest(origin, { method: "HEAD", path: "/" });
  expect({ status, text }).toEqual({ status: 200, text: "" });
  expect(headers["content-security-policy"]).toBe(forgotPasswordPage().contentSecurityPolicy);
});

/** Of WCAG 2: how far two colours are apart. */
function contrast(a: string, b: string): number {
  const light = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, bright = 0] = [light(a), light(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}

test("colours can be told apart, by day and by night", () => {
  const [style = ""] = inline(forgotPasswordPage().html, "style");
  const themes = style.split("prefers-color-scheme: dark");
  expect(themes).toHaveLength(2);
  for (const theme of themes) {
    const colour = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(theme)?.[1] ?? "";
    for (const name of ["text", "soft", "bad", "strong"])
      expect(contrast(colour(name), colour("back"))).toBeGreaterThan(4.5);
    expect(contrast(colour("on-strong"), colour("strong"))).toBeGreaterThan(4.5);
    expect(contrast(colour("line"), colour("back"))).toBeGreaterThan(3);
  }
});

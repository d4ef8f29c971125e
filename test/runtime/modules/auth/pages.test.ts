import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Page } from "#runtime/core/pages/index";
import {
  forgotPasswordPage,
  tooManyRequestsPage,
  verificationPage,
} from "#runtime/modules/auth/http/pages/account-pages";
import { changeEmailPage } from "#runtime/modules/auth/http/pages/link-pages";

const all: readonly [string, Page][] = [
  ["forgot-password", forgotPasswordPage()],
  ["verified", verificationPage("verified")],
  ["already-verified", verificationPage("already-verified")],
  ["invalid", verificationPage("invalid")],
  ["unavailable", verificationPage("unavailable")],
  ["change-email", changeEmailPage()],
  ["too-many-requests", tooManyRequestsPage()],
];
const scripted = ["forgot-password", "invalid", "change-email"];

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

  test("loads nothing, and has a language, a title and a heading", () => {
    expect(html).not.toMatch(/\ssrc=|https?:|\burl\(|@import|<(?:link|img|iframe|object)/);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).toMatch(/<h1>/);
  });
});

test("each outcome has a page of its own", () => {
  expect(new Set(all.map(([, { html }]) => html)).size).toBe(all.length);
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

test("colours have enough contrast, in light and dark mode", () => {
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

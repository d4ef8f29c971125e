import { describe, expect, test } from "vitest";
import { serviceInPage, xrdsLocationIn } from "#runtime/auth/social/protocols/openid2/openid-discovery";

const link = '<link rel="openid2.provider" href="https://a.example/x?y=1&amp;z=2">';
const meta = "<meta content='https://a.example/xrds' HTTP-EQUIV = 'x-xrds-location' />";
const endpoint = (html: string) => serviceInPage(html)?.endpoint ?? null;

describe("the head of a page", () => {
  test("says where people sign in", () => {
    expect(endpoint(`<html><HEAD lang=en><title>a</title>${link}</HEAD>`)).toBe(
      "https://a.example/x?y=1&z=2",
    );
    expect(endpoint(`<head>${link}<body>`)).not.toBeNull();
    expect(xrdsLocationIn(`<head><script>if (1<2) x()</script>${meta}</head>`)).toBe(
      "https://a.example/xrds",
    );
  });

  test.each([
    ["a comment", `<head><!-- ${link} --></head>`],
    ["a comment without an end", `<head><!-- ${link}</head>`],
    ["the body", `<head></head><body>${link}</body>`],
    ["a page whose head does not end", `<head>${link}`],
    ["a page without a head", link],
    ["a header", `<header>${link}</header><body>`],
    ["another tag", `<head>${link.replace("<link", "<linked")}</head>`],
    ["another attribute", `<head>${link.replace("href", "data-href")}</head>`],
  ])("counts alone: not %s", (_, html) => {
    expect(endpoint(html)).toBeNull();
  });

  test("is looked for in the first 64 KiB", () => {
    const page = (length: number) => {
      const rest = `<head>${link}</head>`;
      return " ".repeat(length - rest.length) + rest;
    };
    expect(endpoint(page(65_536))).not.toBeNull();
    expect(endpoint(page(65_536 + "</head>".length))).toBeNull();
  });

  test.each([
    "<!--",
    "<!---->",
    "<head ",
    "<head>",
    "<head><link ",
    "<link a=\"'",
    "<",
    ">",
    "--",
    "a",
    "a=",
    "a ",
    "a='",
    "\n",
  ])("is read to the end of 1 MiB of %j", (piece) => {
    const html = piece.repeat(1_048_576 / piece.length);
    for (const page of [html, `<head>${html}</head>`, `<head><link ${html}></head>`]) {
      expect(endpoint(page)).toBeNull();
      expect(xrdsLocationIn(page)).toBeNull();
    }
  });
});

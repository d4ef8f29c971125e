import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentOf, member } from "#runtime/modules/auth/social/outbound";
import {
  serviceInPage,
  xrdsLocationIn,
} from "#runtime/modules/auth/social/protocols/openid2/openid-discovery";
import { SocialFailure } from "#runtime/modules/auth/social/social-failure";

const read = (type: string | null, text: string) =>
  documentOf({ status: 200, headers: new Headers(type === null ? {} : { "content-type": type }), text });
const refusal = (type: string | null, text: string) => {
  try {
    return { read: read(type, text) };
  } catch (error) {
    if (error instanceof SocialFailure) return error.message;
    throw error;
  }
};
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const elements = (depth: number) => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}`;

describe("an answer", () => {
  // biome-ignore format: one case a line
  test.each([
    ["application/json; charset=utf-8", '{"id": 90071992547409931, "x": 1e400}', { id: "90071992547409931", x: "1e400" }],
    ["application/vnd.vimeo.user+json", '{"a": [true, null]}', { a: [true, null] }],
    ["text/html", ' {"openid": "1"}', { openid: "1" }],
    ["text/javascript", '[{"uid": "1"}]', [{ uid: "1" }]],
    [null, '{"a": "b"}', { a: "b" }],
    ["application/x-www-form-urlencoded", "access_token=A%2BT&expires=1\n", { access_token: "A+T", expires: "1" }],
    ["text/plain", "access_token=AT", { access_token: "AT" }],
    [
      "text/xml",
      '<r:user xmlns:r="x" id="7"><name>Ann &amp; &#66;</name><e>1</e><e>2</e></r:user>',
      { user: { r: "x", id: "7", name: "Ann & B", e: ["1", "2"] },
      },
    ],
  ])("of %s is read: %s", (type, text, document) => {
    expect(JSON.parse(JSON.stringify(read(type, text)))).toEqual(document);
  });

  test.each([
    ["application/json", "{"],
    ["application/json", '{"a": 1, "a": 2}'],
    ["application/json", 'callback({"a": 1})'],
    ["application/json", "access_token=AT"],
    ["application/json", nested(33)],
    ["application/json", "[".repeat(500_000)],
    ["application/json", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["application/octet-stream", '{"a": 1}'],
    ["image/png", "a=b"],
    ["text/html", "<html><a href=x>error</a></html>"],
    ["text/html", "Not found"],
    ["text/plain", ""],
    ["application/xml", "<a><b></a>"],
    ["application/xml", "no"],
    ["application/xml", '<!DOCTYPE a SYSTEM "http://evil.example.net/x.dtd"><a/>'],
    ["application/xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ["application/xml", '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>'],
    ["application/xml", "<a>&x;</a>"],
    ["application/xml", elements(33)],
    ["application/xml", elements(100_000)],
  ])("of %s is refused: %.60s", (type, text) => {
    expect(refusal(type, text)).toMatch(/^a response cannot be parsed: /);
    expect(refusal(type, text)).not.toContain("passwd");
  });

  test("may be as deep as answers are", () => {
    expect(refusal("application/json", nested(32))).toHaveProperty("read");
    expect(refusal("application/xml", elements(32))).toHaveProperty("read");
  });

  test.each([
    ["application/json", '{"__proto__": {"email": "x"}, "constructor": "c"}'],
    ["application/x-www-form-urlencoded", "__proto__=x&constructor=c"],
    ["application/xml", "<r><__proto__><email>x</email></__proto__></r>"],
  ])("of %s reaches no prototype", (type, text) => {
    const document = read(type, text);
    expect(member(document, "email")).toBeUndefined();
    expect(member({}, "email")).toBeUndefined();
    expect(member(document, "toString")).toBeUndefined();
    expect(Reflect.get({}, "email")).toBeUndefined();
  });

  test("is parsed or refused for any input", () => {
    const type = fc.constantFrom(
      "application/json",
      "text/xml",
      "application/x-www-form-urlencoded",
      "text/plain",
    );
    const text = fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^[<>&;a-c="'/ !{}[\],:0-9]{0,30}$/));
    fc.assert(fc.property(type, text, (kind, said) => refusal(kind, said) !== null));
  });

  test("of a form says what was sent", () => {
    const texts = fc.dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), fc.string(), { minKeys: 1 });
    fc.assert(
      fc.property(texts, (sent) => {
        const form = new URLSearchParams(sent).toString();
        expect(read("application/x-www-form-urlencoded", form)).toEqual(
          Object.fromEntries(new URLSearchParams(form)),
        );
      }),
    );
  });
});

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
  ])("is the only place that counts: not %s", (_, html) => {
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

  // biome-ignore format: many a line
  test.each([
    "<!--", "<!---->", "<head ", "<head>", "<head><link ", "<link a=\"'", "<", ">", "--", "a", "a=", "a ", "a='", "\n",
  ])("is read to the end of 1 MiB of %j", (piece) => {
    const html = piece.repeat(1_048_576 / piece.length);
    for (const page of [html, `<head>${html}</head>`, `<head><link ${html}></head>`]) {
      expect(endpoint(page)).toBeNull();
      expect(xrdsLocationIn(page)).toBeNull();
    }
  });
});

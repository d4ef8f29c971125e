import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillAddress, fillText } from "#runtime/auth/social/conversation/paths";
import { SocialFailure } from "#runtime/auth/social/social-failure";

/** Values that try to leave their place. */
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom(..."a.:/\\@?#%&=[] \t\n", "..", "%2e", "%2f", "evil.example.net", "https://"), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
);

const filled = (template: string, text: string): URL | null => {
  try {
    return fillAddress(template, () => text);
  } catch (error) {
    if (error instanceof SocialFailure) return null;
    throw error;
  }
};

describe("a value in an address", () => {
  test("stays in its segment of the path", () => {
    fc.assert(
      fc.property(value, (text) => {
        const url = filled("https://api.example.com/a/{x}/b?y=1", text);
        if (url === null) return;
        const { origin, pathname, search, hash, username } = url;
        expect([origin, search, hash, username]).toEqual(["https://api.example.com", "?y=1", "", ""]);
        const [, a, segment = "", b, ...rest] = pathname.split("/");
        expect([a, decodeURIComponent(segment), b, rest]).toEqual(["a", text, "b", []]);
      }),
      { numRuns: 500 },
    );
  });

  test("stays in its parameter", () => {
    fc.assert(
      fc.property(value, (text) => {
        const url = filled("https://api.example.com/a?x={x}&y=1", text);
        if (url === null) return;
        expect([url.origin, url.pathname, url.hash]).toEqual(["https://api.example.com", "/a", ""]);
        expect([...url.searchParams]).toEqual([
          ["x", text],
          ["y", "1"],
        ]);
      }),
      { numRuns: 500 },
    );
  });

  test("stays in front of its domain", () => {
    fc.assert(
      fc.property(value, (text) => {
        const url = filled("https://{x}.example.com/a", text);
        if (url === null) return;
        expect(url.hostname).toMatch(/^[a-z0-9._-]+\.example\.com$/);
        expect([url.pathname, url.search, url.hash, url.username, url.port]).toEqual(["/a", "", "", "", ""]);
      }),
      { numRuns: 500 },
    );
  });

  test("is looked at once, were it 1 MiB of slashes", () => {
    const slashes = "/".repeat(1_048_576);
    expect(filled("https://{x}/a", `a.example${slashes}`)?.href).toBe("https://a.example/a");
    expect(filled("https://{x}/a", `a.example${slashes} `)).toBeNull();
    expect(filled("{x}/b", `https://a.example/a${slashes}`)?.href).toBe("https://a.example/a/b");
    expect(filled("{x}/b", `https://a.example/${slashes}a`)?.pathname).toHaveLength(slashes.length + 4);
  });

  test("is a host where one stands", () => {
    fc.assert(
      fc.property(value, (text) => {
        const url = filled("https://{x}/a", text);
        if (url === null) return;
        expect([url.protocol, url.pathname, url.search, url.hash]).toEqual(["https:", "/a", "", ""]);
        expect(url.username + url.password).toBe("");
      }),
      { numRuns: 500 },
    );
  });

  test("is an encrypted address at the front, or one on this machine", () => {
    const address = fc.tuple(fc.constantFrom("https://", "http://", "ftp://", "file://", "//", ""), value);
    fc.assert(
      fc.property(address, ([scheme, rest]) => {
        const url = filled("{x}/v3/me", scheme + rest);
        if (url === null) return;
        expect(url.pathname.endsWith("/v3/me")).toBe(true);
        expect(url.search + url.hash + url.username).toBe("");
        if (url.protocol !== "https:") expect(url.hostname).toMatch(/^(localhost|127\.[\d.]+|\[::1\])$/);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["https://a.example.com/{x}", "..", null],
    ["https://a.example.com/{x}", ".", null],
    ["https://a.example.com/{x}", "%2e%2e", "https://a.example.com/%252e%252e"],
    ["https://a.example.com/{x}", "\ud800", null],
    ["https://{x}.example.com/a", "evil.example.net/", "https://evil.example.net.example.com/a"],
    ["https://{x}.example.com/a", "evil.example.net/x", null],
    ["https://{x}.example.com/a", "evil.example.net:80", null],
    ["https://{x}/a", "user@evil.example.net", null],
    ["https://{x}/a", "https://b.example.com/", "https://b.example.com/a"],
    ["https://{x}/a", "b.example.com:8443", "https://b.example.com:8443/a"],
    ["{x}/a", "https://b.example.com/base/", "https://b.example.com/base/a"],
    ["{x}/a", "https://b.example.com/?q=", null],
    ["{x}", "https://b.example.com/?q=1", "https://b.example.com/?q=1"],
    ["{x}/a", "http://b.example.com", null],
    ["{x}/a", "http://127.0.0.1:4711", "http://127.0.0.1:4711/a"],
    ["{x}/a", "http://127.0.0.1.evil.example.net", null],
    ["{x}/a", "javascript:alert(1)", null],
  ])("%s with %j is %j", (template, text, address) => {
    expect(filled(template, text)?.href ?? null).toBe(address);
  });

  test("that is missing is no address, and no text", () => {
    expect(() => fillAddress("https://a.example.com/{x}", () => null)).toThrow(SocialFailure);
    expect(() => fillText("Bearer {x}", () => null)).toThrow(SocialFailure);
  });
});

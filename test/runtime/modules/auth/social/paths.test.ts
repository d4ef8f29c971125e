import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillAddress, fillText, readPath } from "#runtime/modules/auth/social/conversation/paths";
import { Provider } from "#runtime/modules/auth/social/declared-provider";
import { parseJson } from "#runtime/modules/auth/social/outbound";
import { SocialFailure } from "#runtime/modules/auth/social/social-failure";
import { socialProviders } from "#vocabulary/social/providers";
import { socialSettings } from "../../../../support/social/sign-in.ts";

const profile = parseJson(`{
  "id": 90071992547409931, "half": 1.50, "empty": "", "none": null, "yes": true, "no": false, "zero": 0,
  "a": {"b": [{"c": "first"}, {"c": "second"}]},
  "emails": [{"email": "old@example.com", "primary": false}, {"email": "ann@example.com", "primary": true}],
  "roles": {"teacher": {"name": "Ann"}, "student": {"name": "Bob"}},
  "uri": "https://api.example.com/users/42/",
  "handle~": {"name": "H"}, "__proto__": {"admin": "yes"}
}`);
const read = (path: string) => readPath(path, { profile, token: { user: { id: "7" } }, form: { shop: "s" } });

describe("a path", () => {
  test.each([
    ["id", "90071992547409931"],
    ["half", "1.50"],
    ["zero", "0"],
    ["yes", "true"],
    ["no", "false"],
    ["a.b[0].c", "first"],
    ["a.b[1].c", "second"],
    ["emails[primary=true].email", "ann@example.com"],
    ["roles.*.name", "Ann"],
    ["uri#last", "42"],
    ["handle~.name", "H"],
    ["profile:id", "90071992547409931"],
    ["token:user.id", "7"],
    ["empty|none|missing|a.b[0].c", "first"],
    ["no|yes", "false"],
    ["={form:shop}:{token:user.id}", "s:7"],
    // An element of XML that stands once is a list of one.
    ["roles[0].student.name", "Bob"],
  ])("%s leads to %j", (path, value) => {
    expect(read(path)).toBe(value);
  });

  test.each([
    ...["empty", "none", "missing", "a", "a.b", "a.b[2].c", "a.b[-1].c", "a.b.c", "a.b.length", "id.length"],
    ...["emails[primary=yes].email", "token:user", "details:id", "openid:x", "", "|", "[0]x"],
    ...["constructor.name", "toString", "__proto__.constructor.name", "a.constructor.name", "a.b[length]"],
    ...["admin", "roles.__proto__", "={form:shop}:{token:user.name}"],
  ])("%s leads nowhere", (path) => {
    expect(read(path)).toBeNull();
  });

  test("resolves to a text or to null for any path and any data", () => {
    const path = fc.oneof(fc.string(), fc.stringMatching(/^[a-c.[\]=|#*:{}0-1-]{0,12}$/));
    fc.assert(
      fc.property(path, fc.jsonValue(), (way, said) => {
        const found = readPath(way, { profile: said, token: said });
        return found === null || (typeof found === "string" && (found !== "" || way.startsWith("=")));
      }),
    );
  });

  test("has an end in 1 MiB of slashes", () => {
    const uri = `https://a.example/${"/".repeat(1_048_576)}`;
    expect(readPath("uri#last", { profile: { uri } })).toBe("a.example");
    expect(readPath("uri#last", { profile: { uri: `${uri} ` } })).toBe(" ");
    expect(readPath("uri#last", { profile: { uri: "//" } })).toBeNull();
  });

  test("keeps every digit of a number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (id) => {
        expect(readPath("id", { profile: parseJson(`{"id": ${id}}`) })).toBe(String(id));
      }),
    );
  });
});

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

  test("that is missing makes neither an address nor a text", () => {
    expect(() => fillAddress("https://a.example.com/{x}", () => null)).toThrow(SocialFailure);
    expect(() => fillText("Bearer {x}", () => null)).toThrow(SocialFailure);
  });
});

function declared(name: string, settings: Readonly<Record<string, unknown>> = {}): Provider {
  const [one] = socialSettings({ [name]: { settings } }).providers;
  const row = socialProviders.get(name);
  if (one === undefined || row === undefined) throw new Error(`${name} is not there`);
  return new Provider(one, row);
}

describe("the value of a name in a template", () => {
  const form = { domain_prefix: "acme", access_url: "https://evil.example.net", client_id: "mine" };

  test("comes from the browser only where the row asks for it by that name", () => {
    const find = declared("vend").lookup({ form });
    expect(["domain_prefix", "access_url", "client_id"].map(find)).toEqual(["acme", null, "id-of-vend"]);
    expect(declared("surveymonkey").lookup({ form })("domain_prefix")).toBeNull();
  });

  test("has no fallback if the exchange sets null", () => {
    const more = { domain_prefix: null, client_id: null };
    const find = declared("vend").lookup({ form }, more);
    expect(["domain_prefix", "client_id"].map(find)).toEqual([null, null]);
  });

  test("is a setting, its default, the value of its choice, a secret or a place in a response", () => {
    expect(declared("gitlab").lookup()("api_url")).toBe("https://gitlab.com");
    expect(declared("gitlab", { api_url: "https://a.example" }).lookup()("api_url")).toBe(
      "https://a.example",
    );
    expect(declared("egi-checkin", { checkin_env: "demo" }).lookup()("checkin_env")).toBe("aai-demo.egi.eu");
    expect(declared("github").lookup()("client_secret")).toBe("secret-of-github");
    expect(declared("github").lookup({ token: { uid: "7" } })("token:uid")).toBe("7");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mask, maskLine } from "#runtime/core/masking/index";

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
const apiKey = `kk_${"0af9".repeat(16)}`;

describe("in a text is masked", () => {
  // biome-ignore format: one case a line
  test.each([
    // Addresses
    ["npm install sharp@^0.35.5 @aws-sdk/client-s3@^3.1.0", "npm install sharp@^0.35.5 @aws-sdk/client-s3@^3.1.0"],
    ["to ann@example.org, bob+x@sub.example.com", "to [masked], [masked]"],
    ["?email=ann%40example.org", "?email=[masked]"],
    ['Key (email)=("ann lee"@example.org) exists', "Key (email)=([masked]) exists"],
    ["?next=%3Femail%3Dann%2540example.org", "?next=[masked]"],
    // JWTs and API keys
    [`a ${jwt} b`, "a [masked] b"],
    [`session-${jwt}`, "session-[masked]"],
    ["eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "[masked]"],
    ["eyJhbGciOiJSU0EifQ.a-b.c_d.e.f", "[masked]"],
    [`x${apiKey}y`, "x[masked]y"],
    // Passwords in URLs
    ["postgres://user:se:cret@db/app", "postgres://user:[masked]@db/app"],
    ["postgres://user:p@ss@db/app", "postgres://user:[masked]@db/app"],
    ["postgres://user:p/w?o#rd@db/app", "postgres://user:[masked]@db/app"],
    ["redis://:secret@cache:6379/0", "redis://:[masked]@cache:6379/0"],
    [`https://u:${"x".repeat(3_000)}@h/`, "https://u:[masked]@h/"],
    ["http://a/?next=http://u:p@h/", "http://a/?next=http://u:[masked]@h/"],
    // Schemes
    ["Bearer abc123", "Bearer [masked]"],
    ["authorization: bearer abc123, and more", "authorization: bearer [masked], and more"],
    ["BASIC dXNlcjpwYXNz", "BASIC [masked]"],
    ["Basic\n\tdXNlcjpwYXNz==", "Basic\n\t[masked]"],
    ["Bearer%20abc123", "Bearer%20[masked]"],
    ["Bearer+abc123", "Bearer+[masked]"],
    ["Bearer: abc123", "Bearer: [masked]"],
    ['Bearer "abc123"', 'Bearer "[masked]"'],
    ["Bearer Bearer abc123", "Bearer Bearer [masked]"],
    ["Basic Bearer abc123 x", "Basic Bearer [masked] x"],
    // Assignments
    ["password=hunter2", "password=[masked]"],
    ["PASSWORD=hunter2 x", "PASSWORD=[masked] x"],
    ["/x?access_token=abc&page=2", "/x?access_token=[masked]&page=2"],
    ["client_secret=a,b;c)d'e\"f g", "client_secret=[masked] g"],
    ["api_key=abc api-key=def apiKey=ghi", "api_key=[masked] api-key=[masked] apiKey=[masked]"],
    ["password = hunter2", "password = [masked]"],
    ["password='hunter 2' x", "password='[masked]' x"],
    ['password="hun\\"ter 2" x', 'password="[masked]" x'],
    ["password=`hunter 2` x", "password=`[masked]` x"],
    ['password="never closed', 'password="[masked]'],
    ["user[password]=hunter2&a=b", "user[password]=[masked]&a=b"],
    ["user%5Bpassword%5D=hunter2&a=b", "user%5Bpassword%5D=[masked]&a=b"],
    ["password%3Dhunter2%26page%3D2", "password%3D[masked]%26page%3D2"],
    ["password%253Dhunter2%2526page%253D2", "password%253D[masked]%2526page%253D2"],
    ["password=a%26b", "password=[masked]"],
    ["Key (reset_token)=(a b) already exists.", "Key (reset_token)=[masked] already exists."],
    ["Key (a, token)=(1, b)c) exists\nat (x)", "Key (a, token)=[masked] exists\nat (x)"],
    ["token=Bearer abc", "token=[masked]"],
    ["Basic password = hunter2", "Basic [masked] = [masked]"],
    ["password=token=abc", "password=[masked]"],
    ["password = secret = abc", "password = [masked] = [masked]"],
    ['password=token="a b" c', "password=[masked] c"],
    ["password= secret='a b' c", "password= [masked] c"],
    ['password: "secret": "a b" c', 'password: "[masked]": "[masked]" c'],
    // JSON and what Node prints, within a text
    ['body {"password":"hunter 2","n":1}', 'body {"password":"[masked]","n":1}'],
    ['{"a":"{\\"password\\":\\"hun\\\\\\"ter2\\",\\"n\\":1}"}', '{"a":"{\\"password\\":\\"[masked]\\",\\"n\\":1}"}'],
    ["{ password: 'hunter 2', n: 1 }", "{ password: '[masked]', n: 1 }"],
    ['"secret" => "a b", x', '"secret" => "[masked]", x'],
    ['{"token":12345}', '{"token":[masked]'],
  ])("%s", (text, expected) => {
    expect(mask(text)).toBe(expected);
    expect(mask(expected)).toBe(expected);
  });
});

// biome-ignore format: many a line
test.each([
  "nothing to hide @ noon", 'the "token": none', "the token expired", "password reset was asked for", "passwords: 3", "http://host:8080/path",
  "listening on http://[::1]:3000 (http://127.0.0.1:3000/a:b)", "aerobic exercise", "the header must be Bearer, a space, and the token.",
  "file.test.ts:12:5", "POST /auth/refresh-token 200", "a=b&c=d", "token=", "",
])("what holds no secret stays: %j", (text) => {
  expect(mask(text)).toBe(text);
  const line = `${JSON.stringify({ level: 30, msg: text })}\n`;
  expect(maskLine(line)).toBe(line);
});

describe("fields", () => {
  const masked = "[masked]";
  test.each([
    ["password", masked],
    ["newPassword", masked],
    ["ACCESS_TOKEN", masked],
    ["Proxy-Authorization", masked],
    ["set-cookie", masked],
    ["client_secret", masked],
    ["api_key", masked],
    ["token_type", "v"],
    ["tokens", "v"],
    ["secret_santa", "v"],
    ["cookies", "v"],
  ])("%s: %s", (key, value) => {
    const line = (set: unknown) => `${JSON.stringify({ level: 30, a: [{ [key]: set }], msg: "m" })}\n`;
    expect(maskLine(line("v"))).toBe(line(value));
    expect(maskLine(line(value))).toBe(line(value));
    if (value === masked)
      for (const set of [7, null, true, ["a", "b"], { inner: "x" }])
        expect(maskLine(line(set))).toBe(line(masked));
  });
});

/** What a text may consist of: much of it leads somewhere, or ends something. */
// biome-ignore format: many a line
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      "password", "Token", "secret", "api_key", "Bearer", "basic", "=", "%3D", ": ", '"', "'", "`", "(", ")", "&", " ",
    ],
    ...[
      "\\", "\n", "://", ":", "@", "%40", "%26", "eyJ", ".", "kk_", "[masked]", "?", "/", ",", "]", "{", "}", "=>", "-",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.string({ maxLength: 5 }),
);
const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(""));

test("masked text stays, and never grows by being masked again", () => {
  fc.assert(
    fc.property(text, (wild) => {
      let last = mask(wild);
      // Two secrets that touch may be seen as one only when both are masked; then nothing changes any more.
      for (let times = 0; times < 3; times++) last = mask(last);
      expect(mask(last)).toBe(last);
      expect(last.length).toBeLessThanOrEqual(mask(wild).length + 16);
    }),
    { numRuns: 1_000 },
  );
});

test("a text within a line is masked like the text by itself, and the line stays JSON", () => {
  fc.assert(
    fc.property(text, fc.string({ unit: "binary" }), (wild, key) => {
      const { a, msg } = JSON.parse(
        maskLine(`${JSON.stringify({ level: 30, a: { k: [wild, key] }, msg: wild })}\n`),
      );
      expect(msg).toBe(mask(wild));
      expect(a.k).toEqual([mask(wild), mask(key)]);
    }),
    { numRuns: 1_000 },
  );
});

const canary = "CANARY7q9x";
// biome-ignore format: many a line
const lead = fc.constantFrom(
  ...[
    "Bearer ", "bearer  ", "BASIC\t", "Bearer%20", "password=", "Token=", "api_key=", "api-key=", "x_SECRET=", "secret = ",
  ],
  ...[
    'password="', "token='", '{"password":"', "{ token: '", '\\"secret\\":\\"', "password%3D", "a[token]=", "https://u:",
  ],
);
const blankless = fc
  .string({ unit: "grapheme-ascii", maxLength: 8 })
  .map((s) => s.replace(/[\s&"'`\\,;<>)\]}/?#@=:%(]/g, ""));

test("a secret is found at every position, between any other texts", () => {
  fc.assert(
    fc.property(text, lead, blankless, blankless, text, (before, leading, start, end, after) => {
      const closing = leading.includes("://") ? "@host" : "";
      const all = `${before.replace(/[\\"'`]/g, "")} ${leading}${start}${canary}${end}${closing} ${after}`;
      expect(mask(all)).not.toContain(canary);
      expect(maskLine(`${JSON.stringify({ msg: all })}\n`)).not.toContain(canary);
    }),
    { numRuns: 1_000 },
  );
});

test("a number or a name is as it was, and would be were it looked at", () => {
  // biome-ignore format: many a line
  const words = [
    "password", "Bearer", "token", "api-key", "kk", "0af9".repeat(8), "eyJhbGciOiJub25lIn0", "-", "007",
  ];
  const name = fc.array(fc.oneof(fc.constantFrom(...words), fc.stringMatching(/^[0-9A-Za-z-]*$/)));
  fc.assert(
    fc.property(name, (parts) => {
      const text = parts.join("");
      expect(mask(text)).toBe(text);
      // A blank is not part of such a name.
      expect(mask(` ${text} `)).toBe(` ${text} `);
    }),
  );
});

describe("a text of a megabyte is masked in no time, however it is made", () => {
  // biome-ignore format: many a line
  test.each([
    "a", "a@", "@", "-eyJ", "eyJ", "eyJhbGciOiJI.", "a.", "kk_", "kk_0", "://", "://a:", "://a:b/", "://:", "bearer ", "basic", "basic=", "Bearer%20",
    "bearer + ", "password", "token=", "token=(", "token=()", "token=(\n", 'token="\n', '"a b', '"a"', 'token="', "token='\\", 'secret":"\\',
    'token=\\"', "password%25", "password%3D", "password %2525", "%40", "\\", " ", "=", '"',
  ])("%j, again and again", (unit) => {
    const wild = unit.repeat(Math.ceil(100_000 / unit.length));
    for (const end of ["", " ", "@x", '"', ")", "=", "\n"]) {
      const begun = performance.now();
      mask(`${wild}${end}`);
      mask(`token="${wild}${end}`);
      expect(performance.now() - begun).toBeLessThan(3_000);
    }
  });
});

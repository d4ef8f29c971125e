import fc from "fast-check";
import addressParser from "nodemailer/lib/addressparser";
import { describe, expect, it, test } from "vitest";
import { canonicalEmail, oneAddress } from "#runtime/modules/mail/index";

describe("is one plain mailbox", () => {
  // biome-ignore format: many a line
  test.each([
    "ann@example.org", "o'neil+list@sub.example.com", "a@b", "jörg@müller.example", "अन्ना@उदाहरण.भारत", "用户@例子.公司", "🦊@example.org",
    `${"a".repeat(64)}@example.org`,
  ])("%s", (text) => expect(oneAddress(text)).toBe(true));
});

describe("is not", () => {
  test.each([
    "",
    "ann",
    "@example.org",
    "ann@",
    "ann@@example.org",
    "ann@example.org@evil.example",
    "ann@example.org,eve@evil.example",
    "ann@example.org;eve@evil.example",
    "ann@example.org eve@evil.example",
    "ann@example.org\r\nBcc: eve@evil.example",
    "ann@example.org\n",
    "ann\0@example.org",
    " ann@example.org",
    "Ann <ann@example.org>",
    "<ann@example.org>",
    '"ann eve"@example.org',
    '"ann@evil.example"@example.org',
    "ann(comment)@example.org",
    "ann@[127.0.0.1]",
    "team:ann@example.org;",
    "ann\\@evil.example@example.org",
    "ann..lee@example.org",
    ".ann@example.org",
    "ann.@example.org",
    "ann@example..org",
    "ann@-example.org",
    "ann@example.org.",
    // Full-width forms of @ and the comma; a mark that turns the direction; an unseen blank.
    "ann＠evil.example@example.org",
    "ann，eve@example.org",
    "ann\u202e@example.org",
    "ann\u2028@example.org",
    "ann\u00a0@example.org",
    "ann@exa\u3002mple.org",
    `${"a".repeat(65)}@example.org`,
    `${"ü".repeat(33)}@example.org`,
    `ann@${"a.".repeat(125)}example`,
    "ann\ud800@example.org",
  ])("%j", (text) => expect(oneAddress(text)).toBe(false));
});

test("a long text costs no more than its length", () => {
  expect(oneAddress(`${"a.".repeat(500_000)}@`)).toBe(false);
});

test("address parsers read every accepted mailbox as that one mailbox", () => {
  const piece = fc.constantFrom(
    ..."abü1.-+'@@,;:<>()[]\"\\ \t\r\n\0%!＠，。\u202e".split(""),
    "example.org",
    "@b.example",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    fc
      .tuple(fc.string({ unit: "grapheme", maxLength: 6 }), fc.constant("@b.example"))
      .map((parts) => parts.join("")),
  );
  let accepted = 0;
  fc.assert(
    fc.property(text, (candidate) => {
      if (!oneAddress(candidate)) return;
      accepted++;
      expect(addressParser(candidate, { flatten: true })).toEqual([{ name: "", address: candidate }]);
    }),
    { numRuns: 20_000, seed: 4 },
  );
  expect(accepted).toBeGreaterThan(500);
});

describe("canonicalEmail", () => {
  it.each([
    ["ann@example.com", "ann@example.com"],
    [" Ann@EXAMPLE.com\t", "ann@example.com"],
    ["ann+shop@example.com", "ann+shop@example.com"],
    ["o'hara@example.com", "o'hara@example.com"],
    ["ju\u0308rgen@exa\u0308mple.de", "j\u00fcrgen@xn--exmple-cua.de"],
    ["Ünal@example.com", "Ünal@example.com"],
    ["用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"],
    ["ann@BÜCHER.example", "ann@xn--bcher-kva.example"],
    ["ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"],
    ["ann@bu\u0308cher.example", "ann@xn--bcher-kva.example"],
    ["ann@ｅxample.com", "ann@example.com"],
    ["ann@straße.example", "ann@xn--strae-oqa.example"],
  ])("%j is %j", (text, expected) => {
    expect(canonicalEmail(text)).toBe(expected);
  });

  // biome-ignore format: many a line
  it.each([
    "ann@localhost", "ann@1.2.3", "ann@0x7f.1", "ann@xn--a.example", `ann@${"ü".repeat(63)}.com`, "ann\uff0cbob@example.com",
  ])("%j is invalid", (text) => {
    expect(canonicalEmail(text)).toBeNull();
  });

  it("is its own canonical form for every input, and safe to send to", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "grapheme" })), (text) => {
        const email = canonicalEmail(text);
        if (email === null) return;
        expect(canonicalEmail(email)).toBe(email);
        expect(canonicalEmail(` ${email} `)).toBe(email);
        expect(oneAddress(email)).toBe(true);
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalEmail, oneAddress } from "#runtime/mail/index";

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

  it.each([
    "",
    "ann",
    "@example.com",
    "ann@",
    "ann@localhost",
    "ann@@example.com",
    "ann@example.com,bob@example.com",
    "ann@example.com bob@example.com",
    "ann@example.com\nBcc: bob@example.com",
    '"ann bob"@example.com',
    '"a@b"@example.com',
    "Ann <ann@example.com>",
    "<ann@example.com>",
    "ann(comment)@example.com",
    "ann@[127.0.0.1]",
    "ann@1.2.3",
    "ann@0x7f.1",
    "ann@xn--a.example",
    `ann@${"ü".repeat(63)}.com`,
    "ann\0@example.com",
    "ann\uff0cbob@example.com",
    `${"a".repeat(65)}@example.com`,
    `ann@${"a".repeat(250)}.com`,
  ])("%j is none", (text) => {
    expect(canonicalEmail(text)).toBeNull();
  });

  it("is its own canonical form, whatever it was made of, and safe to send to", () => {
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

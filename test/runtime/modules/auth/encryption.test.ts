import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { encryptionKeys, SealedTexts } from "#runtime/modules/auth/crypto/hash";

const key = (text: string) => [createSecretKey(Buffer.from(text.padEnd(32)))] as const;
const jwt = key("jwt");
const encryption = key("encryption");
const texts = (secrets: Parameters<typeof encryptionKeys>[0], purpose = "tests") =>
  new SealedTexts(encryptionKeys(secrets, purpose));
const both = texts({ jwt, encryption });
const fallback = texts({ jwt, encryption: null });

describe("a sealed text", () => {
  test("is read by its owner, and different each time", () => {
    const [one, two] = [both.seal("Öl 7", "1"), both.seal("Öl 7", "1")];
    expect(both.open(one, "1")).toBe("Öl 7");
    expect(one).not.toBe(two);
    expect(both.open(both.seal("", "1"), "1")).toBe("");
  });

  test("that is older than the encryption key is still read; the other way round it is not", () => {
    expect(both.open(fallback.seal("x", "1"), "1")).toBe("x");
    expect(() => fallback.open(both.seal("x", "1"), "1")).toThrow("cannot be decrypted");
  });

  test("the same secret twice is one key", () => {
    expect(encryptionKeys({ jwt, encryption: key("jwt") }, "tests")).toHaveLength(1);
  });

  // biome-ignore format: one case a line
  test.each<[string, (sealed: string) => string]>([
    ["nothing", () => ""],
    ["no version", (sealed) => sealed.slice(3)],
    ["another version", (sealed) => sealed.replace("v1", "v2")],
    ["cut", (sealed) => sealed.slice(0, -2)],
    ["too short", () => "v1.AAAA"],
    ["changed at the front", (sealed) => sealed.replace(/^v1\../, (start) => `v1.${start.endsWith("A") ? "B" : "A"}`)],
    ["changed at the end", (sealed) => `${sealed.slice(0, -3)}${sealed.endsWith("AAA") ? "BBB" : "AAA"}`],
  ])("that was tampered with is refused: %s", (_, tamper) => {
    const sealed = both.seal("a text of some length", "1");
    expect(() => both.open(tamper(sealed), "1")).toThrow("cannot be decrypted");
  });

  test("is bound to owner, purpose and secret", () => {
    const sealed = both.seal("x", "1");
    expect(() => both.open(sealed, "11")).toThrow();
    expect(() => texts({ jwt, encryption }, "other").open(sealed, "1")).toThrow();
    expect(() => texts({ jwt, encryption: key("new") }).open(sealed, "1")).toThrow();
  });
});

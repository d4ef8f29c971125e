import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "#runtime/sql/kinds";

describe("PostgreSQL's texts as JSON", () => {
  it("are what JSON.stringify makes of a text", () => {
    const texts = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(texts, (text) => {
        expect(kinds.text.toJson(text)).toBe(JSON.stringify(text));
      }),
    );
  });

  it.each([
    "plain",
    'a "quote"',
    "back\\slash",
    "line\nbreak",
    "\u0000",
    "\u001f",
    "\u007f",
    "ü, 漢, 🙂",
    "",
  ])("%j", (text) => {
    expect(kinds.text.toJson(text)).toBe(JSON.stringify(text));
  });

  it("a datetime", () => {
    expect(kinds.datetime.toJson("2026-01-02 03:04:05.6+00")).toBe('"2026-01-02T03:04:05.600Z"');
  });
});

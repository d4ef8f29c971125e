import fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytes } from "#runtime/storage/keys/key-order";

test("the order of texts is that of their bytes", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(
    fc.property(text, text, fc.string({ maxLength: 3 }), (one, other, start) => {
      const expected = Buffer.compare(Buffer.from(start + one), Buffer.from(start + other));
      expect(Math.sign(compareBytes(start + one, start + other))).toBe(expected);
    }),
    { numRuns: 3000 },
  );
  // By UTF-16 it would be the other way round.
  expect(["\u{20000}", "\uff71"].sort(compareBytes)).toEqual(["\uff71", "\u{20000}"]);
});

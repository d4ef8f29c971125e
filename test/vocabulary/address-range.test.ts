import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isAddressOrRange } from "#vocabulary/addresses";

test("accepts the addresses that node:net accepts, except zones", () => {
  const group = fc.constantFrom(
    "",
    "",
    "0",
    "1",
    "ab",
    "FFFF",
    "00000",
    "g",
    "1.2.3.4",
    "01.2.3.4",
    "256.0.0.1",
    " ",
  );
  const texts = fc.oneof(
    fc.array(group, { minLength: 1, maxLength: 10 }).map((groups) => groups.join(":")),
    fc.ipV4Extended(),
    fc.ipV4(),
    fc.ipV6(),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!text.includes("/") && !text.includes("%"));
      expect(isAddressOrRange(text)).toBe(isIP(text) !== 0);
    }),
    { seed: 6, numRuns: 2000 },
  );
});

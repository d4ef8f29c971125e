import fc from "fast-check";
import { expect, test } from "vitest";
import { compareNumbers, decimalText, int64Text, numberText } from "#vocabulary/fields/exact-numbers";

const size = { precision: 6, scale: 2 };

test.each([
  ["12.5", "12.50"],
  ["12.50", "12.50"],
  ["0", "0.00"],
  ["-0", "0.00"],
  ["-0.00", "0.00"],
  ["-0.01", "-0.01"],
  ["9999.99", "9999.99"],
  [12.5, "12.50"],
  [-0, "0.00"],
  [9999.99, "9999.99"],
  [1e3, "1000.00"],
])("%j is the decimal %s", (value, text) => {
  expect(decimalText(value, size)).toBe(text);
});

// biome-ignore format: one case a line
test.each([
  ...["", " 1", "1 ", "+1", "01", "-01", "1.", ".5", "1e2", "0x1", "1_0", "1,5", "٣", "NaN", "Infinity", "10000"],
  ...["1.500", "0.001", "1\n"],
  ...[1e4, 0.001, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1e21],
])("%j is not a decimal of six digits, two of them after the point", (value) => {
  expect(decimalText(value, size)).toBeNull();
});

test.each([
  [1e21, "1000000000000000000000"],
  [1.5e-7, "0.00000015"],
  [-2.5e22, "-25000000000000000000000"],
  [123456789012345, "123456789012345"],
  [1234567890123450, "1234567890123450"],
  [100, "100"],
  [0.5, "0.5"],
  [-0, "0"],
])("the number %d is %s", (number, text) => {
  expect(numberText(number)).toBe(text);
});

test("a number of more than 15 significant digits is not exact", () => {
  expect(numberText(1234567890123456)).toBeNull();
  expect(numberText(0.1 + 0.2)).toBeNull();
});

test.each([
  ["9223372036854775807", "9223372036854775807"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["-0", "0"],
  [2 ** 53 - 1, "9007199254740991"],
  [-0, "0"],
  ["9223372036854775808", null],
  ["-9223372036854775809", null],
  ["1.0", null],
  ["007", null],
  [2 ** 53, null],
  [1.5, null],
])("%j as a whole number of 64 bits is %j", (value, text) => {
  expect(int64Text(value)).toBe(text);
});

test("numbers as text compare by value", () => {
  const scale = 3;
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.bigInt({ min: -2000n, max: 2000n }),
      (one, other) => {
        const expected = one === other ? 0 : one < other ? -1 : 1;
        expect(Math.sign(compareNumbers(thousandths(one), thousandths(other)))).toBe(expected);
        expect(compareNumbers(thousandths(one), `${thousandths(one)}0`)).toBe(0);
        expect(decimalText(thousandths(one), { precision: 20, scale })).toBe(thousandths(one));
      },
    ),
  );
});

test("a double of at most 15 significant digits is the number that it is written as", () => {
  const digits = fc.integer({ min: -(10 ** 14), max: 10 ** 14 });
  fc.assert(
    fc.property(digits, fc.integer({ min: -25, max: 25 }), (whole, exponent) => {
      const text = numberText(Number(`${whole}e${exponent}`));
      expect(Number(text)).toBe(Number(`${whole}e${exponent}`));
      expect(text).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
    }),
  );
});

/** A whole number of thousandths as text with three decimals. */
function thousandths(number: bigint): string {
  const digits = (number < 0n ? -number : number).toString().padStart(4, "0");
  return `${number < 0n ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

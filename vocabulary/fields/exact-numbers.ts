const numberPattern = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Maximum digits of a number as text, before and after the point. No column holds more, and comparisons are
 * still fast.
 */
const longestNumber = { whole: 2_000, fraction: 2_000 };

/** Number of significant digits that every JSON parser keeps. */
const safeDigits = 15;

/** The digits of a decimal, in total and after the point. */
export type DecimalSize = { readonly precision: number; readonly scale: number };

/** The parts of a number in text form. */
interface Digits {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/**
 * Parses a number as text, `-?(0|[1-9][0-9]*)(\.[0-9]+)?`. Drops the minus of a zero. Null for other text.
 */
function digitsOf(text: string): Digits | null {
  if (text.length > longestNumber.whole + longestNumber.fraction) return null;
  const [, minus, whole, fraction = ""] = numberPattern.exec(text) ?? [];
  if (whole === undefined || whole.length > longestNumber.whole) return null;
  if (fraction.length > longestNumber.fraction) return null;
  return { negative: minus === "-" && /[1-9]/.test(whole + fraction), whole, fraction };
}

/** A JSON number as text without an exponent. Null if it has more than 15 significant digits, or is not finite. */
function plainText(number: number): string | null {
  if (!Number.isFinite(number)) return null;
  const text = String(number);
  const [mantissa = ""] = text.split("e");
  const digits = mantissa.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.replace(/0+$/, "").length > safeDigits ? null : literalText(text);
}

/**
 * A number literal of JSON or GraphQL as text, with all its digits, without an exponent and trailing zeros of
 * decimals. Null if its exponent makes it longer than any column holds.
 */
export function literalText(literal: string): string | null {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  if (point > longestNumber.whole || point < -longestNumber.fraction) return null;
  const padded = `${whole}${fraction}`.padEnd(point, "0");
  const shifted = point > 0 ? padded : `${"0".repeat(1 - point)}${padded}`;
  const at = Math.max(point, 1);
  const before = shifted.slice(0, at).replace(/^0+(?=\d)/, "");
  // Without the look-behind, many zeros before another digit take quadratic time.
  const after = shifted.slice(at).replace(/(?<!0)0+$/, "");
  return `${literal.startsWith("-") ? "-" : ""}${before}${after === "" ? "" : `.${after}`}`;
}

/**
 * The double that is equal to an integer, or that JavaScript prints as this integer. Null if no such double
 * exists.
 */
export function doubleOf(whole: bigint): number | null {
  const double = Number(whole);
  if (!Number.isFinite(double)) return null;
  return BigInt(double) === whole || literalText(String(double)) === String(whole) ? double : null;
}

function textOf(value: string | number): string | null {
  return typeof value === "number" ? plainText(value) : value;
}

function printed({ negative, whole, fraction }: Digits): string {
  return `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** A number of a request or definition as text, never rounded; `-0` becomes `0`. Null for other values. */
export function numberText(value: string | number): string | null {
  const text = textOf(value);
  const digits = text === null ? null : digitsOf(text);
  return digits === null ? null : printed(digits);
}

/** The canonical form of a decimal, with exactly `scale` decimals. Null if it does not fit. */
export function decimalText(value: string | number, { precision, scale }: DecimalSize): string | null {
  const text = textOf(value);
  const digits = text === null ? null : digitsOf(text);
  if (digits === null || digits.fraction.length > scale) return null;
  if (digits.whole !== "0" && digits.whole.length > precision - scale) return null;
  return printed({ ...digits, fraction: digits.fraction.padEnd(scale, "0") });
}

const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** The canonical form of a 64-bit integer, from text or a number up to 2^53 - 1. Null for other values. */
export function int64Text(value: string | number): string | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : null;
  const digits = digitsOf(value);
  if (digits === null || digits.fraction !== "" || digits.whole.length > 19) return null;
  const number = BigInt(printed(digits));
  return number >= int64.least && number <= int64.most ? String(number) : null;
}

/** Compares two numbers in the form of `numberText`: negative, 0 or positive. */
export function compareNumbers(one: string, other: string): number {
  const [first, second] = [digitsOf(one), digitsOf(other)];
  if (first === null || second === null) throw new Error("only numbers as text can be compared");
  if (first.negative !== second.negative) return first.negative ? -1 : 1;
  return first.negative ? compareDigits(second, first) : compareDigits(first, second);
}

function compareDigits(first: Digits, second: Digits): number {
  if (first.whole.length !== second.whole.length) return first.whole.length - second.whole.length;
  const decimals = Math.max(first.fraction.length, second.fraction.length);
  const [one, other] = [first, second].map(({ whole, fraction }) => whole + fraction.padEnd(decimals, "0"));
  return one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1;
}

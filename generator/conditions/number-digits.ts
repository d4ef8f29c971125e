import { compareNumbers, numberText } from "../../vocabulary/exact-numbers.ts";

/** Significant digits that JavaScript's numbers have in any case. */
const safeDigits = 15;

/** The digits of a number where JavaScript's has not all of them, since exact numbers are compared by what is written. */
export function digitsOf({ text, value }: { readonly text: string; readonly value: number }): {
  readonly digits?: string;
} {
  const [written, kept] = [numberText(text), numberText(value)];
  if (written === null) return significant(text) > safeDigits ? { digits: text } : {};
  return kept !== null && compareNumbers(kept, written) === 0 ? {} : { digits: written };
}

function significant(text: string): number {
  const [mantissa = ""] = text.split(/e/i);
  return mantissa.replace(/[^0-9]/g, "").replace(/^0+|0+$/g, "").length;
}

import { literalText } from "../../../vocabulary/exact-numbers.ts";

/** How the numbers that stand in a document are read. The same object for the same way, so that values can hang on it. */
export interface NumberReading {
  /** Without a fraction and exponent. */
  readonly whole: (digits: string) => unknown;
  readonly broken: (text: string) => unknown;
  /** Under a key of an object; without it as elsewhere in the object. */
  readonly under?: (key: string) => NumberReading;
}

/** For filters and other arguments: integers that no double holds stay text, which filters take as exact numbers. */
export const argumentNumbers: NumberReading = {
  whole: (digits) => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits),
  broken: Number,
};

/** For data that is stored: what `JSON.parse` makes of them, as in a body over REST. */
export const dataNumbers: NumberReading = { whole: Number, broken: Number };

const exactly = (text: string) => literalText(text) ?? text;

/** For fields whose numbers JSON has as text: no digit is lost. */
export const exactNumbers: NumberReading = { whole: exactly, broken: exactly };

import { literalText } from "../../../../vocabulary/fields/exact-numbers.ts";
import { numberOf } from "../../../core/json/index.ts";

/** How the numbers that stand in a document are read. The same object for the same way, so that values can hang on it. */
export interface NumberReading {
  /** Without a fraction and exponent. */
  readonly whole: (digits: string) => unknown;
  readonly broken: (text: string) => unknown;
  /** Under a key of an object; without it as elsewhere in the object. */
  readonly under?: (key: string) => NumberReading;
}

/** For most fields and arguments: whole numbers beyond 2^53 - 1 are BigInts, as in a body over REST. */
export const plainNumbers: NumberReading = { whole: numberOf, broken: numberOf };

const exactly = (text: string) => literalText(text) ?? text;

/** For fields whose numbers JSON has as text: no digit is lost. */
export const exactNumbers: NumberReading = { whole: exactly, broken: exactly };

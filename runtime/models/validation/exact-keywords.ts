import {
  compareNumbers,
  type DecimalSize,
  decimalText,
  int64Text,
  numberText,
} from "../../../vocabulary/fields/exact-numbers.ts";
import { type Judge, wordedKeyword } from "./worded-keyword.ts";

type ExactNumber = string | number;

/** Bounds and allowed values of exact numbers, which are compared by value. */
type ExactRules = {
  readonly minimum?: ExactNumber;
  readonly maximum?: ExactNumber;
  readonly enum?: readonly ExactNumber[];
};

/** The keywords `decimal` and `int64` of validators (decisions, part 4). */
export const exactKeywords = [
  wordedKeyword("decimal", ["string", "number"], (rules: DecimalSize & ExactRules) =>
    judgeExact(rules, (value) => decimalText(value, rules), decimalMessage(rules)),
  ),
  wordedKeyword("int64", ["string", "integer"], (rules: ExactRules) =>
    judgeExact(rules, int64Text, int64Message),
  ),
];

function judgeExact(
  rules: ExactRules,
  formOf: (value: ExactNumber) => string | null,
  message: (value: ExactNumber) => string,
): Judge<ExactNumber> {
  const allowed = rules.enum?.map((value) => formOf(value) ?? String(value));
  const [least, most] = [rules.minimum, rules.maximum].map((bound) =>
    bound === undefined ? null : numberText(bound),
  );
  return (value) => {
    const form = formOf(value);
    if (form === null) return message(value);
    if (allowed !== undefined && !allowed.includes(form)) return `must be one of ${allowed.join(", ")}`;
    if (least != null && compareNumbers(form, least) < 0) return `must be at least ${least}`;
    return most != null && compareNumbers(form, most) > 0 ? `must be at most ${most}` : null;
  };
}

function decimalMessage({ precision, scale }: DecimalSize): (value: ExactNumber) => string {
  const whole = precision - scale;
  const before = whole === 0 ? "0 before the point" : `at most ${counted(whole, "digit")} before the point`;
  const size = scale === 0 ? `${before} and none after it` : `${before} and at most ${scale} after it`;
  return (value) => {
    if (numberText(value) !== null) return `must be a decimal with ${size}`;
    return typeof value === "number"
      ? "must be sent as a text where it has more than 15 digits"
      : "must be a number such as 12.50";
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function int64Message(value: ExactNumber): string {
  if (typeof value === "number") return "must be sent as a text beyond 9007199254740991";
  return numberText(value) === null
    ? "must be a whole number such as 9007199254740993"
    : "must be a whole number between -9223372036854775808 and 9223372036854775807";
}

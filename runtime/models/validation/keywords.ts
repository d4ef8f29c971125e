import type { Ajv, AnySchemaObject, ErrorObject, FuncKeywordDefinition } from "ajv";
import {
  compareNumbers,
  type DecimalSize,
  decimalText,
  int64Text,
  numberText,
} from "../../../vocabulary/fields/exact-numbers.ts";
import type { ElementKind } from "../../../vocabulary/fields/list-kinds.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { elementValue } from "../index.ts";

/** Returns the message for a value; null if it is valid. */
type Validate<Value> = (value: Value) => string | null;

type Types = NonNullable<FuncKeywordDefinition["type"]>;

/** A custom keyword with its own message. */
function wordedKeyword<Rules extends Json, Value extends Json>(
  keyword: string,
  type: Types,
  validatorOf: (rules: Rules, siblings: AnySchemaObject) => Validate<Value>,
): FuncKeywordDefinition {
  return {
    keyword,
    type,
    compile(rules: Rules, siblings) {
      const messageFor = validatorOf(rules, siblings);
      const validate: ReturnType<NonNullable<FuncKeywordDefinition["compile"]>> = (value: Value) => {
        const message = messageFor(value);
        validate.errors = message === null ? [] : [{ keyword, message, params: {} }];
        return message === null;
      };
      return validate;
    },
  };
}

type ExactNumber = string | number;

/** Bounds and allowed values of exact numbers, compared by value. */
type ExactRules = {
  readonly minimum?: ExactNumber;
  readonly maximum?: ExactNumber;
  readonly enum?: readonly ExactNumber[];
};

/** The keywords `decimal` and `int64` of validators. */
export const exactKeywords = [
  wordedKeyword("decimal", ["string", "number"], (rules: Partial<DecimalSize> & ExactRules) => {
    const size = sizeOf(rules);
    const formOf = size === null ? numberText : (value: ExactNumber) => decimalText(value, size);
    return validateExact(rules, formOf, size === null ? numberMessage : decimalMessage(size));
  }),
  wordedKeyword("int64", ["string", "integer"], (rules: ExactRules) =>
    validateExact(rules, int64Text, int64Message),
  ),
];

/** Keywords for limits of columns that no keyword of JSON Schema has. */
export const columnKeywords = [
  wordedKeyword("maxBytes", "string", (most: number) => (value: string) => {
    return Buffer.byteLength(value) <= most ? null : `must have at most ${counted(most, "byte")} in UTF-8`;
  }),
  wordedKeyword("fractionDigits", "string", (most: number) => (value: string) => {
    const [, digits = ""] = /\.(\d+)/.exec(value) ?? [];
    if (!/[1-9]/.test(digits.slice(most))) return null;
    return most === 0
      ? "must have whole seconds"
      : `must have at most ${counted(most, "digit")} of a second after the point`;
  }),
  wordedKeyword("unrounded", "string", (type: string) => (value: string) => {
    const rounded = roundedDigits[type];
    return rounded?.pattern.test(value) ? `must have ${rounded.most}` : null;
  }),
];

/** Digits that PostgreSQL would round, also in the units of an interval. It rounds fractions of years to months. */
const roundedDigits: Readonly<Record<string, { readonly pattern: RegExp; readonly most: string }>> = {
  money: { pattern: /\.\d\d\d*[1-9]/, most: "at most 2 digits after the point" },
  interval: {
    pattern:
      /\.\d{6}\d*[1-9]|\.\d*[1-9]\d*\s*(?:us|micro|y|dec|c|mille|mils?\b)|\.\d{3}\d*[1-9]\d*\s*(?:ms|milli?s)|\de-?\d/i,
    most: "at most 6 digits of a second after the point, and no fractions of years or microseconds",
  },
};

/** The digits of a decimal; null for a column that holds any number of digits. */
function sizeOf({ precision, scale }: Partial<DecimalSize>): DecimalSize | null {
  return precision === undefined || scale === undefined ? null : { precision, scale };
}

function validateExact(
  rules: ExactRules,
  formOf: (value: ExactNumber) => string | null,
  message: (value: ExactNumber) => string,
): Validate<ExactNumber> {
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

function numberMessage(value: ExactNumber): string {
  return typeof value === "number"
    ? "must be sent as a string if it has more than 15 digits"
    : "must be a number such as 12.50";
}

function decimalMessage({ precision, scale }: DecimalSize): (value: ExactNumber) => string {
  const whole = precision - scale;
  const before = whole === 0 ? "0 before the point" : `at most ${counted(whole, "digit")} before the point`;
  const size = scale === 0 ? `${before} and none after it` : `${before} and at most ${scale} after it`;
  return (value) => {
    return numberText(value) === null ? numberMessage(value) : `must be a decimal with ${size}`;
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function int64Message(value: ExactNumber): string {
  if (typeof value === "number") return "must be sent as a string beyond 9007199254740991";
  return numberText(value) === null
    ? "must be a whole number such as 9007199254740993"
    : "must be a whole number between -9223372036854775808 and 9223372036854775807";
}

type Scalar = string | number | boolean;

/**
 * The keyword `distinct` of validators. Elements are compared by value: the decimals 1.5 and 1.50 are equal.
 */
export const distinctKeyword = wordedKeyword(
  "distinct",
  "array",
  (kind: ElementKind, siblings) => (list: Scalar[]) => {
    const size: DecimalSize | null = siblings["items"]?.decimal ?? null;
    const seen = new Map<unknown, number>();
    for (const [index, element] of list.entries()) {
      const value = elementValue(kind, element, size);
      const first = seen.get(value);
      if (first !== undefined) return `must not hold the same twice, as at [${first}] and [${index}]`;
      seen.set(value, index);
    }
    return null;
  },
);

/**
 * A keyword for lists. Only the first problem is reported, since each element could have one. `first` finds
 * it, and `describe` makes its message.
 */
export function listKeyword(first: Ajv, describe: (error: ErrorObject) => string) {
  return wordedKeyword("list", ["array"], (schema: { [key: string]: Json }) => {
    const validate = first.compile(schema);
    return (list: Json[]) => {
      const [error] = validate(list) ? [] : (validate.errors ?? []);
      if (error === undefined) return null;
      const index = error.instancePath.slice(1);
      return index === "" ? describe(error) : `[${index}] ${describe(error)}`;
    };
  });
}

/**
 * Replace ajv's keywords for untrusted values: ajv calls `valueOf` of the value, and compares each pair of
 * elements.
 */
export const comparingKeywords = [
  wordedKeyword("const", [], (allowed: Json) => oneOf([allowed])),
  wordedKeyword("enum", [], (allowed: readonly Json[]) => oneOf(allowed)),
  wordedKeyword("uniqueItems", "array", (unique: boolean) => (list: readonly Json[]) => {
    const seen = new Map<string, number>();
    for (const [index, element] of unique ? list.entries() : []) {
      const first = seen.get(textOf(element));
      if (first !== undefined) return `must not hold the same twice, as at [${first}] and [${index}]`;
      seen.set(textOf(element), index);
    }
    return null;
  }),
];

function oneOf(allowed: readonly Json[]): (value: Json) => string | null {
  const texts = new Set(allowed.map(textOf));
  const words = allowed.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const message = words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(", ")}`;
  return (value) => (texts.has(textOf(value)) ? null : message);
}

/** Equal values have the same text, in any order of their keys. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`);
  return `{${entries.sort().join()}}`;
}

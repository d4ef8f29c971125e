import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../vocabulary/json.ts";
import { type ApiModel, objectIn } from "./api-side.ts";
import type { ApiFinding, Use } from "./findings.ts";

/** A place in the API: its name in the report, and how callers use it. */
export interface Place {
  readonly subject: string;
  readonly use: Use;
  /** The model that the value belongs to, and its operation that takes it. */
  readonly model: ApiModel | null;
  readonly operation: string | null;
  /** The number of properties above it, since schemas can be recursive. */
  readonly depth: number;
}

/** A change in words, and the callers who notice it. */
type Words = readonly [what: string, by: ApiFinding["by"]];

/** Compares the keywords of two schemas, without those of objects. */
type Rule = (was: JsonObject, is: JsonObject) => Words | false;

/** Another type. Nothing else of two values of different types can be compared. */
export function valueTypeChange(was: JsonObject, is: JsonObject, { subject, use }: Place): ApiFinding | null {
  const [types, allowed] = use === "reads" ? [typesOf(is), typesOf(was)] : [typesOf(was), typesOf(is)];
  const accepts = (type: string) =>
    allowed?.includes(type) || (type === "integer" && allowed?.includes("number"));
  if ((allowed === null || types?.every(accepts) === true) && hasSameFormat(was, is, use)) return null;
  const before = typesOf(was) === null ? "" : `; before: ${typeWords(was)}`;
  return { kind: "type", subject, what: `is of type ${typeWords(is)}${before}`, by: [use] };
}

/** The types without null; null for any type. */
function typesOf(schema: JsonObject): string[] | null {
  const types =
    schema["type"] === undefined ? valuesOf(schema)?.map(typeOf) : [schema["type"]].flat().map(String);
  return types === undefined ? null : [...new Set(types)].filter((each) => each !== "null");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return Array.isArray(value) ? "array" : "object";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Exact numbers in strings. */
const exactNumbers: readonly unknown[] = ["int64", "decimal"];

/** Formats of strings are types. An e-mail address is a string like any other for callers who read it. */
function hasSameFormat(was: JsonObject, is: JsonObject, use: Use): boolean {
  const [former, now] = [was, is].map(({ type, format }) =>
    [type].flat().includes("string") ? format : undefined,
  );
  if (former === now) return true;
  if (use !== "reads") return now === undefined || now === "password";
  return former === undefined ? !exactNumbers.includes(now) : former === "idn-email" && now === undefined;
}

function typeWords(schema: JsonObject): string {
  const [format, items] = [schema["format"], objectIn(schema, "items")];
  const words = typesOf(schema)?.map((type) => {
    if (type === "array" && typesOf(items) !== null) return `array of ${typeWords(items)}`;
    return type === "string" && typeof format === "string" ? `string (${format})` : type;
  });
  return words?.join(" or ") ?? "any JSON";
}

/** The other changes of a value itself. */
export function valueChanges(was: JsonObject, is: JsonObject, { subject, use }: Place): ApiFinding[] {
  const found = (rules: readonly Rule[], kind: ApiFinding["kind"]) =>
    rules.flatMap((rule) => {
      const [what, by] = rule(was, is) || [];
      return what === undefined || by === undefined ? [] : [{ kind, subject, what, by }];
    });
  if (use !== "reads") return found(requestRules, "other");
  return [...found(answerRules, "other"), ...found([newValues], "new value")];
}

const answerRules: readonly Rule[] = [
  (was, is) => !allowsNull(was) && allowsNull(is) && ["can be null in responses", ["reads"]],
  decimals("reads", (former, now) => former !== now),
];

const newValues: Rule = (was, is) => {
  const [former, now] = [valuesOf(was), valuesOf(is)];
  const added = missingIn(former, now);
  if (former === undefined || (now !== undefined && added === "")) return false;
  return [`can be ${now === undefined ? "any value" : added} in responses now`, ["reads"]];
};

const requestRules: readonly Rule[] = [
  (was, is) => allowsNull(was) && !allowsNull(is) && ["cannot be null any more", "anyone who sends null"],
  (was, is) => {
    const [former, now] = [valuesOf(was), valuesOf(is)];
    if (now === undefined) return false;
    if (former === undefined)
      return [`is one of ${missingIn([], now)} now`, "anyone who sends another value"];
    const gone = missingIn(now, former);
    return gone !== "" && [`does not accept ${gone} any more`, "anyone who sends or filters by such a value"];
  },
  (was, is) => {
    const [former, now] = [wholeDigits(was), wholeDigits(is)];
    if (now === null || (former !== null && now >= former)) return false;
    const before = former === null ? "" : `; before: ${former}`;
    return [`has at most ${counted(now, "digit")} before the point${before}`, "anyone who sends more"];
  },
  decimals("sends", (former, now) => now < former),
  bound("minLength", 1, "has at least", "character", 0),
  bound("maxLength", -1, "has at most", "character"),
  range("minimum", "exclusiveMinimum", 1, ["is at least", "is more than"]),
  range("maximum", "exclusiveMaximum", -1, ["is at most", "is less than"]),
  bound("minItems", 1, "has at least", "element", 0),
  bound("maxItems", -1, "has at most", "element"),
  bound("minProperties", 1, "has at least", "property", 0),
  bound("maxProperties", -1, "has at most", "property"),
  ({ uniqueItems: was }, { uniqueItems: is }) =>
    was !== true &&
    is === true && ["cannot have the same element twice", "anyone who sends an element twice"],
  ({ pattern: was }, { pattern: is }) =>
    is !== undefined && is !== was && [`must match ${is}`, "anyone who sends a text that does not match"],
  (was, is) =>
    !isClosed(was) &&
    isClosed(is) && ["takes no other properties any more", "anyone who sends other properties"],
  (was, is) => {
    const changed = others.filter(
      (name) => is[name] !== undefined && !isDeepStrictEqual(was[name], is[name]),
    );
    return changed.length > 0 && [`may take fewer values: another ${changed.join(", ")}`, ["sends"]];
  },
];

/** Keywords of which the report only says that they changed, because it cannot tell whether they take less. */
const others = [
  ...["multipleOf", "not", "if", "then", "else", "contains", "minContains", "maxContains", "prefixItems"],
  ...["patternProperties", "propertyNames", "dependentRequired", "dependentSchemas"],
];

/** A tighter bound of lengths and counts. `from` is the bound of a value without this keyword. */
function bound(keyword: string, sign: 1 | -1, words: string, unit: string, from = -Infinity): Rule {
  return ({ enum: values, [keyword]: was }, { [keyword]: now }) => {
    const former = typeof was === "number" ? was : from * sign;
    // The values of an enum are compared themselves.
    if (values !== undefined || typeof now !== "number" || now * sign <= former * sign) return false;
    return [`${words} ${counted(now, unit)}${was === undefined ? "" : `; before: ${former}`}`, outside];
  };
}

/** A tighter bound of a number, inclusive or exclusive. For integers, `> 0` is `>= 1`. */
function range(inclusive: string, exclusive: string, sign: 1 | -1, words: readonly [string, string]): Rule {
  const tightest = (schema: JsonObject) => {
    const isInteger = typesOf(schema)?.every((type) => type === "integer") === true;
    const bounds = [inclusive, exclusive].flatMap((keyword, index) => {
      const [value, isExclusive] = [schema[keyword], index === 1];
      if (typeof value !== "number") return [];
      const at = isInteger && isExclusive ? Math.floor(value * sign) + 1 : value * sign;
      return [{ value, isExclusive, at: isInteger ? Math.ceil(at) : at, beyond: isExclusive && !isInteger }];
    });
    return bounds.sort((a, b) => b.at - a.at || Number(b.beyond) - Number(a.beyond))[0];
  };
  return (was, is) => {
    const [former, now] = [tightest(was), tightest(is)];
    if (was["enum"] !== undefined || now === undefined) return false;
    const isWider =
      former !== undefined &&
      (now.at < former.at || (now.at === former.at && (former.beyond || !now.beyond)));
    if (isWider) return false;
    const before = former?.isExclusive === now.isExclusive ? `; before: ${former.value}` : "";
    return [`${words[now.isExclusive ? 1 : 0]} ${now.value}${before}`, outside];
  };
}

const outside = "anyone who sends a value outside this bound";

function decimals(use: Use, isBreaking: (former: number, now: number) => boolean): Rule {
  return (was, is) => {
    const [{ scale: former }, { scale: now }] = [objectIn(was, "x-kirak"), objectIn(is, "x-kirak")];
    if (typeof former !== "number" || typeof now !== "number" || !isBreaking(former, now)) return false;
    return [`has ${counted(now, "decimal")}; before: ${former}`, [use]];
  };
}

/** Digits before the point. A greater scale leaves fewer of them. */
function wholeDigits(schema: JsonObject): number | null {
  const { precision, scale } = objectIn(schema, "x-kirak");
  return typeof precision === "number" ? precision - (typeof scale === "number" ? scale : 0) : null;
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;
}

function allowsNull(schema: JsonObject): boolean {
  const { type } = schema;
  return type === undefined ? valuesOf(schema)?.includes(null) !== false : [type].flat().includes("null");
}

/** An enum; undefined without one. */
function valuesOf({ enum: values, const: value }: JsonObject): readonly unknown[] | undefined {
  if (value !== undefined) return [value];
  return Array.isArray(values) ? values : undefined;
}

/** The values that only the second list has, in words. */
function missingIn(one: readonly unknown[] = [], other: readonly unknown[] = []): string {
  const values = other.filter((value) => value !== null && !one.includes(value));
  return values.map((value) => JSON.stringify(value)).join(", ");
}

function isClosed(schema: JsonObject): boolean {
  const closed = [schema["additionalProperties"], schema["unevaluatedProperties"]].includes(false);
  return closed && typesOf(schema)?.includes("object") !== false;
}

import { isDeepStrictEqual } from "node:util";
import { compareNumbers } from "../../../vocabulary/fields/exact-numbers.ts";
import type { ApiField } from "../../emit/views/api-surface.ts";
import { isHiddenFromCallers } from "./callers-view.ts";

/** Compares one property of a field. Returns the breaking change in words, or null. */
type FieldRule = (
  before: ApiField,
  after: ApiField,
) => { readonly what: string; readonly notices: string } | null;

/** The callers who notice most changes of a field. */
export const everyUser = "anyone who sends, reads or filters by it";

/** Whether callers can read the field, before and after. */
function isRead(before: ApiField, after: ApiField): boolean {
  return before.read !== "nobody" && after.read !== "nobody";
}

/** Whether callers can send the field, before and after. */
function isSent(before: ApiField, after: ApiField): boolean {
  return before.write !== "nobody" && after.write !== "nobody";
}

/** Wider types: they accept and return all values of the former type, in the same form. */
const wider: Readonly<Record<string, readonly string[]>> = {
  string: ["text"],
  text: ["string"],
  email: ["string", "text"],
  integer: ["float"],
};

/** A list of a wider type is wider. */
function isWider(before: string, after: string): boolean {
  const [was, is] = [elementType(before), elementType(after)];
  if (was === null || is === null) return before === after || wider[before]?.includes(after) === true;
  return isWider(was, is);
}

/** The element type of a list; null for other types. */
function elementType(type: string): string | null {
  return type.endsWith("[]") ? type.slice(0, -"[]".length) : null;
}

const inText: readonly string[] = ["bigint", "decimal"];

/** A new type, unless it is wider. */
function typeRule({ type: before }: ApiField, { type: after }: ApiField) {
  if (isWider(before, after)) return null;
  const [was, is] = [before, after].map((type) => inText.includes(elementType(type) ?? type));
  const form = is === was ? "" : is ? ", a string in JSON" : ", not a string in JSON";
  return { what: `is of type ${after}${form}; before: ${before}`, notices: everyUser };
}

/** Decimals: values in responses have exactly this number of decimals. */
function decimalsRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.scale, after.scale];
  if (was === undefined || is === undefined || was === is || !isWider(before.type, after.type)) return null;
  const notices = is < was ? "anyone who reads it, or sends more" : "anyone who reads it";
  return { what: `has ${is} ${is === 1 ? "decimal" : "decimals"}; before: ${was}`, notices };
}

/** Digits before the point. A greater scale leaves fewer of them. */
function digitsRule(before: ApiField, after: ApiField) {
  const [was, is] = [before, after].map(wholeDigits);
  if (was == null || is == null || is >= was || !isSent(before, after)) return null;
  return {
    what: `has at most ${is} ${is === 1 ? "digit" : "digits"} before the point; before: ${was}`,
    notices: "anyone who sends more",
  };
}

function wholeDigits({ precision, scale }: ApiField): number | null {
  return precision === undefined ? null : precision - (scale ?? 0);
}

const families: Readonly<Record<string, string>> = { text: "string", email: "string", float: "integer" };

/** Whether bounds have the same meaning for both types. */
function isAlike(before: ApiField, after: ApiField): boolean {
  const [was, is] = [before, after].map(({ type }) => {
    const element = elementType(type);
    return element === null ? (families[type] ?? type) : `${families[element] ?? element}[]`;
  });
  return was === is;
}

/** A breaking change, and the callers who notice it. */
export interface BreakingChange {
  readonly change: string;
  readonly notices: string;
}

const rules: readonly FieldRule[] = [
  typeRule,
  decimalsRule,
  digitsRule,
  referenceRule,
  (before, after) =>
    before.nullable === true || after.nullable !== true || !isRead(before, after)
      ? null
      : { what: "can be null in responses", notices: "anyone who reads it" },
  (before, after) =>
    before.nullable !== true || after.nullable === true || !isSent(before, after)
      ? null
      : { what: "cannot be null any more", notices: "anyone who sends null" },
  defaultRule,
  presetRule,
  enumRule,
  tighter("min_length", (was, is) => isLess(was ?? 0, is), "has at least", "characters"),
  tighter("max_length", (was, is) => was === undefined || isLess(is, was), "has at most", "characters"),
  tighter("minimum", (was, is) => was === undefined || isLess(was, is), "is at least"),
  tighter("maximum", (was, is) => was === undefined || isLess(is, was), "is at most"),
  tighter("min_items", (was, is) => isLess(was ?? 0, is), "has at least", "elements"),
  tighter("max_items", (was, is) => was !== undefined && isLess(is, was), "has at most", "elements"),
  (before, after) =>
    before.unique_items === true || after.unique_items !== true || !isSent(before, after)
      ? null
      : { what: "cannot have the same element twice", notices: "anyone who sends an element twice" },
  (before, after) =>
    after.pattern === undefined || after.pattern === before.pattern || !isSent(before, after)
      ? null
      : { what: `must match ${after.pattern}`, notices: "anyone who sends a text that does not match" },
  (before, after) =>
    before.searchable !== true || after.searchable === true
      ? null
      : { what: "is not searched any more", notices: "anyone who finds rows by it with search" },
  (before, after) =>
    before.read === "nobody" || after.read !== "nobody"
      ? null
      : { what: "cannot be read by anyone any more", notices: "anyone who reads or filters by it" },
  (before, after) =>
    before.write === "nobody" || after.write !== "nobody"
      ? null
      : { what: "cannot be written by anyone any more", notices: "anyone who sends it" },
];

/** Rules that also apply to a field that was hidden from callers. */
const rulesOfClosed: readonly FieldRule[] = [
  (before, after) =>
    before.required === true || after.required !== true
      ? null
      : { what: "is required now", notices: "anyone who creates rows without it" },
  fillRule,
  deleteRule,
];

/** The breaking changes of a field that both surfaces have. */
export function fieldChanges(name: string, before: ApiField, after: ApiField): BreakingChange[] {
  return [...(isHiddenFromCallers(before) ? [] : rules), ...rulesOfClosed].flatMap((rule) => {
    const found = rule(before, after);
    return found === null ? [] : [{ change: `${name} ${found.what}`, notices: found.notices }];
  });
}

function referenceRule(before: ApiField, after: ApiField) {
  if (before.references === after.references) return null;
  if (before.references !== undefined)
    return { what: `refers to ${rowOf(after)}; before: ${rowOf(before)}`, notices: everyUser };
  if (!isSent(before, after)) return null;
  return { what: `refers to ${rowOf(after)} now`, notices: "anyone who sends a value that no row has" };
}

function rowOf({ references }: ApiField): string {
  return references === undefined ? "no row" : `a row by ${references}`;
}

/** A required field that a hook no longer fills in. */
function fillRule(before: ApiField, after: ApiField) {
  if (before.required !== true || after.required !== true) return null;
  const lost = before.filled?.filter((name) => !after.filled?.includes(name)) ?? [];
  if (lost.length === 0) return null;
  return {
    what: `is required now in ${lost.join(" and ")}`,
    notices: "anyone who omits it, because a hook set it",
  };
}

/** A new `on_delete`: it matters to callers who remove the referenced rows. */
function deleteRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.on_delete, after.on_delete];
  if (was === undefined || is === undefined || was === is) return null;
  const rows = `rows of ${after.references?.split(".")[0]}`;
  const notices = {
    cascade: `anyone who removes ${rows} also removes the rows that refer to them`,
    set_null: `anyone who removes ${rows} empties it`,
    restrict: `anyone who removes ${rows} that it refers to gets 400`,
  };
  return { what: `has on_delete ${is}; before: ${was}`, notices: notices[is] };
}

/** A changed or removed default. If the field is required now, the rule for `required` reports it. */
function defaultRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.default, after.default];
  if (was === undefined || isDeepStrictEqual(was, is) || after.required === true) return null;
  if (after.preset !== undefined) return null;
  const now = is === undefined ? "has no default any more" : `has the default ${JSON.stringify(is)}`;
  return { what: `${now}; before: ${JSON.stringify(was)}`, notices: "anyone who creates rows without it" };
}

/** A changed or removed preset. If the field is required now, the rule for `required` reports it. */
function presetRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.preset, after.preset];
  if (was === is || after.required === true || after.default !== undefined) return null;
  const now = is === undefined ? "has no preset any more" : `has the preset ${is}`;
  const former = was ?? (before.default === undefined ? "none" : JSON.stringify(before.default));
  // All callers had to send a required field. If they cannot any more, the change of `write` is reported.
  if (was === undefined && before.required === true) return null;
  return { what: `${now}; before: ${former}`, notices: "anyone who creates rows without it" };
}

/** Removed values. New values are not a breaking change. */
function enumRule(before: ApiField, after: ApiField) {
  if (after.enum === undefined) return null;
  const gone = (before.enum ?? []).filter((value) => !after.enum?.includes(value));
  const allowed = after.enum.map((value) => JSON.stringify(value)).join(", ");
  if (before.enum === undefined)
    return isSent(before, after)
      ? { what: `is one of ${allowed} now`, notices: "anyone who sends another value" }
      : null;
  if (gone.length === 0) return null;
  const values = gone.map((value) => JSON.stringify(value)).join(", ");
  return {
    what: `does not accept ${values} any more`,
    notices: "anyone who sends or filters by such a value",
  };
}

/** A stricter bound. */
function tighter(
  bound: "min_length" | "max_length" | "minimum" | "maximum" | "min_items" | "max_items",
  isTighter: (was: number | string | undefined, is: number | string) => boolean,
  words: string,
  unit = "",
): FieldRule {
  return (before, after) => {
    const [was, is] = [before[bound], after[bound]];
    if (is === undefined || !isAlike(before, after) || !isSent(before, after) || !isTighter(was, is))
      return null;
    const former = was === undefined ? "" : `; before: ${was}`;
    return {
      what: `${words} ${is}${unit === "" ? "" : ` ${unit}`}${former}`,
      notices: "anyone who sends a value outside this bound",
    };
  };
}

/** Bounds of exact numbers are texts, but are compared as numbers. */
function isLess(one: number | string, other: number | string): boolean {
  if (typeof one === "number" && typeof other === "number") return one < other;
  return compareNumbers(String(one), String(other)) < 0;
}

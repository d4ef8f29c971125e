import type { ApiField } from "../../emit/views/api-surface.ts";
import { everyUser, isSent } from "./field-rule.ts";

/** Types that take and answer all that the former one did, in the same form. */
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

/** The type of a list's elements; null of what is none. */
function elementType(type: string): string | null {
  return type.endsWith("[]") ? type.slice(0, -"[]".length) : null;
}

const inText: readonly string[] = ["bigint", "decimal"];

/** Another type, unless it takes and answers all that the former one did. */
export function typeRule({ type: before }: ApiField, { type: after }: ApiField) {
  if (isWider(before, after)) return null;
  const [was, is] = [before, after].map((type) => inText.includes(elementType(type) ?? type));
  const form = is === was ? "" : is ? " (in JSON a string)" : " (in JSON no string)";
  return { what: `is of type ${after}${form}, and was ${before}`, notices: everyUser };
}

/** Answers have exactly so many decimals. */
export function decimalsRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.scale, after.scale];
  if (was === undefined || is === undefined || was === is || !isWider(before.type, after.type)) return null;
  const notices = is < was ? "whoever reads it, or sends more" : "whoever reads it";
  return { what: `has ${is} ${is === 1 ? "decimal" : "decimals"}, ${was} before`, notices };
}

/** Digits before the point: what a greater scale takes from them counts as well. */
export function digitsRule(before: ApiField, after: ApiField) {
  const [was, is] = [before, after].map(wholeDigits);
  if (was == null || is == null || is >= was || !isSent(before, after)) return null;
  return {
    what: `has at most ${is} ${is === 1 ? "digit" : "digits"} before the point, ${was} before`,
    notices: "whoever sends more",
  };
}

function wholeDigits({ precision, scale }: ApiField): number | null {
  return precision === undefined ? null : precision - (scale ?? 0);
}

const families: Readonly<Record<string, string>> = { text: "string", email: "string", float: "integer" };

/** Whether the bounds of one type mean the same for the other. */
export function isAlike(before: ApiField, after: ApiField): boolean {
  const [was, is] = [before, after].map(({ type }) => {
    const element = elementType(type);
    return element === null ? (families[type] ?? type) : `${families[element] ?? element}[]`;
  });
  return was === is;
}

import { isDeepStrictEqual } from "node:util";
import { compareNumbers } from "../../../vocabulary/exact-numbers.ts";
import type { ApiField } from "../../emit/views/api-surface.ts";
import { isAlike } from "./breaking-types.ts";
import { type FieldRule, isSent } from "./field-rule.ts";

/** A default that comes is no break. Of one that goes with `required` the other rule tells. */
export function defaultRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.default, after.default];
  if (was === undefined || isDeepStrictEqual(was, is) || after.required === true) return null;
  if (after.preset !== undefined) return null;
  const now = is === undefined ? "has no default any more" : `has the default ${JSON.stringify(is)}`;
  return { what: `${now}, ${JSON.stringify(was)} before`, notices: "whoever creates without it" };
}

/** Another value in new rows of whoever does not send one. Of a preset that goes with `required` the other rule tells. */
export function presetRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.preset, after.preset];
  if (was === is || after.required === true || after.default !== undefined) return null;
  const now = is === undefined ? "has no preset any more" : `has the preset ${is}`;
  const former = was ?? (before.default === undefined ? "none" : JSON.stringify(before.default));
  // A required field that was sent by everybody is told by who may not write it now.
  if (was === undefined && before.required === true) return null;
  return { what: `${now}, ${former} before`, notices: "whoever creates without it" };
}

/** A value more is no break: requests with the others still pass. */
export function enumRule(before: ApiField, after: ApiField) {
  if (after.enum === undefined) return null;
  const gone = (before.enum ?? []).filter((value) => !after.enum?.includes(value));
  const allowed = after.enum.map((value) => JSON.stringify(value)).join(", ");
  if (before.enum === undefined)
    return isSent(before, after)
      ? { what: `is one of ${allowed} now`, notices: "whoever sends another value" }
      : null;
  if (gone.length === 0) return null;
  const values = gone.map((value) => JSON.stringify(value)).join(", ");
  return { what: `takes ${values} no longer`, notices: "whoever sends or filters by that" };
}

/** A bound that lets less pass. */
export function tighter(
  bound: "min_length" | "max_length" | "minimum" | "maximum" | "min_items" | "max_items",
  isTighter: (was: number | string | undefined, is: number | string) => boolean,
  words: string,
  unit = "",
): FieldRule {
  return (before, after) => {
    const [was, is] = [before[bound], after[bound]];
    if (is === undefined || !isAlike(before, after) || !isSent(before, after) || !isTighter(was, is))
      return null;
    const former = was === undefined ? "" : `, ${was} before`;
    return {
      what: `${words} ${is}${unit === "" ? "" : ` ${unit}`}${former}`,
      notices: "whoever sends what is beyond",
    };
  };
}

/** Bounds of exact numbers are text, and compare as numbers do. */
export function isLess(one: number | string, other: number | string): boolean {
  if (typeof one === "number" && typeof other === "number") return one < other;
  return compareNumbers(String(one), String(other)) < 0;
}

import type { ApiField } from "../../emit/views/api-surface.ts";
import { decimalsRule, digitsRule, typeRule } from "./breaking-types.ts";
import { defaultRule, enumRule, isLess, presetRule, tighter } from "./breaking-values.ts";
import { isClosed } from "./callers-view.ts";
import { everyUser, type FieldRule, isRead, isSent } from "./field-rule.ts";

/** A change that some callers notice: what, and who. */
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
      : { what: "may be null in answers", notices: "whoever reads it" },
  (before, after) =>
    before.nullable !== true || after.nullable === true || !isSent(before, after)
      ? null
      : { what: "may not be null any more", notices: "whoever sends null" },
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
      : { what: "has no element twice", notices: "whoever sends one twice" },
  (before, after) =>
    after.pattern === undefined || after.pattern === before.pattern || !isSent(before, after)
      ? null
      : { what: `must match ${after.pattern}`, notices: "whoever sends another text" },
  (before, after) =>
    before.searchable !== true || after.searchable === true
      ? null
      : { what: "is not searched any more", notices: "whoever finds rows by it with search" },
  (before, after) =>
    before.read === "nobody" || after.read !== "nobody"
      ? null
      : { what: "is readable by nobody any more", notices: "whoever reads or filters by it" },
  (before, after) =>
    before.write === "nobody" || after.write !== "nobody"
      ? null
      : { what: "is writable by nobody any more", notices: "whoever sends it" },
];

/** What callers notice of a field that was closed to them as well. */
const rulesOfClosed: readonly FieldRule[] = [
  (before, after) =>
    before.required === true || after.required !== true
      ? null
      : { what: "is required now", notices: "whoever creates without it" },
  fillRule,
  deleteRule,
];

/** What callers notice of one field that both surfaces have. */
export function fieldChanges(name: string, before: ApiField, after: ApiField): BreakingChange[] {
  return [...(isClosed(before) ? [] : rules), ...rulesOfClosed].flatMap((rule) => {
    const found = rule(before, after);
    return found === null ? [] : [{ change: `${name} ${found.what}`, notices: found.notices }];
  });
}

function referenceRule(before: ApiField, after: ApiField) {
  if (before.references === after.references) return null;
  if (before.references !== undefined)
    return { what: `names ${rowOf(after)}, and named ${rowOf(before)}`, notices: everyUser };
  if (!isSent(before, after)) return null;
  return { what: `names ${rowOf(after)} now`, notices: "whoever sends a value that no row has" };
}

function rowOf({ references }: ApiField): string {
  return references === undefined ? "no row" : `a row by ${references}`;
}

/** A hook that filled it in for one of the operations that create. */
function fillRule(before: ApiField, after: ApiField) {
  if (before.required !== true || after.required !== true) return null;
  const lost = before.filled?.filter((name) => !after.filled?.includes(name)) ?? [];
  if (lost.length === 0) return null;
  return { what: `is required now in ${lost.join(" and ")}`, notices: "whoever left it to the hook" };
}

/** Who removes the rows that the field names. */
function deleteRule(before: ApiField, after: ApiField) {
  const [was, is] = [before.on_delete, after.on_delete];
  if (was === undefined || is === undefined || was === is) return null;
  const rows = `rows of ${after.references?.split(".")[0]}`;
  const notices = {
    cascade: `whoever removes ${rows} removes the rows that name them too`,
    set_null: `whoever removes ${rows} empties it`,
    restrict: `whoever removes ${rows} that it names gets 400`,
  };
  return { what: `has on_delete ${is}, ${was} before`, notices: notices[is] };
}

import type { ApiField } from "./surface.ts";

/** A change that some callers notice: what, and who. */
export interface BreakingChange {
  readonly change: string;
  readonly notices: string;
}

const reads = "whoever reads it";
const sends = "whoever sends it";

/** One rule: what is worse for callers than before, in words, or null. */
type Rule = (before: ApiField, after: ApiField) => { readonly what: string; readonly notices: string } | null;

const rules: readonly Rule[] = [
  (before, after) =>
    before.type === after.type
      ? null
      : {
          what: `is of type ${after.type}, and was ${before.type}`,
          notices: "whoever sends, reads or filters by it",
        },
  (before, after) =>
    before.references === after.references || before.references === undefined
      ? null
      : {
          what: `names ${rowOf(after)}, and named ${rowOf(before)}`,
          notices: "whoever sends, reads or filters by it",
        },
  ({ nullable }, after) =>
    nullable === true || after.nullable !== true || after.read === "nobody"
      ? null
      : { what: "may be null in answers", notices: reads },
  ({ nullable }, after) =>
    nullable !== true || after.nullable === true || after.write === "nobody"
      ? null
      : { what: "may not be null any more", notices: "whoever sends null" },
  (before, after) =>
    before.required === true || after.required !== true
      ? null
      : { what: "is required now", notices: "whoever creates without it" },
  (before, after) => enumRule(before, after),
  tighter("min_length", (was, is) => is > (was ?? 0), "has at least", "characters"),
  tighter("max_length", (was, is) => was === undefined || is < was, "has at most", "characters"),
  tighter("minimum", (was, is) => was === undefined || is > was, "is at least"),
  tighter("maximum", (was, is) => was === undefined || is < was, "is at most"),
  ({ pattern }, after) =>
    after.pattern === undefined || after.pattern === pattern
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
      : { what: "is writable by nobody any more", notices: sends },
];

/** What callers notice of one field that both surfaces have. */
export function fieldChanges(name: string, before: ApiField, after: ApiField): BreakingChange[] {
  return rules.flatMap((rule) => {
    const found = rule(before, after);
    return found === null ? [] : [{ change: `${name} ${found.what}`, notices: found.notices }];
  });
}

function rowOf({ references }: ApiField): string {
  return references === undefined ? "no row" : `a row by ${references}`;
}

/** A value more is no break: requests with the others still pass. */
function enumRule(before: ApiField, after: ApiField) {
  if (after.enum === undefined) return null;
  const gone = (before.enum ?? []).filter((value) => !after.enum?.includes(value));
  const allowed = after.enum.map((value) => JSON.stringify(value)).join(", ");
  if (before.enum === undefined)
    return { what: `is one of ${allowed} now`, notices: "whoever sends another value" };
  if (gone.length === 0) return null;
  const values = gone.map((value) => JSON.stringify(value)).join(", ");
  return { what: `takes ${values} no longer`, notices: "whoever sends or filters by that" };
}

function tighter(
  bound: "min_length" | "max_length" | "minimum" | "maximum",
  isTighter: (was: number | undefined, is: number) => boolean,
  words: string,
  unit = "",
): Rule {
  return (before, after) => {
    const [was, is] = [before[bound], after[bound]];
    if (is === undefined || before.type !== after.type || !isTighter(was, is)) return null;
    const former = was === undefined ? "" : `, ${was} before`;
    return {
      what: `${words} ${is}${unit === "" ? "" : ` ${unit}`}${former}`,
      notices: "whoever sends what is beyond",
    };
  };
}

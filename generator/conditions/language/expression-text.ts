import type { Moment } from "../../../vocabulary/conditions/conditions.ts";
import type { Term } from "./condition-tree.ts";

/** A side of a comparison as conditions have it. */
export function termText(term: Term): string {
  switch (term.kind) {
    case "field":
      return term.name;
    case "user":
      return `{user.${term.column}}`;
    case "placeholder":
      return term.name === "now" ? momentText(term.offset) : `{${term.name}}`;
    case "value":
      return typeof term.value === "string"
        ? `'${term.value.replaceAll("'", "''")}'`
        : (term.digits ?? String(term.value));
  }
}

function momentText(offset: Moment["offset"]): string {
  if (offset === undefined) return "now()";
  const amount = Math.abs(offset.amount);
  return `now() ${offset.amount < 0 ? "-" : "+"} interval '${amount} ${offset.unit}${amount === 1 ? "" : "s"}'`;
}

import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ConditionScope } from "./condition-scope.ts";
import { foreignHint } from "./foreign-names.ts";
import type { Lost } from "./lost-names.ts";
import { ofAnotherRow } from "./lost-relations.ts";
import { type Standpoint, startsAtItself } from "./standpoint.ts";

/** The model at the end of a path has no such column. */
export function noColumn(written: string, scope: ConditionScope, from: Standpoint): Lost {
  const names = written.split(".");
  const name = names.at(-1) ?? "";
  const relation = scope.relations.get(name);
  if (relation?.kind === "has_many")
    return {
      message: `"${name}" has no column; the other model holds the key`,
      hint: `EXISTS (${written}) holds where there is a row, NOT EXISTS (${written}) where there is none`,
    };
  if (scope.collections.has(name) && relation === undefined)
    return { message: `"${name}" has no column; the other model holds the key`, hint: null };
  if (relation !== undefined)
    return { message: `"${name}" is a relation`, hint: ofRelation(written, relation) };
  if (startsAtItself(names, from) && names.length === 1)
    return { message: `"${name}" is the row itself`, hint: `name a field of it: ${name}.<field>` };
  const message = `model "${scope.model}" has no field "${name}"`;
  if (name === "deleted_at")
    return { message, hint: `the rows of "${scope.model}" are removed for good: leave it out` };
  const near = didYouMean(name, scope.columns.keys());
  if (names.length > 1) return { message, hint: near ?? foreignHint(written), unknownIn: scope };
  const hint = ofAnotherRow(names, from);
  return hint === null ? { message, hint: foreignHint(name) ?? near, unknownIn: scope } : { message, hint };
}

/** Its key, or a field behind it. */
function ofRelation(
  written: string,
  { kind, field }: { readonly kind: string; readonly field: string },
): string {
  if (kind !== "belongs_to") return `write ${written}.<field>`;
  const key = [...written.split(".").slice(0, -1), field].join(".");
  return `write ${key}, or ${written}.<field>`;
}

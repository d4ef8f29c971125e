import type { CatalogArrays } from "../../vocabulary/catalog.ts";
import { type Draft, fieldOf } from "./draft.ts";
import type { Remark } from "./remarks.ts";

/** What arrays that become lists hold, and no request can write. */
export function arrayRemarks(arrays: readonly CatalogArrays[], drafts: readonly Draft[]): Remark[] {
  return arrays.flatMap(({ table, column, nulls, nested }) => {
    const draft = drafts.find(({ source }) => source.name === table);
    const field = draft === undefined ? null : fieldOf(draft, column);
    if (field === null) return [];
    const what = `column ${column} (${field.source.type})`;
    const remark = (outcome: string, loud = true): Remark =>
      loud ? { table, what, outcome, loud } : { table, what, outcome };
    if (nulls === null || nested === null)
      return [
        remark("its rows could not be looked through: a list of a field holds neither NULL nor lists", false),
      ];
    return [
      ...(nulls ? [remark(`${holds("NULL")}: take them out, with array_remove for example`)] : []),
      ...(nested ? [remark(`${holds("lists")}: make each of them a plain list`)] : []),
    ];
  });
}

function holds(what: string): string {
  return `some of its lists hold ${what}, which the elements of a field never are. Requests cannot write such a list, and may fail on it`;
}

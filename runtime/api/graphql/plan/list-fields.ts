import { elementKindOf } from "../../../../vocabulary/fields/field-kinds.ts";
import { oncePer } from "../../../core/memo/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";

/** The fields of a model that hold lists: one value stands for a list of one there. */
export const listFields = oncePer((model: Model): ReadonlySet<string> => {
  const columns = [...columnsOf(model).values()];
  return new Set(columns.filter(({ kind }) => elementKindOf(kind) !== null).map(({ name }) => name));
});

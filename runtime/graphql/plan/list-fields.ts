import { elementKindOf } from "../../../vocabulary/field-kinds.ts";
import { columnsOf, type Model } from "../../model/index.ts";

const known = new WeakMap<Model, ReadonlySet<string>>();

/** The fields of a model that hold lists: one value stands for a list of one there. */
export function listFields(model: Model): ReadonlySet<string> {
  const found = known.get(model) ?? new Set(namesOf(model));
  known.set(model, found);
  return found;
}

function namesOf(model: Model): string[] {
  const columns = [...columnsOf(model).values()];
  return columns.filter(({ kind }) => elementKindOf(kind) !== null).map(({ name }) => name);
}

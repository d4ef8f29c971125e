import type { Condition } from "../../../../vocabulary/conditions/conditions.ts";
import type { Model } from "../../../models/index.ts";
import { fieldPathOf, fieldsOf, type Models, type Path, type Place, pathOf } from "./condition-rows.ts";

/** Whether a condition on a model leads to rows of the model itself: then it may rest on a row that the same statement writes. */
export function visitsItself(condition: Condition, model: Model, models: Models): boolean {
  const itself = { model };
  const visits = ({ hops }: Path) => hops.some(({ target }) => target.key === model.key);
  const look = (inner: Condition, place: Place): boolean => {
    switch (inner.op) {
      case "and":
      case "or":
        return inner.conditions.some((each) => look(each, place));
      case "not":
        return look(inner.condition, place);
      case "exists": {
        const path = pathOf(inner.path.split("."), place);
        const found = { ...place, at: { model: path.end }, depth: place.depth + 1 };
        return visits(path) || (inner.where !== null && look(inner.where, found));
      }
      default:
        return fieldsOf(inner).some((name) => visits(fieldPathOf(name, place).path));
    }
  };
  return look(condition, { models, itself, at: itself, depth: 0 });
}

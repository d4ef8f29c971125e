import type { Condition } from "../../../../vocabulary/conditions/conditions.ts";
import type { Model } from "../../../models/index.ts";
import {
  type ConditionRows,
  fieldPathOf,
  fieldsOf,
  type Hop,
  type Models,
  type Path,
  type Place,
  type Polarity,
  pathOf,
  underNot,
  within,
} from "./condition-rows.ts";
import { isUnsure } from "./out-of-sight.ts";

/**
 * The `belongs_to` relations of the row whose rule it is by which a condition may hold because they lead to no row: a key that a
 * request gives must lead to one that the statement sees.
 */
export function givenKeys(condition: Condition, model: Model, models: Models): Hop[] {
  const found = new Map<string, Hop>();
  const itself = { model };
  collect(condition, { models, itself, at: itself, depth: 0, polarity: "positive" }, found);
  return [...found.values()];
}

type Around = Place & Pick<ConditionRows, "polarity">;

function collect(condition: Condition, around: Around, found: Map<string, Hop>): void {
  switch (condition.op) {
    case "and":
    case "or":
      for (const inner of condition.conditions) collect(inner, around, found);
      return;
    case "not":
      collect(condition.condition, { ...around, polarity: underNot(around.polarity) }, found);
      return;
    case "exists": {
      const path = pathOf(condition.path.split("."), around);
      if (around.polarity !== "positive") note(path, around, found);
      if (condition.where === null) return;
      const polarity: Polarity = within(around.polarity);
      const inside = { ...around, at: { model: path.end }, depth: around.depth + 1, polarity };
      collect(condition.where, inside, found);
      return;
    }
    default:
      for (const name of fieldsOf(condition)) {
        const { path } = fieldPathOf(name, around);
        if (isUnsure(path, condition, around)) note(path, around, found);
      }
  }
}

function note({ fromItself, hops: [first] }: Path, { depth }: Around, found: Map<string, Hop>): void {
  const begins = fromItself || depth === 0;
  if (begins && first?.relation.kind === "belongs_to") found.set(first.relation.field, first);
}

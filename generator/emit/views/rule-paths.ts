import { startsAtRuleRow, type Condition, isOtherField } from "../../../vocabulary/conditions/conditions.ts";
import type { ModelDefinition, RelationDefinition, RuleDefinition } from "../../definition/definition.ts";

type Models = ReadonlyMap<string, ModelDefinition>;

/**
 * The ways over relations that the rules of a model go, sorted, each with where it leads: `path author: books.author_id > authors.id
 * (live)`. What is within EXISTS begins where the EXISTS leads. The line shows what a condition meant, no matter what becomes of
 * the relations: `>` is a `belongs_to`, `<` a `has_many` or, with `first`, a `has_one`; of a model with soft delete only live rows count.
 */
export function pathLines(model: ModelDefinition, models: Models): string[] {
  const paths = new Set<string>();
  for (const { condition } of rulesOf(model)) if (condition !== null) collect(condition, [], 0, paths);
  return [...paths].sort().map((path) => `path ${path}: ${hopsOf(path, model, models).join(", ")}`);
}

function rulesOf({ access: { operations, upsert } }: ModelDefinition): RuleDefinition[] {
  return [...Object.values(operations), upsert.insert, upsert.update].flat();
}

/** `outer` leads from the row whose rule it is to the row at hand. */
function collect(condition: Condition, outer: readonly string[], depth: number, paths: Set<string>): void {
  const follow = (names: readonly string[]) => {
    const fromItself = startsAtRuleRow(names, depth);
    const way = fromItself ? names.slice(1) : [...outer, ...names];
    if (names.length > (fromItself ? 1 : 0)) paths.add(way.join("."));
    return way;
  };
  const field = (name: string) => follow(name.split(".").slice(0, -1));
  switch (condition.op) {
    case "and":
    case "or":
      for (const part of condition.conditions) collect(part, outer, depth, paths);
      return;
    case "not":
      collect(condition.condition, outer, depth, paths);
      return;
    case "exists": {
      const way = follow(condition.path.split("."));
      if (condition.where !== null) collect(condition.where, way, depth + 1, paths);
      return;
    }
    default: {
      if (typeof condition.field === "string") field(condition.field);
      const other = "value" in condition && isOtherField(condition.value) ? condition.value.field : null;
      if (other !== null) field(other);
    }
  }
}

function hopsOf(path: string, from: ModelDefinition, models: Models): string[] {
  let model = from;
  return path.split(".").map((name) => {
    const relation = model.relations.find((each) => each.name === name);
    const target = models.get(relation?.model ?? "");
    if (relation === undefined || target === undefined)
      throw new Error(`${model.key} has no relation ${name}`);
    const text = hopText(model, relation, target);
    model = target;
    return text;
  });
}

function hopText(
  { key }: ModelDefinition,
  { kind, field, references }: RelationDefinition,
  target: ModelDefinition,
): string {
  const flags = [...(kind === "has_one" ? ["first"] : []), ...(target.softDelete ? ["live"] : [])];
  const sign = kind === "belongs_to" ? ">" : "<";
  const hop = `${key}.${field} ${sign} ${target.key}.${references}`;
  return flags.length === 0 ? hop : `${hop} (${flags.join(", ")})`;
}

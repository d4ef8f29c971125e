import { type Condition, isOtherField, startsAtRuleRow } from "../../../vocabulary/conditions/conditions.ts";
import type { ModelDefinition } from "../../definition/definition.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";
import type { PathHop } from "./path-hops.ts";

/** The relation paths of conditions on a model, sorted. A path within EXISTS starts at the end of the path of that EXISTS. */
export function rulePaths(conditions: readonly Condition[]): string[] {
  const paths = new Set<string>();
  for (const condition of conditions) collect(condition, [], 0, paths);
  return [...paths].sort();
}

/** `outer` is the path from the row with the rule to the current row. */
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

/** Where a path from a model leads. */
export function relationHops(
  path: string,
  from: ModelDefinition,
  models: ReadonlyMap<string, ModelDefinition>,
): PathHop[] {
  let model = from;
  return path.split(".").map((name) => {
    const relation = model.relations.find((each) => each.name === name);
    const target = models.get(relation?.model ?? "");
    if (relation === undefined || target === undefined)
      throw new GeneratorBug(`${model.key} has no relation ${name}`);
    const { kind, field, references } = relation;
    const hop = {
      from: { model: model.key, column: field },
      sign: kind === "belongs_to" ? ">" : "<",
      to: { model: target.key, column: references },
      first: kind === "has_one",
      live: target.softDelete,
    };
    model = target;
    return hop;
  });
}

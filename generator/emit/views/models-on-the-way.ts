import { type Operand, rowItself } from "../../../vocabulary/conditions/conditions.ts";
import type { ModelDefinition } from "../../definition/definition.ts";
import type { WrittenCondition } from "../../definition/written-condition.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";

type Models = ReadonlyMap<string, ModelDefinition>;

/** The models on the paths of conditions by key, without the model that they are about. */
export function modelsOnTheWay(
  model: ModelDefinition,
  conditions: readonly WrittenCondition[],
  models: readonly ModelDefinition[],
): ModelDefinition[] {
  const known = new Map(models.map((each) => [each.key, each]));
  const keys = new Set(conditions.flatMap((each) => onTheWay(each, { model, row: null, known })));
  keys.delete(model.key);
  return [...keys].sort().map((key) => modelOf(key, { known }));
}

interface Scope {
  /** The model that plain names refer to. */
  readonly model: ModelDefinition;
  /** The model with the rule, for `this` within EXISTS; null outside. */
  readonly row: ModelDefinition | null;
  readonly known: Models;
}

/** Keys of the models that a condition goes over. */
function onTheWay(condition: WrittenCondition, scope: Scope): string[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((each) => onTheWay(each, scope));
    case "not":
      return onTheWay(condition.condition, scope);
    case "call":
      return condition.path === "" ? [] : alongRelations(condition.path.split("."), scope);
    case "exists": {
      const keys = alongRelations(condition.path.split("."), scope);
      const within = { ...scope, model: modelOf(keys.at(-1), scope), row: scope.row ?? scope.model };
      return condition.where === null ? keys : [...keys, ...onTheWay(condition.where, within)];
    }
    default:
      return [
        ...(typeof condition.field === "string" ? alongPath(condition.field, scope) : ["users"]),
        ...operandsOf(condition).flatMap((operand) => alongOperand(operand, scope)),
      ];
  }
}

function operandsOf(
  condition: Exclude<WrittenCondition, { op: "and" | "or" | "not" | "exists" | "call" }>,
): readonly Operand[] {
  if ("value" in condition) return [condition.value];
  if ("values" in condition) return condition.values;
  return "from" in condition ? [condition.from, condition.to] : [];
}

function alongOperand(operand: Operand, scope: Scope): string[] {
  if (typeof operand !== "object") return [];
  if ("field" in operand) return alongPath(operand.field, scope);
  return "user" in operand ? ["users"] : [];
}

/** A path ends in a field. */
function alongPath(path: string, scope: Scope): string[] {
  return alongRelations(path.split(".").slice(0, -1), scope);
}

function alongRelations(names: readonly string[], scope: Scope): string[] {
  const [first, ...rest] = names;
  if (first === rowItself && scope.row !== null) return alongRelations(rest, { ...scope, model: scope.row });
  if (first === undefined) return [scope.model.key];
  const relation = scope.model.relations.find(({ name }) => name === first);
  const model = modelOf(relation?.model, scope);
  return [model.key, ...alongRelations(rest, { ...scope, model })];
}

function modelOf(key: string | undefined, { known }: Pick<Scope, "known">): ModelDefinition {
  const model = key === undefined ? undefined : known.get(key);
  if (model === undefined)
    throw new GeneratorBug(`a condition goes over a relation that is not there: ${key}`);
  return model;
}

import { type Condition, type Operand, rowItself } from "../../../vocabulary/conditions/conditions.ts";
import type { ModelDefinition } from "../../definition/definition.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";
import { type Import, importFromKirak } from "../file.ts";
import { propertyName } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { builderNames } from "./condition-view.ts";
import { extendsUsers } from "./users-extension.ts";

/** The models that rules go over, as the types of a policy name them. */
export interface RelationPathView {
  readonly imports: readonly Import[];
  /** Properties of a type, such as `orders: typeof orders`. */
  readonly models: readonly string[];
}

type Models = ReadonlyMap<string, ModelDefinition>;

/** Names in `policy.ts` that no import of a model may have. */
const taken = [...builderNames, "defineLimits", "definePolicy", "limits", "model", "policy"];

/** The view of the models on the way of conditions, without the one whose rules they are. */
export function relationPathView(
  model: ModelDefinition,
  conditions: readonly Condition[],
  models: readonly ModelDefinition[],
): RelationPathView {
  const known = new Map(models.map((each) => [each.key, each]));
  const keys = new Set(conditions.flatMap((each) => onTheWay(each, { model, row: null, known })));
  keys.delete(model.key);
  const nameOf = identifiers(taken, "model");
  const entries = [...keys]
    .sort()
    .map((key) => ({ model: modelOf(key, { known }), name: nameOf(camelCase(key)) }));
  return {
    imports: entries.map(({ model: each, name }) => importOf(each, name)),
    models: entries.map(({ model: { key }, name }) => `${propertyName(key)}: typeof ${name}`),
  };
}

function importOf(model: ModelDefinition, name: string): Import {
  const [from, exported] =
    model.builtIn && !extendsUsers(model)
      ? [importFromKirak("users"), "builtInUsers"]
      : [`../${model.key}/model.ts`, "model"];
  return { from, names: [exported === name ? name : `${exported} as ${name}`], typeOnly: true };
}

interface Scope {
  /** The model whose names a condition uses. */
  readonly model: ModelDefinition;
  /** The model whose rule it is, as EXISTS knows it. */
  readonly row: ModelDefinition | null;
  readonly known: Models;
}

/** Keys of the models that a condition goes over. */
function onTheWay(condition: Condition, scope: Scope): string[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((each) => onTheWay(each, scope));
    case "not":
      return onTheWay(condition.condition, scope);
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
  condition: Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>,
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

import type { ConditionDefinition, ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import type { WrittenCondition } from "../../definition/written-condition.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";
import { type Import, importFromKirak } from "../file.ts";
import { docComment, propertyName } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { conditionCode, constantOf, helperNames } from "./condition-view.ts";
import { modelsOnTheWay } from "./models-on-the-way.ts";
import { importOf } from "./policy-view.ts";

/** The view of `templates/conditions.hbs`. */
export interface ConditionsView {
  readonly imports: readonly Import[];
  readonly conditions: readonly ConditionView[];
}

interface ConditionView {
  readonly name: string;
  readonly doc: string | null;
  /** The types that check its names. */
  readonly types: string;
  readonly code: string;
}

/** The view of `conditions.ts`: a constant for each named condition, after those that it calls. */
export function conditionsView({ conditions, models }: ServiceDefinition): ConditionsView {
  const imports = { builders: new Set<string>(), conditions: new Set<string>() };
  const nameOf = identifiers([...helperNames, ...conditions.map(({ name }) => constantOf(name))], "model");
  const used = new Map<string, { readonly model: ModelDefinition; readonly name: string }>();
  const typeOf = (model: ModelDefinition) => {
    const known = used.get(model.key) ?? { model, name: nameOf(camelCase(model.key)) };
    used.set(model.key, known);
    return `typeof ${known.name}`;
  };
  const views = inOrder(conditions).map(({ name, on, description, written }) => {
    const model = models.find(({ key }) => key === on);
    if (model === undefined) throw new GeneratorBug(`a condition is on a model that is not there: ${on}`);
    const way = modelsOnTheWay(model, [written], models).map(
      (each) => `${propertyName(each.key)}: ${typeOf(each)}`,
    );
    const types = way.length === 0 ? typeOf(model) : `${typeOf(model)}, { ${way.join("; ")} }`;
    const doc = docComment(description);
    return { name: constantOf(name), doc, types, code: conditionCode(written, imports) };
  });
  const ofModels = [...used.values()].sort((a, b) => (a.model.key < b.model.key ? -1 : 1));
  return {
    imports: [
      { from: importFromKirak("access"), names: [...imports.builders, "defineCondition"].sort() },
      ...ofModels.map(({ model, name }) => importOf(model, name, "./models")),
    ],
    conditions: views,
  };
}

export function hasConditions({ conditions }: ServiceDefinition): boolean {
  return conditions.length > 0;
}

/** By name, but each after those that it calls. */
function inOrder(conditions: readonly ConditionDefinition[]): ConditionDefinition[] {
  const sorted = [...conditions].sort((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(sorted.map((each) => [each.name, each]));
  const ordered = new Set<ConditionDefinition>();
  const add = (condition: ConditionDefinition) => {
    for (const name of calledNames(condition.written)) {
      const called = byName.get(name);
      if (called !== undefined && !ordered.has(called)) add(called);
    }
    ordered.add(condition);
  };
  for (const each of sorted) add(each);
  return [...ordered];
}

function calledNames(condition: WrittenCondition): string[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap(calledNames);
    case "not":
      return calledNames(condition.condition);
    case "exists":
      return condition.where === null ? [] : calledNames(condition.where);
    case "call":
      return [condition.name];
    default:
      return [];
  }
}

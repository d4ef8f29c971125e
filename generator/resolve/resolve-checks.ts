import { columnsOfCondition } from "../../vocabulary/check-tree.ts";
import { type ConditionScope, compileCheck } from "../conditions/index.ts";
import type { CheckDefinition } from "../definition/definition.ts";
import { checkNames } from "../definition/names.ts";
import type { ModelNode } from "./model-graph.ts";
import { tableOf } from "./resolve-field.ts";

/** Settles the checks of a model. They have passed the checks of the generator. */
export function resolveChecks(node: ModelNode, scope: ConditionScope): CheckDefinition[] {
  const { checks } = node.raw;
  const constraints = checkNames(
    tableOf(node),
    checks.map(({ name }) => name.value),
  );
  return checks.map(({ name, condition, message, field }, index) => {
    const compiled = compileCheck(condition.value, scope).condition;
    const [first] = compiled === null ? [] : columnsOfCondition(compiled);
    if (compiled === null || first === undefined)
      throw new Error(`condition ${condition.value} does not compile, yet passed the checks`);
    return {
      name: name.value,
      constraint: constraints[index] ?? name.value,
      condition: compiled,
      text: condition.value,
      field: field?.value ?? first,
      message: message.value,
    };
  });
}

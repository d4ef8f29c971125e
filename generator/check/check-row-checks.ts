import { didYouMean } from "../../vocabulary/nearest.ts";
import { compileCheck, placeInString } from "../conditions/index.ts";
import type { RawCheck } from "../load/raw.ts";
import { hasColumn, type ModelNode } from "../resolve/model-graph.ts";
import { conditionScope } from "../resolve/scope-of-model.ts";
import type { CheckContext } from "./check-context.ts";

/** The list `checks` of models: names, conditions and the fields that answers name (decisions, part 4). */
export function checkRowChecks(context: CheckContext): void {
  for (const node of context.graph.values()) {
    const seen = new Set<string>();
    for (const check of node.raw.checks) {
      const { value: name, at } = check.name;
      if (seen.has(name)) {
        const message = `model "${node.raw.key}" has two checks called "${name}"`;
        context.report(
          "duplicate-check",
          at,
          message,
          "answers tell checks by their names: give one another",
        );
      }
      seen.add(name);
      checkOne(check, node, context);
    }
  }
}

function checkOne({ condition, field }: RawCheck, node: ModelNode, context: CheckContext): void {
  const { graph, sources, report } = context;
  const { problems } = compileCheck(condition.value, conditionScope(graph, node));
  for (const { code, at, message, hint } of problems)
    report(code, placeInString(sources.get(condition.at.file) ?? "", condition.at, at), message, hint);
  const named = field === null ? undefined : node.fields.get(field.value);
  if (field === null || (named !== undefined && hasColumn(named))) return;
  const known = [...node.fields.values()].filter(hasColumn).map(({ name }) => name);
  const message = `the check names "${field.value}", which is no field of model "${node.raw.key}"`;
  report("unknown-check-field", field.at, message, didYouMean(field.value, known));
}

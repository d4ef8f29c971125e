import { compileCondition, placeInString } from "../conditions/index.ts";
import { conditionScope } from "../resolve/scope-of-model.ts";
import type { CheckContext } from "./check-context.ts";

/** Row conditions, each problem at its place inside the JSON string, and rules that say the same (decisions, part 4). */
export function checkConditions({ graph, sources, report }: CheckContext): void {
  for (const node of graph.values()) {
    const scope = conditionScope(graph, node);
    for (const [operation, { rules }] of node.raw.access.operations) {
      const seen = new Set<string>();
      for (const [index, { role, condition }] of rules.entries()) {
        const compiled = condition === null ? null : compileCondition(condition.value, scope);
        // The rules of a list of roles share one condition.
        const isReported = condition !== null && rules[index - 1]?.condition === condition;
        for (const { code, at, message, hint } of isReported ? [] : (compiled?.problems ?? [])) {
          const literal = condition?.at ?? role.at;
          report(code, placeInString(sources.get(literal.file) ?? "", literal, at), message, hint);
        }
        const content = JSON.stringify([role.value, compiled]);
        if (compiled?.condition !== null && seen.has(content)) {
          const message = `the rule for ${JSON.stringify(role.value)} stands twice in "${operation}" of model "${node.raw.key}"`;
          report("duplicate-rule", role.at, message, "remove one of them");
        }
        seen.add(content);
      }
    }
  }
}

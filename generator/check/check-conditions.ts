import { didYouMean } from "../../vocabulary/nearest.ts";
import {
  compileCheck,
  compileCondition,
  compileDefinition,
  conditionWords,
  rangeInString,
} from "../conditions/index.ts";
import type { RawCheck } from "../load/raw.ts";
import { hasColumn, type ModelNode } from "../resolve/model-graph.ts";
import { conditionScope, namedConditions } from "../resolve/scope-of-model.ts";
import type { CheckContext } from "./check-context.ts";

const conditionName = /^[a-z][a-z0-9_]{0,40}$/;

/** Checks the named conditions: names, models and conditions. */
export function checkNamedConditions({ graph, sources, report }: CheckContext): void {
  for (const [name, { at, on, condition }] of graph.conditions) {
    if (!conditionName.test(name)) {
      const hint = "write lowercase letters, digits and underscores, at most 41, with a letter first";
      report("invalid-name", at, `"${name}" is not a name for a condition`, hint);
    } else if (conditionWords.has(name)) {
      report("invalid-name", at, `"${name}" is a word of the condition language`, "choose another name");
    }
    const named = namedConditions(graph).get(name);
    if (named === undefined || named.on === null) {
      const message = `condition "${name}" is on "${on.value}", which is not a model`;
      report("unknown-model", on.at, message, didYouMean(on.value, graph.keys()));
      continue;
    }
    const { problems } = compileDefinition(named);
    for (const { code, at: range, message, hint } of problems)
      report(code, rangeInString(sources.get(condition.at.file) ?? "", condition.at, range), message, hint);
  }
}

/** Checks row conditions, with positions inside the JSON string, and finds duplicate rules. */
export function checkRuleConditions({ graph, sources, report }: CheckContext): void {
  for (const node of graph.values()) {
    const scope = conditionScope(graph, node);
    for (const [operation, { rules }] of node.raw.access.operations) {
      const seen = new Set<string>();
      for (const [index, { role, condition, fields }] of rules.entries()) {
        const compiled = condition === null ? null : compileCondition(condition.value, scope);
        // The rules of a list of roles share one condition.
        const isReported = condition !== null && rules[index - 1]?.condition === condition;
        for (const { code, at, message, hint } of isReported ? [] : (compiled?.problems ?? [])) {
          const literal = condition?.at ?? role.at;
          report(code, rangeInString(sources.get(literal.file) ?? "", literal, at), message, hint);
        }
        const names = fields?.names.map(({ value }) => value).sort();
        const content = JSON.stringify([role.value, compiled, names]);
        if (compiled?.condition !== null && seen.has(content)) {
          const message = `the rule for ${JSON.stringify(role.value)} appears twice in "${operation}" of model "${node.raw.key}"`;
          report("duplicate-rule", role.at, message, "remove one of them");
        }
        seen.add(content);
      }
    }
  }
}

/** Checks the list `checks` of models: names, conditions and the fields that error answers name. */
export function checkRowChecks(context: CheckContext): void {
  for (const node of context.graph.values()) {
    const seen = new Set<string>();
    for (const check of node.raw.checks) {
      const { value: name, at } = check.name;
      if (seen.has(name)) {
        const message = `model "${node.raw.key}" has two checks named "${name}"`;
        context.report(
          "duplicate-check",
          at,
          message,
          "error answers identify a check by its name: rename one of them",
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
    report(code, rangeInString(sources.get(condition.at.file) ?? "", condition.at, at), message, hint);
  const named = field === null ? undefined : node.fields.get(field.value);
  if (field === null || (named !== undefined && hasColumn(named))) return;
  const known = [...node.fields.values()].filter(hasColumn).map(({ name }) => name);
  const message = `the check names "${field.value}", which is not a field of model "${node.raw.key}"`;
  report("unknown-check-field", field.at, message, didYouMean(field.value, known));
}

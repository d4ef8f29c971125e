import {
  type ConditionExpression,
  callsIn,
  type NamedCondition,
  namesOf,
  parseCondition,
  rangeInString,
  type ScopeModel,
  type TextRange,
  usesItself,
} from "../conditions/index.ts";
import type { Located } from "../load/read.ts";
import type { ModelGraph } from "../resolve/model-graph.ts";
import { conditionScope, namedConditions } from "../resolve/scope-of-model.ts";
import type { LintContext } from "./lint-context.ts";

/** Finds named conditions that no rule calls, itself or by another definition. */
export function lintUnusedConditions({ graph, report }: LintContext): void {
  const named = namedConditions(graph);
  const used = new Set<string>();
  const use = (name: string) => {
    if (used.has(name)) return;
    used.add(name);
    for (const called of callsIn(named.get(name)?.expression ?? noCalls)) use(called);
  };
  for (const { expression } of writtenRules(graph)) for (const name of callsIn(expression)) use(name);
  for (const [name, { at, on }] of graph.conditions) {
    if (used.has(name)) continue;
    const message = `no rule uses the condition "${name}"`;
    const model = graph.get(on.value)?.raw.at;
    report("unused-condition", at, message, "remove it, or call it", model === undefined ? [] : [model]);
  }
}

const noCalls: ConditionExpression = { kind: "and", items: [] };

/** A rule with its condition as written. The rules of a list of roles are one. */
interface WrittenRule {
  readonly place: string;
  readonly text: Located<string>;
  readonly scope: ScopeModel;
  readonly expression: ConditionExpression;
}

function writtenRules(graph: ModelGraph): WrittenRule[] {
  return [...graph.values()].flatMap((node) => {
    const scope = conditionScope(graph, node);
    return [...node.raw.access.operations].flatMap(([operation, { rules }]) => {
      const texts = new Set(rules.flatMap(({ condition }) => condition ?? []));
      return [...texts].flatMap((text) => {
        const parsed = parseCondition(text.value, namesOf(scope));
        if ("problem" in parsed) return [];
        return [{ place: `${node.raw.key}.${operation}`, text, scope, expression: parsed.expression }];
      });
    });
  });
}

/** The number of rules with the same condition from which a name pays off. */
const manyRules = 3;

/** Proposes a name for an EXISTS that several rules repeat, each behind its own path. */
export function lintRepeatedConditions({ graph, sources, report }: LintContext): void {
  const repeated = new Map<string, (WrittenRule & Part)[]>();
  for (const rule of writtenRules(graph)) {
    const seen = new Set<string>();
    for (const part of partsOf(rule.expression, rule.scope)) {
      if (seen.has(part.meaning)) continue;
      seen.add(part.meaning);
      repeated.set(part.meaning, [...(repeated.get(part.meaning) ?? []), { ...rule, ...part }]);
    }
  }
  const known = new Map([...namedConditions(graph)].map(([name, each]) => [meaningOfNamed(each), name]));
  for (const [meaning, rules] of repeated) {
    const [first] = rules;
    if (first === undefined || rules.length < manyRules) continue;
    const { at, text, on, behind, rows } = first;
    const places = [...new Set(rules.map(({ place }) => place))];
    const more = places.length > 2 ? ` and ${places.length - 2} more` : "";
    const message = `${rules.length} rules have the same EXISTS over "${rows}" of "${on}", in ${places.slice(0, 2).join(", ")}${more}`;
    const name = known.get(meaning);
    const hint =
      name === undefined
        ? `define it once in "$conditions", with "on": "${on}", and write name(${behind})`
        : `write ${name}(${behind})`;
    const span = rangeInString(sources.get(text.at.file) ?? "", text.at, at);
    report("repeated-condition", span, message, hint);
  }
}

type Exists = Extract<ConditionExpression, { kind: "exists" }>;

/** An EXISTS of a rule, as a condition on the row at the end of a path. */
interface Part {
  readonly at: TextRange;
  readonly on: string;
  /** The path to that row. */
  readonly behind: string;
  /** The path from there. */
  readonly rows: string;
  /** Equal texts mean the same condition. */
  readonly meaning: string;
}

function partsOf(expression: ConditionExpression, scope: ScopeModel): Part[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => partsOf(item, scope));
    case "not":
      return partsOf(expression.item, scope);
    case "exists":
      return expression.where === null ? [] : [partOf(expression, scope)];
    default:
      return [];
  }
}

/** Moves the condition as far along its path as the relations lead to one row. */
function partOf(expression: Exists, scope: ScopeModel): Part {
  const names = expression.path.split(".");
  let at = scope;
  let moved = 0;
  // With `this`, the condition is about the row of the rule.
  for (const name of usesItself(expression) ? [] : names.slice(0, -1)) {
    const relation = at.relations.get(name);
    if (relation === undefined || relation.kind === "has_many") break;
    at = relation.target;
    moved++;
  }
  const rows = names.slice(moved).join(".");
  const meaning = meaningOf({ ...expression, path: rows }, at);
  return { at: expression.at, on: at.model, behind: names.slice(0, moved).join("."), rows, meaning };
}

function meaningOfNamed({ on, expression }: NamedCondition): string | null {
  return on === null || expression === null ? null : meaningOf(expression, on);
}

/** Positions do not count. */
function meaningOf(expression: ConditionExpression, { model }: ScopeModel): string {
  return JSON.stringify([model, expression], (key, value: unknown) => (key === "at" ? undefined : value));
}

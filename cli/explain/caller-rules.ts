import type { RuleDefinition } from "#generator/definition/definition";
import type { WrittenCondition } from "#generator/definition/written-condition";
import { createLocator } from "#generator/diagnostics/index";
import { anyOf, conditionText } from "#generator/emit/views/condition-view";
import { ruleSpan } from "#generator/resolve/resolve-access";
import { isFor, type Principal } from "#runtime/models/access/index";
import type { ExplainedRule, ExplainedRules } from "./explanation.ts";
import type { Subject } from "./subject.ts";

/** A rule for the caller, and its condition. */
export interface CallerRule {
  readonly shown: ExplainedRule;
  readonly written: WrittenCondition | null;
}

/** The rules for a caller, by the rows that they are about. */
export interface RuleSet {
  readonly about: ExplainedRules["about"];
  readonly rules: readonly CallerRule[];
}

/** The rules of an operation for a caller. `sent`: the fields of the record; null without one. */
export function callerRules(
  subject: Subject,
  principal: Principal,
  sent: readonly string[] | null,
): readonly RuleSet[] {
  const { definition, operation, app } = subject;
  const locate = createLocator(app.sources);
  const { upsert, operations } = definition.access;
  const of = (about: RuleSet["about"], rules: readonly RuleDefinition[]): RuleSet => ({
    about,
    rules: rules
      .filter(({ role }) => isFor(role, principal))
      .map((rule) => {
        const { role, text, fields, written } = rule;
        const span = ruleSpan(rule);
        const { file, line } = span === null ? { file: definition.source, line: 0 } : locate(span);
        const counts = fields === null || sent === null || sent.every((name) => fields.includes(name));
        return { shown: { file, line, role, condition: text, fields, counts }, written };
      }),
  });
  if (operation !== "upsert") return [of("rows", operations[operation])];
  return [of("new rows", upsert.insert), of("existing rows", upsert.update)];
}

/** The rules as they are printed. */
export function explainedRules({ about, rules }: RuleSet): ExplainedRules {
  const counting = rules.filter(({ shown }) => shown.counts).map(({ written }) => written);
  const conditions = counting.filter((written) => written !== null);
  const whole = anyOf(conditions);
  const isAll = conditions.length < counting.length;
  const combined = isAll ? "all rows" : whole === null ? "no rows" : conditionText(whole);
  return { about, rules: rules.map(({ shown }) => shown), combined };
}

/** The roles that have a rule for the operation. */
export function admittedRoles({ definition: { access }, operation }: Subject): readonly string[] {
  const rules =
    operation === "upsert"
      ? [...access.upsert.insert, ...access.upsert.update]
      : access.operations[operation];
  return [...new Set(rules.map(({ role }) => role))];
}

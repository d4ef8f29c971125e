import { type Expression, namesOf, parseCondition } from "../conditions/index.ts";
import type { LintedModel, LintedRule } from "./lint-context.ts";

/** The condition of a rule as it is written; null where there is none. */
export function expressionOf({ text }: LintedRule, scope: LintedModel["scope"]): Expression | null {
  const parsed = text === null ? null : parseCondition(text.value, namesOf(scope));
  return parsed === null || "problem" in parsed ? null : parsed.expression;
}

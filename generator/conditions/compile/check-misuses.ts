import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { ConditionProblem, Place } from "../hints/condition-problem.ts";
import { type Expression, type Term, termsOf } from "../language/condition-tree.ts";
import { termText } from "../language/expression-text.ts";
import type { ConditionScope } from "./condition-scope.ts";

/** What a rule may ask for and a check may not, with what to write instead. */
export function misusesInCheck(expression: Expression, scope: ConditionScope): ConditionProblem[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => misusesInCheck(item, scope));
    case "not":
      return misusesInCheck(expression.item, scope);
    case "exists":
      return [misuse(expression.at, "EXISTS looks for other rows, and a check sees its own alone", inRules)];
    default:
      return termsOf(expression).flatMap((term) => ofTerm(term, scope) ?? []);
  }
}

const inRules = 'what depends on other rows stands in the rules of "access", or in a before-hook';

function ofTerm(term: Term, scope: ConditionScope): ConditionProblem | null {
  switch (term.kind) {
    case "value":
      return null;
    case "field":
      return ofName(term.name, term.at, scope);
    case "user":
      return ofCaller(term);
    case "placeholder":
      return term.name === "now" ? ofTime(term) : ofCaller(term);
  }
}

function ofCaller(term: Term): ConditionProblem {
  const message = `${termText(term)} is of the caller, and a check holds for a row whoever writes it`;
  return misuse(term.at, message, 'what depends on the caller stands in the rules of "access"');
}

function ofTime(term: Term): ConditionProblem {
  const message = `${termText(term)} is another time tomorrow, and a row that passed would break the check then`;
  return misuse(
    term.at,
    message,
    "compare with a field; a before-hook may compare with the time of the write",
  );
}

function ofName(name: string, at: Place, scope: ConditionScope): ConditionProblem | null {
  if (name.includes("."))
    return misuse(at, `"${name}" is a field of another row, and a check sees its own alone`, inRules);
  if (isRuntimeColumn(name)) {
    const message = `"${name}" is set by the server, and a check is over fields that are written`;
    return misuse(at, message, "compare with a field of the model");
  }
  const relation = scope.relations.get(name);
  if (scope.columns.has(name) || (relation === undefined && !scope.collections.has(name))) return null;
  const hint = relation?.kind === "belongs_to" ? `write ${relation.field}` : inRules;
  return misuse(at, `"${name}" is a relation, and a check sees its own row alone`, hint);
}

function misuse(at: Place, message: string, hint: string): ConditionProblem {
  return { code: "condition-in-check", at, message, hint };
}

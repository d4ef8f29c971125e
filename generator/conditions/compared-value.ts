import type { Value } from "../../vocabulary/conditions.ts";
import { meantMember, meantText } from "./bare-words.ts";
import { callerColumn, type Found, type UserTerm } from "./compared-column.ts";
import type { Comparing } from "./comparing.ts";
import type { Term } from "./condition-tree.ts";
import {
  type ColumnOperator,
  familyProblem,
  operandProblem,
  operatorProblem,
  patternProblem,
} from "./fit.ts";
import { foreignHint } from "./foreign-names.ts";
import { listHint } from "./list-hint.ts";

/** Whether an operator fits a column. */
export function fits(op: ColumnOperator, found: Found, comparing: Comparing): boolean {
  const message = operatorProblem(op, found.called, found.column);
  if (message !== null) {
    const hint = listHint(found, comparing.expression);
    comparing.note({ code: "condition-operator", at: comparing.operator, message, hint });
  }
  return message === null && found.column.kind !== null;
}

/** The value that a column is compared with; null where it does not fit. */
export function operand(term: Term, found: Found, comparing: Comparing, pattern = false): Value | null {
  if (term.kind === "user") return callerOperand(term, found, comparing);
  if (term.kind === "field") {
    const message = `"${term.name}" stands where a value is expected: two fields are compared by = != < <= > >=`;
    comparing.note({
      code: "condition-field",
      at: term.at,
      message,
      hint: wordHint(term.name, found, comparing),
    });
    return null;
  }
  if (term.kind === "placeholder" && term.offset !== undefined) comparing.size.useNewForm();
  const checked = pattern ? patternProblem(term, found) : operandProblem(term, found);
  if ("operand" in checked) return checked.operand;
  comparing.note({ code: "condition-value", at: term.at, ...checked });
  return null;
}

/** What a word was meant to be that is no value. */
function wordHint(name: string, { column }: Found, { at }: Comparing): string | null {
  if (name.includes(".") || at.columns.has(name)) return null;
  return meantMember(name, column) ?? foreignHint(name) ?? meantText(name, column);
}

function callerOperand(term: UserTerm, left: Found, comparing: Comparing): Value | null {
  const right = callerColumn(term, comparing);
  const message = right === null ? null : familyProblem(left, right);
  if (message !== null) comparing.note({ code: "condition-value", at: term.at, message, hint: null });
  return message !== null || right === null || typeof right.subject === "string" ? null : right.subject;
}

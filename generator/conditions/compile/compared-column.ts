import type { PlaceholderName, Subject } from "../../../vocabulary/conditions/conditions.ts";
import { nearest } from "../../../vocabulary/nearest.ts";
import type { TextRange } from "../hints/condition-problem.ts";
import type { ComparisonExpression, Term } from "../language/condition-tree.ts";
import { findColumn } from "./condition-columns.ts";
import type { ComparisonContext } from "./condition-compiler.ts";
import type { ConditionColumn, ScopeModel } from "./condition-scope.ts";
import { existsSuggestion } from "./exists-hint.ts";
import { enumValueHint, type NamedColumn, textValueHint } from "./type-check.ts";

/** The maximum number of fields in a message. */
const mostNamed = 8;

/**
 * Fields that refer to accounts, as suggestions for an unknown field that is compared with the caller's id. Null
 * without such fields, or if the name looks like a typo.
 */
function accountFields(written: string, scope: ScopeModel, expression: ComparisonExpression): string | null {
  if (!namesCaller(expression)) return null;
  const names = written.split(".");
  const last = names.pop() ?? "";
  const fields = [...scope.relations.values()]
    .filter(({ kind, target }) => kind === "belongs_to" && target.model === "users")
    .map(({ field }) => field);
  const own = [...new Set(fields)];
  const mistyped = nearest(last, scope.columns.keys());
  if (own.length === 0 || own.length > mostNamed || (mistyped !== null && own.includes(mistyped)))
    return null;
  const paths = own.map((field) => [...names, field].join("."));
  return `write ${paths.join(" or ")}, which ${paths.length === 1 ? "refers" : "refer"} to users`;
}

function namesCaller(expression: ComparisonExpression): boolean {
  if (expression.kind === "compare") return [expression.left, expression.right].some(isCaller);
  return expression.kind === "in" && expression.values.some(isCaller);
}

function isCaller(term: Term): boolean {
  return term.kind === "placeholder" && term.name === "user_id";
}

/** A field or path in the source text. */
export type FieldTerm = Extract<Term, { kind: "field" }>;
/** A column of the caller in the source text. */
export type UserTerm = Extract<Term, { kind: "user" }>;

/** A resolved field, or a column of the caller. */
export interface FoundSubject extends NamedColumn {
  /** The field with the join names of relations. */
  readonly subject: Subject;
  readonly at: TextRange;
}

/** The column of a comparison. Null if the term is not a column. */
export function subjectOf(term: Term, comparing: ComparisonContext): FoundSubject | null {
  if (term.kind === "user") return callerSubject(term, comparing);
  if (term.kind === "field") return fieldSubject(term, findColumn(term.name, comparing), comparing);
  reportNoField(term, comparing, null);
  return null;
}

/** Reports a value in the place of a field. */
export function reportNoField(
  term: Term,
  { note, operator, expression }: ComparisonContext,
  hint: string | null,
): void {
  const message = "one side of a comparison must be a field; lists, ranges and patterns go on the right";
  const at = term.at.length > 0 ? term.at : operator;
  const whole = term.kind === "placeholder" ? callersHint(term.name, expression) : null;
  note({ code: "condition-field", at, message, hint: hint ?? whole });
}

/** A hint for a condition that is only about the caller, and belongs into the roles of a rule. */
function callersHint(name: PlaceholderName, expression: ComparisonContext["expression"]): string | null {
  if (name === "now") return null;
  if (name === "role") return 'put roles into the rule: "role": ["admin", "staff"]';
  if (asksForNull(expression))
    return 'for callers with a credential, write "role": "signed_in"; for callers without one, "role": "guest"';
  return "identify callers by role, by {user.<column>} = …, or by rows that refer to them";
}

/** Whether it compares with NULL, in any spelling. */
function asksForNull(expression: ComparisonContext["expression"]): boolean {
  if (expression.kind !== "compare") return expression.kind === "null";
  return [expression.left, expression.right].some((side) => side.kind === "value" && side.value === null);
}

/** The column that a name leads to. Next to another column, the name can be a value without its quotes. */
export function fieldSubject(
  term: FieldTerm,
  found: ReturnType<typeof findColumn>,
  comparing: ComparisonContext,
  neighbour?: ConditionColumn,
): FoundSubject | null {
  const { at, name } = term;
  if (!("message" in found)) {
    comparing.size.usePath(found, at, comparing.call);
    return { subject: found.field, called: found.field, column: found.column, at };
  }
  const own =
    found.unknownIn === undefined ? null : accountFields(name, found.unknownIn, comparing.expression);
  const hint = found.exists === undefined ? (own ?? found.hint) : existsSuggestion(found.exists, comparing);
  const other = name.includes(".") ? undefined : neighbour;
  const member = other === undefined ? null : enumValueHint(name, other);
  const text = other === undefined ? null : textValueHint(name, other);
  comparing.note({ code: "condition-field", at, message: found.message, hint: member ?? hint ?? text });
  return null;
}

/** The column of the caller that a term names. Null if a condition cannot use it. */
export function callerSubject(
  { column: name, at }: UserTerm,
  { itself, size, note }: ComparisonContext,
): FoundSubject | null {
  size.useNewForm();
  const column = itself.caller.allowed.get(name);
  if (column !== undefined) return { subject: { user: name }, called: `{user.${name}}`, column, at };
  const { reason, hint } = itself.caller.refusal(name);
  const message = `{user.${name}} cannot be used in a condition: ${reason}`;
  note({ code: "condition-field", at, message, hint });
  return null;
}

import type { Subject } from "../../vocabulary/conditions.ts";
import type { Comparing } from "./comparing.ts";
import { findColumn } from "./condition-columns.ts";
import type { Place } from "./condition-problem.ts";
import type { Term } from "./condition-tree.ts";
import type { Called } from "./fit.ts";
import { type Lost, meantValue } from "./lost-names.ts";

/** A field or a path as it is written. */
export type FieldTerm = Extract<Term, { kind: "field" }>;
/** A column of the caller as it is written. */
export type UserTerm = Extract<Term, { kind: "user" }>;

/** A field that was found, or a column of the caller. */
export interface Found extends Called {
  /** As the tree has it: with the join names of relations. */
  readonly subject: Subject;
  readonly at: Place;
}

/** What a comparison is about; null where it is no column. */
export function subjectOf(term: Term, comparing: Comparing): Found | null {
  if (term.kind === "user") return callerColumn(term, comparing);
  if (term.kind === "field") return fieldFound(term, findColumn(term.name, comparing), comparing);
  noField(term, comparing, null);
  return null;
}

/** A value stands where a field should. */
export function noField(term: Term, { note, operator }: Comparing, hint: string | null): void {
  const message = "one side of a comparison must be a field; lists, ranges and patterns stand on the right";
  const at = term.at.length > 0 ? term.at : operator;
  const role =
    term.kind === "placeholder" && term.name === "role"
      ? 'a rule names its roles: "role": ["admin", "staff"]'
      : null;
  note({ code: "condition-field", at, message, hint: hint ?? role });
}

/** The column that a name leads to. `values` are those of the field on the other side, where one is there: this one may be a value of it. */
export function fieldFound(
  term: FieldTerm,
  found: ReturnType<typeof findColumn>,
  comparing: Comparing,
  values?: readonly (string | number)[] | null,
): Found | null {
  const { at, name } = term;
  if (!("message" in found)) {
    comparing.size.usePath(found, at);
    return { subject: found.field, called: found.field, column: found.column, at };
  }
  const hint = hintOf(found, term, comparing);
  const meant = values === undefined || name.includes(".") ? null : meantValue(name, values);
  comparing.note({ code: "condition-field", at, message: found.message, hint: hint ?? meant });
  return null;
}

/** What EXISTS would look like is written out. */
function hintOf({ hint, exists }: Lost, { at }: FieldTerm, { text, whole }: Comparing): string | null {
  if (exists === undefined) return hint;
  const end = whole.offset + whole.length;
  const before = text.slice(whole.offset, at.offset);
  return `write EXISTS (${exists.path} WHERE ${before}${exists.name}${text.slice(at.offset + at.length, end)})`;
}

/** The column of the caller that a term names, null where it must not stand in a condition. */
export function callerColumn(
  { column: name, at }: UserTerm,
  { itself, size, note }: Comparing,
): Found | null {
  size.useNewForm();
  const column = itself.caller.allowed.get(name);
  if (column !== undefined) return { subject: { user: name }, called: `{user.${name}}`, column, at };
  note({ code: "condition-field", at, ...itself.caller.refusal(name) });
  return null;
}

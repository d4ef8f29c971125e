import { RE2JS } from "re2js";
import { type FieldKind, fieldKinds } from "../../vocabulary/field-kinds.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { FieldDefinition } from "./definition.ts";
import { literals } from "./literals.ts";

/** What a literal must fit. */
export type ValueRules = Pick<
  FieldDefinition,
  "kind" | "enum" | "minimum" | "maximum" | "minLength" | "maxLength" | "pattern"
>;

/** A literal in the one form in which the database gets it, or why it does not fit. */
export type Checked = { readonly value: Exclude<Json, null> } | { readonly problem: string };

/** Checks a literal of JSON against the type of a field alone. Moments come out in UTC with milliseconds, UUIDs in lower case. */
export function checkType(kind: FieldKind, value: Json): Checked {
  const { called } = fieldKinds[kind];
  const canonical = literals[kind](value);
  return canonical === null ? { problem: `is not ${called}` } : { value: canonical };
}

/** Checks a literal against type, enum, bounds, lengths and pattern of a field (decisions, part 3). */
export function checkValue(rules: ValueRules, value: Json): Checked {
  const checked = checkType(rules.kind, value);
  if ("problem" in checked) return checked;
  const problem = outOfBounds(rules, checked.value);
  if (problem !== null) return { problem };
  if (rules.enum !== null && !rules.enum.some((allowed) => allowed === checked.value)) {
    return { problem: `is not one of ${rules.enum.map((allowed) => JSON.stringify(allowed)).join(", ")}` };
  }
  return checked;
}

function outOfBounds(rules: ValueRules, value: Json): string | null {
  if (typeof value === "number") {
    if (rules.minimum !== null && value < rules.minimum) return `is less than ${rules.minimum}`;
    if (rules.maximum !== null && value > rules.maximum) return `is greater than ${rules.maximum}`;
  }
  if (typeof value === "string" && rules.kind !== "json") {
    const length = [...value].length;
    if (rules.minLength !== null && length < rules.minLength)
      return `is shorter than ${rules.minLength} characters`;
    if (rules.maxLength !== null && length > rules.maxLength)
      return `is longer than ${rules.maxLength} characters`;
    if (rules.pattern !== null && !matches(rules.pattern, value)) return `does not match ${rules.pattern}`;
  }
  return null;
}

function matches(pattern: string, value: string): boolean {
  // An invalid pattern is reported where it stands.
  const compiled = compiledPattern(pattern);
  return typeof compiled === "string" || compiled.matcher(value).find();
}

/** Why a pattern is no regular expression of RE2, or null. */
export function patternProblem(pattern: string): string | null {
  const compiled = compiledPattern(pattern);
  return typeof compiled === "string" ? compiled : null;
}

// Models share patterns, and the rules of a field ask for its own several times.
const compiledPatterns = new Map<string, RE2JS | string>();

/** A pattern, or why it is none. */
function compiledPattern(pattern: string): RE2JS | string {
  const compiled = compiledPatterns.get(pattern) ?? compile(pattern);
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "syntax error";
  }
}

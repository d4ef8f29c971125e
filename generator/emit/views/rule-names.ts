import { createHash } from "node:crypto";
import type { Condition, Operand } from "../../../vocabulary/conditions.ts";
import type { RuleDefinition } from "../../definition/definition.ts";
import { camelCase, identifiers, pascalCase } from "../typescript-names.ts";
import { conditionFields, conditionNames } from "./condition-view.ts";

/** A name longer than this says which fields matter, and no more. */
const longest = 48;
const namedFields = 3;

/** Names that `policy.ts` may have beside its rules. */
const taken = ["defineLimits", "definePolicy", "limits", "model", "policy"];

/** What tells a rule from others: its role and its condition. */
export function ruleKey({ role, condition }: RuleDefinition): string {
  return JSON.stringify([role, condition]);
}

/**
 * Names of the constants of rules by `ruleKey`. A name follows from its rule alone, so that a line of `policy.ts` that stays as
 * it is keeps its meaning whatever is put before it: `userWhenStatusPublished`. Where words cannot tell all of a rule, or
 * those of two rules are the same, a hash of the rule follows.
 */
export function ruleNames(rules: readonly RuleDefinition[]): ReadonlyMap<string, string> {
  const distinct = new Map(rules.map((rule) => [ruleKey(rule), rule]));
  const words = new Map([...distinct].map(([key, rule]) => [key, identifier(nameOf(rule))]));
  const uses = new Map<string, number>();
  for (const name of words.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map(
    [...words].map(([key, name]) => [
      key,
      (uses.get(name) ?? 0) > 1 ? identifier(`${name}_${hash(key)}`) : name,
    ]),
  );
}

function identifier(candidate: string): string {
  return identifiers([...conditionNames, ...taken], "role")(candidate);
}

function hash(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 6);
}

function nameOf(rule: RuleDefinition): string {
  const role = rule.role === "*" ? "everyone" : camelCase(rule.role) || `role${hash(rule.role)}`;
  if (rule.condition === null) return role;
  const words = conditionWords(rule.condition);
  if (words !== null && words.length <= longest) return `${role}When${words}`;
  const fields = conditionFields(rule.condition).slice(0, namedFields);
  return `${role}When${fields.map(pascalCase).join("And")}_${hash(ruleKey(rule))}`;
}

/** A condition in words, or null where they would leave something out. */
function conditionWords(condition: Condition): string | null {
  switch (condition.op) {
    case "and":
    case "or":
      return joined(condition.conditions.map(partWords), condition.op === "and" ? "And" : "Or");
    case "not":
      return joined(["Not", partWords(condition.condition)], "");
    case "eq":
      return equality(condition.field, condition.value);
    case "in":
      return joined([pascalCase(condition.field), joined(condition.values.map(operandWords), "Or")], "In");
    case "not_in":
      return joined([pascalCase(condition.field), joined(condition.values.map(operandWords), "Or")], "NotIn");
    case "between": {
      const ends = joined([operandWords(condition.from), operandWords(condition.to)], "To");
      return joined([pascalCase(condition.field), ends], "From");
    }
    case "is_null":
      return `${pascalCase(condition.field)}Null`;
    case "is_not_null":
      return `${pascalCase(condition.field)}NotNull`;
    default:
      return joined([pascalCase(condition.field), operandWords(condition.value)], signs[condition.op]);
  }
}

const signs = {
  ne: "Not",
  lt: "Below",
  lte: "AtMost",
  gt: "Above",
  gte: "AtLeast",
  like: "Like",
  ilike: "Ilike",
} as const;

/** Words have no parentheses, so that AND within OR cannot be told from OR within AND. */
function partWords(condition: Condition): string | null {
  return "conditions" in condition ? null : conditionWords(condition);
}

function joined(parts: readonly (string | null)[], between: string): string | null {
  return parts.includes(null) ? null : parts.join(between);
}

function equality(field: string, value: Operand): string | null {
  if (typeof value === "object") return joined([pascalCase(field), operandWords(value)], "Is");
  if (value === true) return pascalCase(field);
  return value === false ? `Not${pascalCase(field)}` : joined([pascalCase(field), operandWords(value)], "");
}

const callers = { user_id: "Caller", role: "CallerRole", email: "CallerEmail", now: "Now" } as const;

/** Null for text of which words would lose something: capitals, signs, blanks. */
function operandWords(operand: Operand): string | null {
  if (typeof operand === "object") return callers[operand.placeholder];
  const text = String(operand);
  return /^[a-z0-9]+([_-][a-z0-9]+)*$/.test(text) ? pascalCase(text) : null;
}

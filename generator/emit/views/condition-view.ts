import type { Condition, Operand } from "../../../vocabulary/conditions.ts";
import { literal, stringLiteral, visible } from "../literal.ts";

const builders: Readonly<Record<Condition["op"], string>> = {
  eq: "eq",
  ne: "ne",
  lt: "lt",
  lte: "lte",
  gt: "gt",
  gte: "gte",
  like: "like",
  ilike: "ilike",
  in: "isIn",
  not_in: "notIn",
  between: "between",
  is_null: "isNull",
  is_not_null: "isNotNull",
  and: "and",
  or: "or",
  not: "not",
};

/** Prints a condition as calls of the runtime's builders; adds the names that it uses to `imports`. */
export function conditionCode(condition: Condition, imports: Set<string>): string {
  const name = builders[condition.op];
  imports.add(name);
  return `${name}(${argumentsOf(condition, imports).join(", ")})`;
}

function argumentsOf(condition: Condition, imports: Set<string>): string[] {
  const operand = (value: Operand) => operandCode(value, imports);
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.map((part) => conditionCode(part, imports));
    case "not":
      return [conditionCode(condition.condition, imports)];
    case "in":
    case "not_in":
      return [stringLiteral(condition.field), `[${condition.values.map(operand).join(", ")}]`];
    case "between":
      return [stringLiteral(condition.field), operand(condition.from), operand(condition.to)];
    case "is_null":
    case "is_not_null":
      return [stringLiteral(condition.field)];
    default:
      return [stringLiteral(condition.field), operand(condition.value)];
  }
}

function operandCode(operand: Operand, imports: Set<string>): string {
  if (typeof operand !== "object") return literal(operand);
  if (operand.placeholder === "now") {
    imports.add("now");
    return "now";
  }
  imports.add("caller");
  return `caller.${operand.placeholder}`;
}

const signs: Readonly<Partial<Record<Condition["op"], string>>> = {
  eq: "=",
  ne: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  like: "LIKE",
  ilike: "ILIKE",
  in: "IN",
  not_in: "NOT IN",
  is_null: "IS NULL",
  is_not_null: "IS NOT NULL",
};

/** Prints a condition in the language of the models file, on one line, always in the same spelling. */
export function conditionText(condition: Condition): string {
  const sign = signs[condition.op] ?? "";
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.map(nestedText).join(condition.op === "and" ? " AND " : " OR ");
    case "not":
      return `NOT ${nestedText(condition.condition)}`;
    case "in":
    case "not_in":
      return `${condition.field} ${sign} (${condition.values.map(operandText).join(", ")})`;
    case "between":
      return `${condition.field} BETWEEN ${operandText(condition.from)} AND ${operandText(condition.to)}`;
    case "is_null":
    case "is_not_null":
      return `${condition.field} ${sign}`;
    default:
      return `${condition.field} ${sign} ${operandText(condition.value)}`;
  }
}

/** What several conditions open together, as one; null where there are none. */
export function anyOf(conditions: readonly Condition[]): Condition | null {
  const [first, ...more] = new Map(conditions.map((each) => [conditionText(each), each])).values();
  if (first === undefined || more.length === 0) return first ?? null;
  const parts = [first, ...more].flatMap((each) => (each.op === "or" ? each.conditions : [each]));
  return { op: "or", conditions: parts };
}

function nestedText(condition: Condition): string {
  const text = conditionText(condition);
  return condition.op === "and" || condition.op === "or" || condition.op === "not" ? `(${text})` : text;
}

function operandText(operand: Operand): string {
  if (typeof operand === "object")
    return operand.placeholder === "now" ? "now()" : `{${operand.placeholder}}`;
  if (typeof operand !== "string") return String(operand);
  // A literal that holds `\u200b` itself must not read like one that holds the character.
  const text = operand.replaceAll("'", "''").replace(/\\(?=u[0-9a-f]{4})/g, "\\u005c");
  return `'${visible(text)}'`;
}

import type { Condition, Moment, Operand, Subject } from "../../../vocabulary/conditions/conditions.ts";
import type { CallCondition, WrittenCondition } from "../../definition/written-condition.ts";
import { escapeInvisible, literal, stringLiteral } from "../literal.ts";
import { identifiers } from "../typescript-names.ts";

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
  contains: "contains",
  overlaps: "overlaps",
  is_null: "isNull",
  is_not_null: "isNotNull",
  and: "and",
  or: "or",
  not: "not",
  exists: "exists",
};

/** The names in `conditions.ts` and `policy.ts` that constants of named conditions and imports of models cannot have. */
export const helperNames: readonly string[] = [
  ...Object.values(builders),
  "ago",
  "caller",
  "callerColumn",
  "defineCondition",
  "defineLimits",
  "definePolicy",
  "field",
  "fromNow",
  "limits",
  "model",
  "now",
  "policy",
];

/** The names that the code of a file imports: the runtime's builders, and named conditions. */
export interface ConditionImports {
  readonly builders: Set<string>;
  readonly conditions: Set<string>;
}

/** The constant of a named condition in `conditions.ts`. */
export function constantOf(name: string): string {
  return identifiers(helperNames, "condition")(name);
}

/** Prints a condition as calls of the runtime's builders and of named conditions, and adds their names to `imports`. */
export function conditionCode(condition: WrittenCondition, imports: ConditionImports): string {
  if (condition.op === "call") {
    const { name, path } = condition;
    imports.conditions.add(name);
    return `${constantOf(name)}(${path === "" ? "" : stringLiteral(path)})`;
  }
  const name = builders[condition.op];
  imports.builders.add(name);
  return `${name}(${argumentsOf(condition, imports).join(", ")})`;
}

function argumentsOf(
  condition: Exclude<WrittenCondition, CallCondition>,
  imports: ConditionImports,
): string[] {
  const operand = (value: Operand) => operandCode(value, imports.builders);
  const subject = (field: Subject) => (typeof field === "string" ? stringLiteral(field) : operand(field));
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.map((part) => conditionCode(part, imports));
    case "not":
      return [conditionCode(condition.condition, imports)];
    case "exists": {
      const { path, where } = condition;
      return [stringLiteral(path), ...(where === null ? [] : [conditionCode(where, imports)])];
    }
    case "in":
    case "not_in":
    case "overlaps":
      return [subject(condition.field), `[${condition.values.map(operand).join(", ")}]`];
    case "between":
      return [subject(condition.field), operand(condition.from), operand(condition.to)];
    case "is_null":
    case "is_not_null":
      return [subject(condition.field)];
    default:
      return [subject(condition.field), operand(condition.value)];
  }
}

function operandCode(operand: Operand, imports: Set<string>): string {
  const use = (name: string, code = name) => {
    imports.add(name);
    return code;
  };
  if (typeof operand !== "object") return literal(operand);
  if ("user" in operand) return use("callerColumn", `callerColumn(${stringLiteral(operand.user)})`);
  if ("field" in operand) return use("field", `field(${stringLiteral(operand.field)})`);
  if (operand.placeholder !== "now") return use("caller", `caller.${operand.placeholder}`);
  if (operand.offset === undefined) return use("now");
  const { amount, unit } = operand.offset;
  const name = amount < 0 ? "ago" : "fromNow";
  return use(name, `${name}(${Math.abs(amount)}, "${unit}")`);
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
  contains: "CONTAINS",
  overlaps: "OVERLAPS",
  is_null: "IS NULL",
  is_not_null: "IS NOT NULL",
};

/** Prints a condition in the language of the models file, on one line and in canonical form. */
export function conditionText(condition: WrittenCondition): string {
  if (condition.op === "call") return `${condition.name}(${condition.path})`;
  const sign = signs[condition.op] ?? "";
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.map(nestedText).join(condition.op === "and" ? " AND " : " OR ");
    case "not":
      return `NOT ${nestedText(condition.condition)}`;
    case "exists": {
      const { path, where } = condition;
      return where === null ? `EXISTS (${path})` : `EXISTS (${path} WHERE ${conditionText(where)})`;
    }
    case "in":
    case "not_in":
    case "overlaps":
      return `${subjectText(condition.field)} ${sign} (${condition.values.map(operandText).join(", ")})`;
    case "between": {
      const { field, from, to } = condition;
      return `${subjectText(field)} BETWEEN ${operandText(from)} AND ${operandText(to)}`;
    }
    case "is_null":
    case "is_not_null":
      return `${subjectText(condition.field)} ${sign}`;
    default:
      return `${subjectText(condition.field)} ${sign} ${operandText(condition.value)}`;
  }
}

/** Joins conditions with OR; null if there are none. */
export function anyOf<Each extends WrittenCondition>(
  conditions: readonly Each[],
): Each | WrittenCondition | null {
  const [first, ...more] = new Map(conditions.map((each) => [conditionText(each), each])).values();
  if (first === undefined || more.length === 0) return first ?? null;
  const parts = [first, ...more].flatMap((each) => (each.op === "or" ? each.conditions : [each]));
  return { op: "or", conditions: parts };
}

function nestedText(condition: WrittenCondition): string {
  const text = conditionText(condition);
  return condition.op === "and" || condition.op === "or" || condition.op === "not" ? `(${text})` : text;
}

function subjectText(subject: Subject): string {
  return typeof subject === "string" ? subject : operandText(subject);
}

/** Prints a side of a comparison in the language of the models file. */
export function operandText(operand: Operand): string {
  if (typeof operand === "object") {
    if ("user" in operand) return `{user.${operand.user}}`;
    if ("field" in operand) return operand.field;
    return operand.placeholder === "now" ? momentText(operand) : `{${operand.placeholder}}`;
  }
  if (typeof operand !== "string") return String(operand);
  // The text `\u200b` in a literal must not look like the escaped character.
  const text = operand.replaceAll("'", "''").replace(/\\(?=u[0-9a-f]{4})/g, "\\u005c");
  return `'${escapeInvisible(text)}'`;
}

function momentText({ offset }: Moment): string {
  if (offset === undefined) return "now()";
  const amount = Math.abs(offset.amount);
  const span = `${amount} ${offset.unit}${amount === 1 ? "" : "s"}`;
  return `now() ${offset.amount < 0 ? "-" : "+"} interval '${span}'`;
}

import type { CheckCondition, ConditionLiteral } from "./check-tree.ts";
import { comparisonSigns } from "./conditions.ts";
import { name, text } from "./sql-text.ts";

/** The condition of a check as SQL over the columns of a table: what stands in the constraint, and what finds rows that break it. */
export function checkSql(condition: CheckCondition): string {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.map((part) => `(${checkSql(part)})`).join(` ${condition.op} `);
    case "not":
      return `not (${checkSql(condition.condition)})`;
    case "is_null":
      return `${name(condition.field)} is null`;
    case "is_not_null":
      return `${name(condition.field)} is not null`;
    case "in":
    case "not_in": {
      const values = condition.values.map(literal).join(", ");
      return `${name(condition.field)} ${condition.op === "in" ? "in" : "not in"} (${values})`;
    }
    case "between":
      return `${name(condition.field)} between ${literal(condition.from)} and ${literal(condition.to)}`;
    default:
      return comparison(condition);
  }
}

function comparison({ op, field, value }: Extract<CheckCondition, { value: unknown }>): string {
  const left = `${name(field)} ${comparisonSigns[op]}`;
  if (typeof value === "object") return `${left} ${name(value.field)}`;
  // In a pattern a backslash is itself, as in all conditions.
  const isPattern = op === "like" || op === "ilike";
  return `${left} ${literal(isPattern ? String(value).replaceAll("\\", "\\\\") : value)}`;
}

/** In quotes, so that PostgreSQL reads it as a value of the column's type, exactly. */
function literal(value: ConditionLiteral): string {
  return text(String(value));
}

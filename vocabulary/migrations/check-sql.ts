import type { CheckCondition, ConditionLiteral } from "../conditions/check-tree.ts";
import { type Comparison, comparisonSigns } from "../conditions/conditions.ts";

/** A name as an SQL identifier. */
export function sqlName(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** The table of a migration step as SQL: `"sales"."orders"` for `sales.orders`. */
export function sqlTable(table: string): string {
  const { schema, name } = placeOfTable(table);
  return schema === null ? sqlName(name) : `${sqlName(schema)}.${sqlName(name)}`;
}

/** Schema and name of the table of a migration step. Null: the first schema of the search path. */
export function placeOfTable(table: string): { readonly schema: string | null; readonly name: string } {
  const point = table.lastIndexOf(".");
  return point < 0
    ? { schema: null, name: table }
    : { schema: table.slice(0, point), name: table.slice(point + 1) };
}

/** An object of the table's schema, such as an index, as SQL. */
export function sqlBeside(table: string, name: string): string {
  const { schema } = placeOfTable(table);
  return schema === null ? sqlName(name) : `${sqlName(schema)}.${sqlName(name)}`;
}

/** An SQL string literal. Backslashes are ordinary characters: the runner's connections have standard_conforming_strings on. */
export function sqlText(value: string): string {
  if (value.includes("\0")) throw new Error("PostgreSQL cannot store the character NUL");
  return `'${value.replaceAll("'", "''")}'`;
}

/** The condition of a check as SQL, for its constraint and for the query that finds violating rows. */
export function checkSql(condition: CheckCondition): string {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.map((part) => `(${checkSql(part)})`).join(` ${condition.op} `);
    case "not":
      return `not (${checkSql(condition.condition)})`;
    case "is_null":
      return `${sqlName(condition.field)} is null`;
    case "is_not_null":
      return `${sqlName(condition.field)} is not null`;
    case "in":
    case "not_in": {
      const values = condition.values.map(literal).join(", ");
      return `${sqlName(condition.field)} ${condition.op === "in" ? "in" : "not in"} (${values})`;
    }
    case "between":
      return `${sqlName(condition.field)} between ${literal(condition.from)} and ${literal(condition.to)}`;
    case "contains":
      return `${sqlName(condition.field)} @> ${list([condition.value])}`;
    case "overlaps":
      return `${sqlName(condition.field)} && ${list(condition.values)}`;
    default:
      return comparison(condition);
  }
}

function comparison({ op, field, value }: Extract<CheckCondition, { readonly op: Comparison }>): string {
  const left = `${sqlName(field)} ${comparisonSigns[op]}`;
  if (typeof value === "object") return `${left} ${sqlName(value.field)}`;
  // In conditions, a backslash in a pattern is an ordinary character.
  const isPattern = op === "like" || op === "ilike";
  return `${left} ${literal(isPattern ? String(value).replaceAll("\\", "\\\\") : value)}`;
}

/** An array literal of PostgreSQL. */
function list(values: readonly ConditionLiteral[]): string {
  const elements = values.map((value) => `"${String(value).replaceAll(/[\\"]/g, "\\$&")}"`);
  return sqlText(`{${elements.join(",")}}`);
}

/** A quoted literal, which PostgreSQL converts exactly to the type of the column. */
function literal(value: ConditionLiteral): string {
  return sqlText(String(value));
}

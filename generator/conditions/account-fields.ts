import { nearest } from "../../vocabulary/nearest.ts";
import type { ConditionScope } from "./condition-scope.ts";
import type { ComparisonExpression, Term } from "./condition-tree.ts";

/** So many fields are named, not more. */
const mostNamed = 8;

/**
 * The fields of a model that refer to accounts, for one that it does not have and that is compared with the caller's id; null where
 * it has none, or where one of them was mistyped.
 */
export function accountFields(
  written: string,
  scope: ConditionScope,
  expression: ComparisonExpression,
): string | null {
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

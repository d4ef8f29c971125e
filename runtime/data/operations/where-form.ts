import { graphqlOperators, type Operator } from "../../../vocabulary/fields/filter-operators.ts";
import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { weakMemo } from "../../core/concurrency/index.ts";
import type { Problem } from "../../core/errors/index.ts";
import { columnsOf, type Model } from "../../models/index.ts";
import type { Filter } from "../sql/index.ts";
import { isDropped, readFilter, type SentFilter } from "./filters.ts";

/** Fields with lists. A single value for one of them becomes a list. */
export const listFields = weakMemo((model: Model): ReadonlySet<string> => {
  const columns = [...columnsOf(model).values()];
  return new Set(columns.filter(({ kind }) => elementKindOf(kind) !== null).map(({ name }) => name));
});

/** Reads the filters of one field: a value for equality, or an object of operators. */
export function readFieldFilters(model: Model, field: string, value: unknown, problems: Problem[]): Filter[] {
  if (isDropped(field)) return [];
  const sent = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, operand]) => withOperator(field, name, operand, problems))
    : [condition(field, "eq", "eq", value)];
  const isList = listFields(model).has(field);
  return sent.flatMap((one) => readFilter(model, isList ? listed(one) : one, problems) ?? []);
}

/** Reads an object of such filters: `where` of GraphQL's mutations, and of MCP. */
export function readWhereForm(model: Model, where: object, problems: Problem[]): Filter[] {
  return Object.entries(where).flatMap(([field, value]) => {
    // In queries, an empty object is not a filter, because variables can be left out. A write must not reach
    // more rows than intended.
    if (isJsonObject(value) && Object.keys(value).length === 0)
      problems.push({ field, message: "needs an operator" });
    return readFieldFilters(model, field, value, problems);
  });
}

function withOperator(field: string, name: string, operand: unknown, problems: Problem[]): SentFilter[] {
  if (name === "is_null") {
    if (typeof operand === "boolean")
      return [condition(field, operand ? "is_null" : "is_not_null", name, true)];
    problems.push({ field, message: "takes true or false for is_null" });
    // Kept, so that a forbidden field is reported.
    return [condition(field, "is_null", name, true)];
  }
  return [condition(field, graphqlOperators.get(name), name, operand)];
}

function condition(
  field: string,
  operator: Operator | undefined,
  operatorName: string,
  value: unknown,
): SentFilter {
  if (operator === "eq" && value === null)
    return { field, operatorName, label: field, operator: "is_null", value: true };
  const takesList = operator === "in" || operator === "not_in";
  return { field, operatorName, label: field, operator, value: takesList ? listOf(value) : value };
}

function listed(sent: SentFilter): SentFilter {
  const isNullCheck = sent.operator === "is_null" || sent.operator === "is_not_null";
  return isNullCheck ? sent : { ...sent, value: listOf(sent.value) };
}

/** A single value becomes a list of one. Comma-separated lists exist only in query strings. */
function listOf(value: unknown): unknown {
  return value === null || Array.isArray(value) ? value : [value];
}

import { graphqlOperators, type Operator } from "../../../../vocabulary/fields/filter-operators.ts";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { isDropped, readFilter, type SentFilter } from "../../../data/operations/index.ts";
import type { Filter } from "../../../data/sql/index.ts";
import type { Model } from "../../../models/index.ts";
import { listFields } from "./list-fields.ts";

/** Reads the conditions on one field: a plain value for equality, or an object of operators, all AND-combined. */
export function readFieldFilters(model: Model, field: string, value: unknown, problems: Problem[]): Filter[] {
  if (isDropped(field)) return [];
  const sent = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, operand]) => withOperator(field, name, operand, problems))
    : [condition(field, "eq", "eq", value)];
  const isList = listFields(model).has(field);
  return sent.flatMap((one) => readFilter(model, isList ? listed(one) : one, problems) ?? []);
}

/** Reads an object of fields and their conditions, as the `where` of mutations has it. */
export function readWhereForm(model: Model, where: object, problems: Problem[]): Filter[] {
  return Object.entries(where).flatMap(([field, value]) => {
    // In a query that is no condition, since variables may be left out; a write never reaches further than it says.
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
    // Kept, so that a forbidden field is seen even so.
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

/** GraphQL takes one value for a list of one; the comma-separated lists of query strings have no place here. */
function listOf(value: unknown): unknown {
  return value === null || Array.isArray(value) ? value : [value];
}

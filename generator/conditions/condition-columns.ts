import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ConditionColumn, ConditionScope } from "./condition-scope.ts";

interface Missing {
  readonly message: string;
  readonly hint: string | null;
}

/** The column behind `field` or `relation.field`, with the relation under its join name; or why there is none. */
export function findColumn(
  name: string,
  scope: ConditionScope,
): { field: string; column: ConditionColumn } | Missing {
  const [first = "", second, third] = name.split(".");
  if (third !== undefined) return { message: `"${name}" goes over more than one relation`, hint: null };
  if (second === undefined) return ownColumn(first, scope);
  const join = scope.joins.get(first);
  if (join === undefined) return noJoin(first, scope);
  const column = join.columns.get(second);
  if (column === undefined) return missing(second, join.model, join.columns.keys());
  return usable(`${join.name}.${second}`, column);
}

function ownColumn(
  name: string,
  scope: ConditionScope,
): { field: string; column: ConditionColumn } | Missing {
  const column = scope.columns.get(name);
  if (column !== undefined) return usable(name, column);
  if (scope.collections.has(name))
    return { message: `"${name}" has no column; the other model holds the key`, hint: null };
  const join = scope.joins.get(name);
  if (join !== undefined) return { message: `"${name}" is a relation`, hint: `write ${name}.<field>` };
  return missing(name, scope.model, scope.columns.keys());
}

function noJoin(name: string, scope: ConditionScope): Missing {
  if (scope.collections.has(name)) {
    return { message: `"${name}" is no belongs_to; a condition can only follow those`, hint: null };
  }
  const message = `model "${scope.model}" has no belongs_to called "${name}"`;
  return { message, hint: didYouMean(name, scope.joins.keys()) };
}

function missing(name: string, model: string, known: Iterable<string>): Missing {
  return { message: `model "${model}" has no field "${name}"`, hint: didYouMean(name, known) };
}

function usable(
  field: string,
  column: ConditionColumn,
): { field: string; column: ConditionColumn } | Missing {
  if (column.kind !== "password") return { field, column };
  return { message: `"${field}" is a password, which nothing may be compared with`, hint: null };
}

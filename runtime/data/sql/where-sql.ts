import { comparisonSigns } from "../../../vocabulary/conditions/conditions.ts";
import type { Operator } from "../../../vocabulary/fields/filter-operators.ts";
import type { Scope } from "../../models/access/index.ts";
import { type Column, columnsOf, type Model } from "../../models/index.ts";
import { conditionSql } from "./conditions/condition.ts";
import type { JoinMode, Models } from "./conditions/relations.ts";
import type { BindValue } from "./kinds.ts";
import {
  type ColumnSql,
  comparedWith,
  nullTestSql,
  requestList,
  requestValue,
  type Sql,
  sql,
} from "./sql.ts";

/** A filter on one column. All filters of a request are AND-combined. */
export interface Filter {
  readonly field: string;
  /** The name of the parameter, for messages. */
  readonly label: string;
  readonly column: Column;
  readonly operator: Operator;
  /** Null for `is_null` and `is_not_null`; a list for `in`, `not_in`, `between` and list operators. */
  readonly value: BindValue;
}

/** Their values are those of the request from `first` on. */
export function filtersSql(filters: readonly Filter[], row: ColumnSql, first = 0): Sql[] {
  return filters.flatMap((filter, index) => (isEmpty(filter) ? [] : filterSql(filter, first + index, row)));
}

/** Every list contains the empty one, and NULL must match too. An index finds neither. */
function isEmpty({ operator, value }: Filter): boolean {
  return operator === "contains" && Array.isArray(value) && value.length === 0;
}

function filterSql({ field, operator, column }: Filter, index: number, row: ColumnSql): Sql {
  if (operator === "is_null" || operator === "is_not_null")
    return nullTestSql(operator, row(field, "stored"), column);
  const { sql: left, type } = comparedWith(operator, row(field), column);
  switch (operator) {
    case "in":
      return sql("? = any(?)", left, requestList(index, type));
    case "not_in":
      return sql("? <> all(?)", left, requestList(index, type));
    case "between":
      return sql("? between (?)[1] and (?)[2]", left, requestList(index, type), requestList(index, type));
    case "contains":
      return sql("? @> ?", left, requestValue(index, type));
    case "overlaps":
      return sql("? && ?", left, requestValue(index, type));
    default:
      return sql(`? ${comparisonSigns[operator]} ?`, left, requestValue(index, type));
  }
}

/** Cache key: equal for filters with the same SQL, without their values. */
export function filtersShape(filters: readonly Filter[]): string {
  let shape = "";
  for (const filter of filters) shape += `${filter.field} ${isEmpty(filter) ? "empty" : filter.operator},`;
  return shape;
}

/** The row condition of a scope; empty for all rows. `given`: a request sets fields of the row. */
export function scopeSql(
  scope: Scope,
  model: Model,
  models: Models,
  row: ColumnSql,
  parents: JoinMode = "locked",
  given = false,
): Sql[] {
  switch (scope.kind) {
    case "all":
      return [];
    case "none":
      return [sql("false")];
    case "some":
      return [conditionSql(scope.when, model, models, row, parents, given)];
  }
}

/** Which rows an operation sees in a soft-delete model. */
export type Visibility = "live" | "deleted" | "all";

export function visibilitySql(model: Model, visibility: Visibility, row: ColumnSql): Sql[] {
  if (!model.softDelete || visibility === "all") return [];
  return [sql(`? is ${visibility === "live" ? "" : "not "}null`, row("deleted_at", "stored"))];
}

/** The searchable fields that are also readable, in order. */
export function searchFields(model: Model, unreadable: ReadonlySet<string>): string[] {
  const columns = [...columnsOf(model).values()];
  return columns
    .filter((column) => column.searchable && !unreadable.has(column.name))
    .map((column) => column.name);
}

/** A search term as a literal LIKE pattern. */
export function searchPattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

import { isExactKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { averageDecimals, resultKind } from "../../../../vocabulary/graphql/aggregates.ts";
import { aggregateType } from "../../../../vocabulary/graphql/names.ts";
import {
  type ColumnSql,
  columnList,
  columnsOfTable,
  join,
  keysWriter,
  kinds,
  type PageBounds,
  pageSql,
  type RowFilter,
  rowFilterSql,
  rowsJson,
  type Sql,
  sql,
  tableSql,
  typeOf,
  type WrittenKey,
} from "../../../data/sql/index.ts";
import type { Column, Model } from "../../../models/index.ts";
import type { Aggregate, AggregateOrder, Result } from "../plan/plan-aggregate.ts";
import type { ListStatement } from "./list-statement.ts";

export interface AggregateShape {
  readonly rows: RowFilter;
  readonly page: PageBounds;
  readonly results: ReadonlyMap<string, Result>;
  readonly groupBy: readonly Column[];
  readonly order: AggregateOrder | null;
}

const table = "t";

/** A value of a group, and its SQL. */
interface GroupValue extends WrittenKey {
  readonly sql: Sql;
}

/**
 * Group-by fields that are not selected come first. Values: filters, search pattern if any, limit, offset.
 */
export function aggregateStatement({ rows, page, results, groupBy, order }: AggregateShape): ListStatement {
  const { model } = rows;
  const row = columnsOfTable(model, table);
  const unselected = groupBy.filter(({ name }) => !results.has(name));
  const values = [
    ...unselected.map((column) => groupValue(column.name, column, row)),
    ...[...results].map(([key, result]) => resultValue(key, result, model, row)),
  ];
  const columns = values.map((value, index) => sql("? as ??", value.sql, `c${index}`));
  const groups = sql(
    "select ? from ? as t where ? group by ? ?",
    // One element, even without rows and functions.
    columns.length === 0 ? sql("null") : join(columns, ", "),
    tableSql(model),
    rowFilterSql(rows, table),
    groupBy.length === 0 ? sql("()") : columnList(namesOf(groupBy), row),
    orderSql(groupBy, order, row),
  );
  const write = keysWriter(values, { model: model.key, idAt: null });
  return { sql: pageSql(groups, rows, page), textOf: (given, most) => rowsJson(given, write, most) };
}

function resultValue(key: string, result: Result, model: Model, row: ColumnSql): GroupValue {
  switch (result.kind) {
    case "count":
      return { key, sql: sql("count(*)"), toJson: kinds.bigint.toJson };
    case "typename": {
      const text = JSON.stringify(aggregateType(model.key));
      return { key, sql: sql("true"), toJson: () => text };
    }
    case "aggregate": {
      const { aggregate } = result;
      const { name, column } = aggregate;
      const kind = resultKind(name, column.kind);
      const { toJson } = typeOf(kind === column.kind ? column : kind);
      return { key, sql: functionSql(aggregate, row), toJson, field: aggregate.column.name };
    }
    case "group":
      return groupValue(key, result.column, row);
  }
}

function groupValue(key: string, column: Column, row: ColumnSql): GroupValue {
  return { key, sql: row(column.name), toJson: typeOf(column).toJson, field: column.name };
}

function functionSql({ name, column }: Aggregate, row: ColumnSql): Sql {
  const of = row(column.name);
  if (name !== "avg") return sql(`${name}(?)`, of);
  // PostgreSQL's average of doubles also sums their squares, which can overflow long before the sum.
  if (column.kind === "float") return sql("sum(?) / count(?)", of, of);
  if (isExactKind(column.kind)) return exactAverageSql(of, (column.decimal?.scale ?? 0) + averageDecimals);
  return sql("avg(?)::double precision", of);
}

/** Rounded once, half away from zero, from the exact sum; PostgreSQL's division rounds too early. */
function exactAverageSql(of: Sql, decimals: number): Sql {
  const [sum, count] = [sql("sum(?)", of), sql("count(?)", of)];
  return sql(
    `(sign(?) * div(2 * abs(?) * 1e${decimals} + ?, 2 * ?) * 1e-${decimals})`,
    ...[sum, sum, count, count],
  );
}

function namesOf(columns: readonly Column[]): string[] {
  return columns.map(({ name }) => name);
}

/** The group-by fields break ties, so that pages never overlap. */
function orderSql(groupBy: readonly Column[], order: AggregateOrder | null, row: ColumnSql): Sql {
  const wanted = order === null ? [] : [orderedSql(order.by, row)];
  const pieces = [...wanted, ...namesOf(groupBy).map((name) => row(name))];
  if (pieces.length === 0) return sql(" ");
  const direction = order?.descending === true ? "desc" : "asc";
  return sql(
    "order by ?",
    join(
      pieces.map((piece) => sql(`? ${direction}`, piece)),
      ", ",
    ),
  );
}

function orderedSql(by: AggregateOrder["by"], row: ColumnSql): Sql {
  if (by.kind === "count") return sql("count(*)");
  return by.kind === "aggregate" ? functionSql(by.aggregate, row) : row(by.column.name);
}

import { isExactKind } from "../../../vocabulary/field-kinds.ts";
import { averageDecimals, givenKind } from "../../../vocabulary/graphql-aggregates.ts";
import { aggregateType } from "../../../vocabulary/graphql-names.ts";
import type { Column, Model } from "../../model/index.ts";
import {
  columnsOfTable,
  join,
  kinds,
  limitSql,
  type PageBounds,
  type RowFilter,
  rowFilterSql,
  type Sql,
  sql,
  textLiteral,
} from "../../sql/index.ts";
import type { Aggregate } from "../plan/aggregate-functions.ts";
import type { Result } from "../plan/aggregate-selection.ts";
import type { AggregateOrder } from "../plan/grouping.ts";
import { rowsText } from "./json-sql.ts";

/** What an aggregate is about. */
export interface AggregateShape {
  readonly rows: RowFilter;
  readonly page: PageBounds;
  readonly results: ReadonlyMap<string, Result>;
  readonly groupBy: readonly Column[];
  readonly order: AggregateOrder | null;
  readonly mostBytes: number;
}

const table = "t";
const columnSql = columnsOfTable(table);

/**
 * The groups as one JSON text, null for one that is too long: group-by fields that were not selected come first. Values: those of the filters, the search
 * pattern if any, limit, offset.
 */
export function aggregateJson({ rows, page, results, groupBy, order, mostBytes }: AggregateShape): Sql {
  const { model } = rows;
  const unselected = groupBy.filter(({ name }) => !results.has(name));
  const columns = [
    ...unselected.map((column) => sql("? as ??", groupJson(column), column.name)),
    ...[...results].map(([key, result]) => sql("? as ??", resultJson(result, model), key)),
  ];
  const groups = sql(
    "select ? from ?? as t where ? group by ? ? ?",
    join(columns, ", "),
    model.table,
    rowFilterSql(rows, table),
    // Even of no rows and without any function there is one element then.
    groupBy.length === 0 ? sql("()") : join(groupBy.map(groupSql), ", "),
    orderSql(groupBy, order),
    limitSql(rows, page),
  );
  return rowsText(groups, mostBytes);
}

function resultJson(result: Result, model: Model): Sql {
  switch (result.kind) {
    case "count":
      return sql("count(*)");
    case "typename":
      return sql(`${textLiteral(aggregateType(model.key))}::text`);
    case "aggregate":
      return functionJson(result.aggregate);
    case "group":
      return groupJson(result.column);
  }
}

/** The value of a function as PostgreSQL's JSON functions shall write it. */
function functionJson(aggregate: Aggregate): Sql {
  const kind = givenKind(aggregate.name, aggregate.column.kind);
  return sql(kinds[kind].jsonSql, functionSql(aggregate));
}

function functionSql({ name, column }: Aggregate): Sql {
  const of = columnSql(column.name);
  if (name !== "avg") return sql(`${name}(?)`, of);
  // PostgreSQL's own average of doubles also adds up their squares, which overflow long before the sum does.
  if (column.kind === "float") return sql("sum(?) / count(?)", of, of);
  if (isExactKind(column.kind)) return exactAverageSql(of, (column.decimal?.scale ?? 0) + averageDecimals);
  return sql("avg(?)::double precision", of);
}

/** Rounded once, half away from zero, from the exact sum: division of PostgreSQL's own rounds before the last digit is known. */
function exactAverageSql(of: Sql, decimals: number): Sql {
  const [sum, count] = [sql("sum(?)", of), sql("count(?)", of)];
  return sql(
    `(sign(?) * div(2 * abs(?) * 1e${decimals} + ?, 2 * ?) * 1e-${decimals})`,
    ...[sum, sum, count, count],
  );
}

function groupSql({ name }: Column): Sql {
  return columnSql(name);
}

function groupJson(column: Column): Sql {
  return sql(kinds[column.kind].jsonSql, groupSql(column));
}

/** The group-by fields settle ties, so that pages never overlap. */
function orderSql(groupBy: readonly Column[], order: AggregateOrder | null): Sql {
  const wanted = order === null ? [] : [orderedSql(order.by)];
  const pieces = [...wanted, ...groupBy.map(groupSql)];
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

function orderedSql(by: AggregateOrder["by"]): Sql {
  if (by.kind === "count") return sql("count(*)");
  return by.kind === "aggregate" ? functionSql(by.aggregate) : groupSql(by.column);
}

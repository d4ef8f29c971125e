import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { type PageBounds, pageSql } from "./page-sql.ts";
import {
  columnList,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  requestValue,
  type Sql,
  sql,
} from "./sql.ts";
import { type Filter, filtersSql, scopeSql, visibilitySql } from "./where-sql.ts";

/** The rows that a read is about. */
export interface RowFilter {
  readonly model: Model;
  readonly models: Models;
  readonly filters: readonly Filter[];
  readonly scope: Scope;
  /** Fields in which the search term may occur; empty without a term. Its pattern follows the filters' values. */
  readonly searchIn: readonly string[];
}

/** The order of rows; `id` is the last tie-breaker. */
export interface Order {
  readonly orderBy: string;
  readonly descending: boolean;
}

export interface PageShape extends RowFilter, Order, PageBounds {
  readonly columns: readonly string[];
  readonly total: boolean;
}

const table = "t";
const row = columnsOfTable(table);

/**
 * One page of rows. Values: those of the filters, the search pattern if any, the limit, the offset, the last two where they are bound.
 * With `total` each row begins with the number of all matching rows and a column that is NULL where the page is empty.
 */
export function selectPage(shape: PageShape): Plan {
  const { model, columns, total } = shape;
  const where = rowFilterSql(shape, table);
  // A role may be allowed to see that there are rows, and nothing of them.
  const list = columns.length === 0 ? sql("null") : columnList(columns, row);
  const rows = sql(
    `select ${total ? "t.id as _row, " : ""}? from ?? as t where ? order by ?`,
    list,
    model.table,
    where,
    orderSql(shape, table),
  );
  const page = pageSql(rows, shape, shape);
  if (!total) return plan(page);
  const counted = sql("select count(*) as _total from ?? as t where ?", model.table, where);
  return plan(
    sql(
      "select counted._total, page.* from (?) as counted left join lateral (?) as page on true",
      counted,
      page,
    ),
  );
}

/** The number of matching rows. */
export function selectCount(rows: RowFilter): Plan {
  return plan(sql("select count(*) from ?? as t where ?", rows.model.table, rowFilterSql(rows, table)));
}

/** Whether any row matches. */
export function selectExists(rows: RowFilter): Plan {
  return plan(
    sql("select exists (select from ?? as t where ?)", rows.model.table, rowFilterSql(rows, table)),
  );
}

/** What rows of a table must fulfil to be in reach. Values from `first` on: those of the filters, the search pattern. */
export function rowFilterSql(
  { model, models, filters, scope, searchIn }: RowFilter,
  alias: string,
  first = 0,
): Sql {
  const column = columnsOfTable(alias);
  const pattern = requestValue(first + filters.length, "text");
  const search = join(
    searchIn.map((field) => sql("? ilike ?", column(field), pattern)),
    " or ",
  );
  return every([
    ...filtersSql(filters, column, first),
    ...(searchIn.length > 0 ? [search] : []),
    ...scopeSql(scope, model, models, column, "read"),
    ...visibilitySql(model, "live", column),
  ]);
}

/** The order of a page, in which `id` settles ties. */
export function orderSql({ orderBy, descending }: Order, alias: string): Sql {
  const column = columnsOfTable(alias);
  const direction = descending ? "desc" : "asc";
  const byId = sql(`? ${direction}`, column("id"));
  return orderBy === "id" ? byId : sql(`? ${direction}, ?`, column(orderBy), byId);
}

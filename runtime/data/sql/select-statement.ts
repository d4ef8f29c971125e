import type { Scope } from "../../models/access/index.ts";
import { columnsOf, hasId, type Model } from "../../models/index.ts";
import type { Models } from "./conditions/relations.ts";
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
  tableSql,
} from "./sql.ts";
import { type Filter, filtersSql, scopeSql, visibilitySql } from "./where-sql.ts";

export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Limits up to this one are part of the text. For a bound limit, PostgreSQL assumes a tenth of all rows, so a
 * custom plan looks cheaper and each execution is planned again. Pages
 * read one more row to know whether others follow.
 */
const largestInText = 101;

/** For more rows, reading them takes much longer than planning the statement. */
const largestWindow = 8_192;

/** Cache key: equal for pages with the same SQL. */
export function pageShape(bounds: PageBounds): string {
  const { limit, offset } = bounds;
  return `${isInText(limit) ? limit : "bound"}${offset === 0 ? "" : `+${windowOf(bounds) ?? ""}`}`;
}

/** Their values precede those of the page. */
interface Sought {
  readonly filters: readonly Filter[];
  readonly searchIn: readonly string[];
}

/**
 * A page of ordered rows. Bound values of limit and offset follow those of the filters. An offset is always
 * bound: a limit around it, a power of two, tells PostgreSQL how far it has to read. The outer query keeps
 * the order of the subquery.
 */
export function pageSql(rows: Sql, { filters, searchIn }: Sought, bounds: PageBounds, first = 0): Sql {
  const { limit, offset } = bounds;
  const at = first + filters.length + (searchIn.length > 0 ? 1 : 0);
  const most = isInText(limit) ? sql(`limit ${limit}`) : sql("limit ?", requestValue(at, "bigint"));
  if (offset === 0) return sql("? ?", rows, most);
  const window = windowOf(bounds);
  const from = window === null ? rows : sql(`select * from (? limit ${window}) as window$`, rows);
  return sql("? ? offset ?", from, most, requestValue(at + 1, "bigint"));
}

/** Whether a limit is part of the text. */
export function isInText(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= largestInText;
}

/** The rows up to the end of a page, rounded up to a power of two; null if there are too many. */
function windowOf({ limit, offset }: PageBounds): number | null {
  const last = limit + offset;
  if (!isInText(limit) || !(last <= largestWindow)) return null;
  return 2 ** Math.ceil(Math.log2(last));
}

/** The rows of a read. */
export interface RowFilter {
  readonly model: Model;
  readonly models: Models;
  readonly filters: readonly Filter[];
  readonly scope: Scope;
  /** Fields to search; empty without a search term. The pattern follows the values of the filters. */
  readonly searchIn: readonly string[];
}

/** `id` breaks ties. */
export interface Order {
  readonly orderBy: string;
  readonly descending: boolean;
}

interface OrderedRows extends Order {
  readonly model: Model;
}

interface PageShape extends RowFilter, Order, PageBounds {
  readonly columns: readonly string[];
  readonly total: boolean;
}

const table = "t";

/**
 * One page. Values: filters, search pattern if any, limit and offset if bound. With `total`, each row begins
 * with the number of all matching rows and a column that is NULL if the page is empty.
 */
export function selectPage(shape: PageShape): Plan {
  const { model, columns, total } = shape;
  const where = rowFilterSql(shape, table);
  // A role may read no field and still see that rows exist.
  const row = columnsOfTable(model, table);
  const list = columns.length === 0 ? sql("null") : columnList(columns, row);
  const rows = sql(
    "select ? from ? as t where ? order by ?",
    total ? sql("? as _row, ?", hasId(model) ? row("id") : sql("true"), list) : list,
    tableSql(model),
    where,
    orderSql(shape, table),
  );
  const page = pageSql(rows, shape, shape);
  if (!total) return plan(page);
  const counted = sql("select count(*) as _total from ? as t where ?", tableSql(model), where);
  return plan(
    sql(
      "select counted._total, page.* from (?) as counted left join lateral (?) as page on true",
      counted,
      page,
    ),
  );
}

export function selectCount(rows: RowFilter): Plan {
  return plan(sql("select count(*) from ? as t where ?", tableSql(rows.model), rowFilterSql(rows, table)));
}

/** The number of matching rows, up to a limit. */
export function selectCountUpTo(rows: RowFilter, most: number): Plan {
  const found = sql(
    "select from ? as t where ? limit ?",
    tableSql(rows.model),
    rowFilterSql(rows, table),
    sql(`${most}`),
  );
  return plan(sql("select count(*) from (?) as found", found));
}

/** The plan of a read of all matching rows, as JSON, with PostgreSQL's estimate of their number. */
export function explainRows(rows: RowFilter): Plan {
  return plan(
    sql("explain (format json) select from ? as t where ?", tableSql(rows.model), rowFilterSql(rows, table)),
  );
}

export function selectExists(rows: RowFilter): Plan {
  return plan(
    sql("select exists (select from ? as t where ?)", tableSql(rows.model), rowFilterSql(rows, table)),
  );
}

/** The condition of a read: filters, search, scope. Values from `first` on: filters, search pattern. */
export function rowFilterSql(
  { model, models, filters, scope, searchIn }: RowFilter,
  alias: string,
  first = 0,
): Sql {
  const column = columnsOfTable(model, alias);
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

/** The id breaks ties. Rows without an id have the order of their key. */
export function orderSql({ model, orderBy, descending }: OrderedRows, alias: string): Sql {
  const column = columnsOfTable(model, alias);
  const ties = hasId(model) ? ["id"] : (model.orderKey ?? []);
  const names = new Set(columnsOf(model).has(orderBy) ? [orderBy, ...ties] : ties);
  const direction = descending ? "desc" : "asc";
  const pieces = [...names].map((name) => sql(`? ${direction}`, column(name)));
  return pieces.length === 0 ? sql("(select null)") : join(pieces, ", ");
}

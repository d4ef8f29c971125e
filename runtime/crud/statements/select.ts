import type { Scope } from "../../access/index.ts";
import type { Model } from "../../model/index.ts";
import type { Filter } from "../input/filters.ts";
import { columnsOfTable, type Models } from "./conditions.ts";
import { every, join, type Plan, plan, requestValue, type Sql, sql } from "./sql.ts";
import { filtersSql, scopeSql, visibilitySql } from "./where.ts";

/** The rows that a read is about. */
export interface Reach {
  readonly model: Model;
  readonly models: Models;
  readonly filters: readonly Filter[];
  readonly scope: Scope;
  /** Fields in which the search term may occur; empty without a term. Its pattern follows the filters' values. */
  readonly searchIn: readonly string[];
}

export interface PageShape extends Reach {
  readonly columns: readonly string[];
  readonly orderBy: string;
  readonly descending: boolean;
  readonly total: boolean;
}

const row = columnsOfTable("t");

/**
 * One page of rows. Values: those of the filters, the search pattern if any, the limit, the offset.
 * With `total` each row begins with the number of all matching rows and a column that is NULL where the page is empty.
 */
export function selectPage(shape: PageShape): Plan {
  const { model, columns, orderBy, descending, total } = shape;
  const first = shape.filters.length + (shape.searchIn.length > 0 ? 1 : 0);
  const where = reachSql(shape);
  const direction = descending ? "desc" : "asc";
  const order =
    orderBy === "id" ? sql(`t.id ${direction}`) : sql(`? ${direction}, t.id ${direction}`, row(orderBy));
  // A role may be allowed to see that there are rows, and nothing of them.
  const list = columns.length === 0 ? sql("null") : join(columns.map(row), ", ");
  const page = sql(
    `select ${total ? "t.id as _row, " : ""}? from ?? as t where ? order by ? limit ? offset ?`,
    list,
    model.table,
    where,
    order,
    requestValue(first, "bigint"),
    requestValue(first + 1, "bigint"),
  );
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
export function selectCount(reach: Reach): Plan {
  return plan(sql("select count(*) from ?? as t where ?", reach.model.table, reachSql(reach)));
}

/** Whether any row matches. */
export function selectExists(reach: Reach): Plan {
  return plan(sql("select exists (select from ?? as t where ?)", reach.model.table, reachSql(reach)));
}

function reachSql({ model, models, filters, scope, searchIn }: Reach): Sql {
  const pattern = requestValue(filters.length, "text");
  const search = join(
    searchIn.map((field) => sql("? ilike ?", row(field), pattern)),
    " or ",
  );
  return every([
    ...filtersSql(filters, row),
    ...(searchIn.length > 0 ? [search] : []),
    ...scopeSql(scope, model, models, row, "read"),
    ...visibilitySql(model, "live", row),
  ]);
}

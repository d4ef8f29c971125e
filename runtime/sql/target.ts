import type { Model } from "../model/index.ts";
import { type ColumnSql, requestList, type Sql, sql } from "./sql.ts";
import { type Filter, filtersShape, filtersSql, type Visibility, visibilitySql } from "./where-sql.ts";

/** Which rows a write is about: those that match filters, or those with the given ids (then all of them, or none). */
export type Target = { readonly by: "filters"; readonly filters: readonly Filter[] } | { readonly by: "ids" };

/** What the rows fulfil. Values: those of the filters, or the list of ids and their number. */
export function targetSql(
  { model, target, sees }: { readonly model: Model; readonly target: Target; readonly sees: Visibility },
  row: ColumnSql,
): Sql[] {
  const wanted =
    target.by === "ids"
      ? [sql("? = any(?)", row("id"), requestList(0, model.id))]
      : filtersSql(target.filters, row);
  return [...wanted, ...visibilitySql(model, sees, row)];
}

/** How many values a target has. */
export function valuesOf(target: Target): number {
  return target.by === "ids" ? 2 : target.filters.length;
}

/** Text that tells apart targets whose SQL differs. */
export function targetShape(target: Target): string {
  return target.by === "ids" ? "ids" : filtersShape(target.filters);
}

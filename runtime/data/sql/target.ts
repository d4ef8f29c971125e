import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { type ColumnSql, columnsOfTable, every, requestList, type Sql, sql } from "./sql.ts";
import {
  type Filter,
  filtersShape,
  filtersSql,
  scopeSql,
  type Visibility,
  visibilitySql,
} from "./where-sql.ts";

/** Which rows a write is about: those that match filters, or those with the given ids (then all of them, or none). */
export type Target = { readonly by: "filters"; readonly filters: readonly Filter[] } | { readonly by: "ids" };

interface TargetOfModel {
  readonly model: Model;
  readonly target: Target;
  readonly sees: Visibility;
}

/** What the rows fulfil. Values: those of the filters, or the list of ids and their number. */
export function targetSql({ model, target, sees }: TargetOfModel, row: ColumnSql): Sql[] {
  const wanted =
    target.by === "ids"
      ? [sql("? = any(?)", row("id"), requestList(0, model.id))]
      : filtersSql(target.filters, row);
  return [...wanted, ...visibilitySql(model, sees, row)];
}

/** Rows of a target, of which those count that the caller can write or fetch. */
export interface CountedTarget extends TargetOfModel {
  readonly models: Models;
  /** The rows that the caller can write. */
  readonly scope: Scope;
  /** The rows that the caller can fetch. */
  readonly fetches: Scope;
}

const counted = columnsOfTable("counted$");

/**
 * The rows of a target that count (`docs/access-rules.md#which-rows-of-a-write-count`). They count by what the statement saw when it
 * began: PostgreSQL runs the inner query once. A row that changes while the statement waits for it is judged, not left out.
 */
export function countedSql(shape: CountedTarget, row: ColumnSql): Sql[] {
  const { model, models, target, scope, fetches, sees } = shape;
  const wanted = targetSql(shape, row);
  const reach = (each: Scope) => scopeSql(each, model, models, counted, "read");
  // A deleted row cannot be fetched, so it counts only where it can be written.
  const live = sees === "live" ? [] : visibilitySql(model, "live", counted);
  const fetched = [...live, ...reach(fetches)];
  if (namesIds(target) || scope.kind === "all" || fetched.length === 0) return wanted;
  const reached = sql("? or ?", every(reach(scope)), every(fetched));
  const rows = every([...targetSql(shape, counted), reached]);
  const ids = sql("array(select ? from ?? as ?? where ?)", counted("id"), model.table, "counted$", rows);
  return [...wanted, sql("? = any(?)", row("id"), ids)];
}

function namesIds(target: Target): boolean {
  if (target.by === "ids") return true;
  return target.filters.every(
    ({ field, operator }) => field === "id" && (operator === "eq" || operator === "in"),
  );
}

/** How many values a target has. */
export function valuesOf(target: Target): number {
  return target.by === "ids" ? 2 : target.filters.length;
}

/** Text that tells apart targets whose SQL differs. */
export function targetShape(target: Target): string {
  return target.by === "ids" ? "ids" : filtersShape(target.filters);
}

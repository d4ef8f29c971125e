import type { Scope } from "../../models/access/index.ts";
import { columnsOf, type Model } from "../../models/index.ts";
import { columnsOnce, dependsOnOwnModel, lockColumns } from "./conditions/parent-locks.ts";
import type { Models } from "./conditions/relations.ts";
import { writtenId } from "./insert-statement.ts";
import {
  type ColumnSql,
  columnList,
  columnsOfTable,
  every,
  idValues,
  type Plan,
  plan,
  requestValue,
  type Sql,
  setSql,
  sql,
  tableSql,
  timeOfStatement,
  withValues,
  writeTimes,
} from "./sql.ts";
import {
  type Filter,
  filtersShape,
  filtersSql,
  scopeSql,
  type Visibility,
  visibilitySql,
} from "./where-sql.ts";

/** The rows of a write: those that match filters, or those with the given ids (all of them or none). */
export type MutationTarget =
  | { readonly by: "filters"; readonly filters: readonly Filter[] }
  | { readonly by: "ids" };

interface TargetOfModel {
  readonly model: Model;
  readonly target: MutationTarget;
  readonly sees: Visibility;
}

/** Values: those of the filters, or the list of ids and their number. */
function targetSql({ model, target, sees }: TargetOfModel, row: ColumnSql): Sql[] {
  const wanted =
    target.by === "ids"
      ? [sql("? = any(?)", row("id"), idValues(0, model))]
      : filtersSql(target.filters, row);
  return [...wanted, ...visibilitySql(model, sees, row)];
}

interface MatchedTarget extends TargetOfModel {
  readonly models: Models;
  /** The rows that the caller can write. */
  readonly scope: Scope;
  /** The rows that the caller can fetch. */
  readonly fetches: Scope;
}

/**
 * The rows that a target matches (docs/access-rules.md) when the statement starts, since PostgreSQL runs the
 * inner query once. A row that changes while the statement waits for it is checked, not left out.
 */
function matchedSql(shape: MatchedTarget, row: ColumnSql): Sql[] {
  const { model, models, target, scope, fetches, sees } = shape;
  const wanted = targetSql(shape, row);
  const counted = columnsOfTable(model, "counted$");
  const reach = (each: Scope) => scopeSql(each, model, models, counted, "read");
  // A deleted row cannot be fetched, so it matches only if the caller can write it.
  const live = sees === "live" ? [] : visibilitySql(model, "live", counted);
  const fetched = [...live, ...reach(fetches)];
  if (namesIds(target) || scope.kind === "all" || fetched.length === 0) return wanted;
  const reached = sql("? or ?", every(reach(scope)), every(fetched));
  const rows = every([...targetSql(shape, counted), reached]);
  const ids = sql("array(select ? from ? as counted$ where ?)", counted("id"), tableSql(model), rows);
  return [...wanted, sql("? = any(?)", row("id"), ids)];
}

function namesIds(target: MutationTarget): boolean {
  if (target.by === "ids") return true;
  return target.filters.every(
    ({ field, operator }) => field === "id" && (operator === "eq" || operator === "in"),
  );
}

/** The number of values of a target. */
function valuesOf(target: MutationTarget): number {
  return target.by === "ids" ? 2 : target.filters.length;
}

/** Cache key: equal for targets with the same SQL. */
export function targetShape(target: MutationTarget): string {
  return target.by === "ids" ? "ids" : filtersShape(target.filters);
}

/** The values of `fields` follow those of the target. */
export type WriteKind =
  | { readonly kind: "update"; readonly fields: readonly string[] }
  | { readonly kind: "restore"; readonly fields: readonly string[] }
  | { readonly kind: "soft-delete" }
  | { readonly kind: "remove" };

export interface ChangeShape extends MatchedTarget {
  readonly write: WriteKind;
  /**
   * `lockTargets` has locked the rows. Their ids follow the other values, and only these rows are changed.
   */
  readonly locked: boolean;
  /** JSON text of the row with this alias, returned next to its id; of a removed row before the removal. */
  readonly text?: ((alias: string) => Sql) | undefined;
}

/**
 * Changes all matched rows in one statement, or none if one of them is outside the scope before or after the
 * change. Returns rows `[found, allowed, id, text?]`. Found and allowed are the same in each row; id is NULL
 * if nothing changed. Values: those of the target, then those of the fields.
 */
export function change(shape: ChangeShape): Plan {
  const { target, scope } = shape;
  if (scope.kind === "all" && target.by === "filters") return changeAll(shape);
  const verdict =
    target.by === "ids" ? sql("allowed and found = ?", requestValue(1, "integer")) : sql("allowed");
  return plan(
    sql(
      `with ?, verdict$ as (
        select count(*)::int as found, coalesce(bool_and(allowed), true) as allowed from target$
      ), changed$ as (
        ? ? in (select id from target$) and (select ? from verdict$) returning ?
      )
      select found, allowed, changed.* from verdict$ left join changed$ as changed on true order by changed.id`,
      authorizedTargets(shape),
      writeSql(shape),
      rowOf(shape)("id"),
      verdict,
      returned(shape),
    ),
  );
}

/**
 * The matched rows, locked and checked. If the scope can depend on these rows, they are locked first. Two
 * writers with shared locks would deadlock when both need an exclusive lock.
 */
function authorizedTargets(shape: ChangeShape): Sql {
  const { model, models, scope } = shape;
  const id = rowOf(shape)("id");
  const allowed = sql("? as id, coalesce(?, false) as allowed", id, every(scopeChecks(shape)));
  if (!dependsOnOwnModel(scope, model, models))
    return sql(
      "target$ as (select ? from ? as t where ? order by ? for update of t)",
      allowed,
      tableSql(model),
      every(wantedSql(shape)),
      id,
    );
  return sql("?, target$ as materialized (select ? from locked$ as t)", lockedTargets(shape), allowed);
}

function lockedTargets(shape: ChangeShape): Sql {
  return sql(
    "locked$ as materialized (select t.* from ? as t where ? order by ? for update of t)",
    tableSql(shape.model),
    every(wantedSql(shape)),
    rowOf(shape)("id"),
  );
}

function rowOf({ model }: Pick<ChangeShape, "model">): ColumnSql {
  return columnsOfTable(model, "t");
}

/**
 * Locks the matched rows, and their parent rows of one level before and after the change. Returns one row
 * that begins with the ids as an array. Values: those of `change`.
 */
export function lockTargets(shape: ChangeShape, level: number): Plan {
  const { model, models, scope } = shape;
  const from = sql("locked$ as t");
  const states = statesOf(shape).map((state) => ({ model, from, row: state }));
  const parents = states.flatMap((rows) => lockColumns(scope, level, rows, models, "row"));
  const ids = sql("array(select ? from locked$ as t)", rowOf(shape)("id"));
  return plan(sql("with ? select ?", lockedTargets(shape), columnsOnce([ids, ...parents])));
}

function returned({ text, model, models, scope, write }: ChangeShape): Sql {
  const id = writtenId({ model, models, scope, fields: "fields" in write ? write.fields : [] });
  return text === undefined ? id : sql("?, ?", id, text("t"));
}

function changeAll(shape: ChangeShape): Plan {
  return plan(sql("? ? returning 1, true, ?", writeSql(shape), every(wantedSql(shape)), returned(shape)));
}

function wantedSql(shape: ChangeShape): Sql[] {
  const { model, target, write, locked } = shape;
  const row = rowOf(shape);
  const others = valuesOf(target) + ("fields" in write ? write.fields.length : 0);
  // The statement that locked the rows has already applied the filters.
  return locked
    ? [...targetSql(shape, row), sql("? = any(?)", row("id"), idValues(others, model))]
    : matchedSql(shape, row);
}

function scopeChecks(shape: ChangeShape): Sql[] {
  const { model, models, scope } = shape;
  return statesOf(shape).flatMap((state, index) =>
    scopeSql(scope, model, models, state, "locked", index > 0),
  );
}

/** Before and, for updates, after the change. */
function statesOf({ model, target, write }: ChangeShape): ColumnSql[] {
  const row = columnsOfTable(model, "t");
  if (write.kind === "soft-delete" || write.kind === "remove") return [row];
  const after = new Map([...assignments(model, target, write), ...writeTimes(model)]);
  return [row, withValues(row, after)];
}

function writeSql({ model, target, write }: ChangeShape): Sql {
  switch (write.kind) {
    case "remove":
      return sql("delete from ? as t where", tableSql(model));
    case "soft-delete":
      return sql("update ? as t set ? where", tableSql(model), setSql(model, new Map(deletion)));
    default:
      return sql(
        "update ? as t set ? where",
        tableSql(model),
        setSql(model, assignments(model, target, write)),
      );
  }
}

const deletion = [["deleted_at", timeOfStatement]] as const;

function assignments(
  model: Model,
  target: MutationTarget,
  write: Extract<WriteKind, { fields: readonly string[] }>,
): Map<string, Sql> {
  const columns = columnsOf(model);
  const first = valuesOf(target);
  const set = new Map<string, Sql>();
  for (const [index, name] of write.fields.entries()) {
    const column = columns.get(name);
    if (column !== undefined) set.set(name, requestValue(first + index, column));
  }
  if (write.kind === "restore") set.set("deleted_at", sql("null::timestamptz"));
  return set;
}

/**
 * Rows by ids, in the order of the list, soft-deleted ones too. Missing rows are left out. Value: the list.
 */
export function selectByIds(model: Model, columns: readonly string[]): Plan {
  const row = columnsOfTable(model, "t");
  return plan(
    sql(
      `select ? from unnest(?) with ordinality as sent (wanted, position)
      join ? as t on ? = sent.wanted order by sent.position`,
      columnList(columns, row),
      idValues(0, model),
      tableSql(model),
      row("id"),
    ),
  );
}

/** Like `selectByIds`, limited to rows of a scope: `[id, …columns]`. */
export function selectOpenByIds(
  model: Model,
  models: Models,
  scope: Scope,
  columns: readonly string[],
): Plan {
  const row = columnsOfTable(model, "t");
  return plan(
    sql(
      "select ? from ? as t where ?",
      columnList(["id", ...columns], row),
      tableSql(model),
      every([
        sql("? = any(?)", row("id"), idValues(0, model)),
        ...scopeSql(scope, model, models, row, "read"),
      ]),
    ),
  );
}

export interface TargetRows extends MatchedTarget {
  readonly columns: readonly string[];
}

/**
 * Locks and reads the matched rows in order of their ids: `[id, allowed, …columns]`. Allowed: the scope
 * allows the row. Values: those of the target, then the maximum number of rows.
 */
export function lockRows(shape: TargetRows): Plan {
  const { model, models, target, scope, columns } = shape;
  const row = rowOf(shape);
  return plan(
    sql(
      "select ?, coalesce(?, false), ? from ? as t where ? order by ? limit ? for update of t",
      row("id"),
      every(scopeSql(scope, model, models, row, "read")),
      columnList(columns, row),
      tableSql(model),
      every(matchedSql(shape, row)),
      row("id"),
      requestValue(valuesOf(target), "bigint"),
    ),
  );
}

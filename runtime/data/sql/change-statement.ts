import { columnsOf, type Model } from "../../models/index.ts";
import { anchorColumns, columnsOnce, restsOnItself } from "./absence.ts";
import {
  type ColumnSql,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  requestList,
  requestValue,
  type Sql,
  sql,
  timeOfStatement,
} from "./sql.ts";
import { type CountedTarget, countedSql, type Target, targetSql, valuesOf } from "./target.ts";
import { scopeSql } from "./where-sql.ts";
import { writtenId } from "./written-id.ts";

/** What happens to the rows. The values of `fields` follow those of the target. */
export type WriteKind =
  | { readonly kind: "update"; readonly fields: readonly string[] }
  | { readonly kind: "restore"; readonly fields: readonly string[] }
  | { readonly kind: "soft-delete" }
  | { readonly kind: "remove" };

export interface ChangeShape extends CountedTarget {
  readonly write: WriteKind;
  /** The rows were locked by `lockTargets`; what it answered follows the other values, and no other row is touched. */
  readonly locked: boolean;
  /** JSON text of the row with this alias, to stand beside its id; of a row that is removed: as it was. */
  readonly text?: ((alias: string) => Sql) | undefined;
}

const row = columnsOfTable("t");

/**
 * Changes all rows of the target that count, or none when one of them is out of the scope before or after, as one statement.
 * Answers rows `[found, allowed, id]`, or `[found, allowed, id, text]`: found and allowed are the same in each, and id is
 * NULL where nothing changed.
 * Values: those of the filters, or the list of ids and their number; then those of the fields.
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
        ? t.id in (select id from target$) and (select ? from verdict$) returning ?
      )
      select found, allowed, changed.* from verdict$ left join changed$ as changed on true order by changed.id`,
      judgedTargets(shape),
      writeSql(shape),
      verdict,
      returned(shape),
    ),
  );
}

/**
 * The rows of the target that count, locked and judged. Where the scope may rest on one of them they are locked first: two writers who
 * held such a row shared would both wait to have it alone.
 */
function judgedTargets(shape: ChangeShape): Sql {
  const { model, models, scope } = shape;
  const allowed = sql("coalesce(?, false) as allowed", every(admission(shape)));
  if (!restsOnItself(scope, model, models))
    return sql(
      "target$ as (select t.id, ? from ?? as t where ? order by t.id for update of t)",
      allowed,
      model.table,
      every(wantedSql(shape)),
    );
  return sql("?, target$ as materialized (select t.id, ? from locked$ as t)", lockedTargets(shape), allowed);
}

function lockedTargets(shape: ChangeShape): Sql {
  const target = every(wantedSql(shape));
  return sql(
    "locked$ as materialized (select t.* from ?? as t where ? order by t.id for update of t)",
    shape.model.table,
    target,
  );
}

/**
 * Locks the rows of the target, and the anchors of one level that the scope has from them: of the rows as they are and as they
 * will be. Answers one row, which begins with the ids as an array. Values: as those of the change.
 */
export function lockTargets(shape: ChangeShape, level: number): Plan {
  const { model, models, scope } = shape;
  const from = sql("locked$ as t");
  const states = statesOf(shape).map((state) => ({ model, from, row: state }));
  const anchors = states.flatMap((rows) => anchorColumns(scope, level, rows, models, "row"));
  const ids = sql("array(select t.id from locked$ as t)");
  return plan(sql("with ? select ?", lockedTargets(shape), columnsOnce([ids, ...anchors])));
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
  const others = valuesOf(target) + ("fields" in write ? write.fields.length : 0);
  // Locked rows counted when they were locked.
  return locked
    ? [...targetSql(shape, row), sql("t.id = any(?)", requestList(others, model.id))]
    : countedSql(shape, row);
}

/** The scope of the row as it is and, for updates, as it will be. */
function admission(shape: ChangeShape): Sql[] {
  const { model, models, scope } = shape;
  return statesOf(shape).flatMap((state) => scopeSql(scope, model, models, state, "held", state !== row));
}

/** The row as it is and, for updates, as it will be. */
function statesOf({ model, target, write }: ChangeShape): ColumnSql[] {
  if (write.kind === "soft-delete" || write.kind === "remove") return [row];
  const after = assignments(model, target, write);
  return [row, (name) => after.get(name) ?? row(name)];
}

/** The statement up to and including its `where`. */
function writeSql({ model, target, write }: ChangeShape): Sql {
  switch (write.kind) {
    case "remove":
      return sql("delete from ?? as t where", model.table);
    case "soft-delete":
      return sql(
        "update ?? as t set deleted_at = ?, updated_at = ? where",
        model.table,
        timeOfStatement,
        timeOfStatement,
      );
    default: {
      const set = [...assignments(model, target, write)].map(([name, value]) => sql("?? = ?", name, value));
      return sql("update ?? as t set ? where", model.table, join(set, ", "));
    }
  }
}

function assignments(
  model: Model,
  target: Target,
  write: Extract<WriteKind, { fields: readonly string[] }>,
): Map<string, Sql> {
  const columns = columnsOf(model);
  const first = valuesOf(target);
  const set = new Map<string, Sql>();
  for (const [index, name] of write.fields.entries()) {
    const column = columns.get(name);
    if (column !== undefined) set.set(name, requestValue(first + index, column.kind));
  }
  if (write.kind === "restore") set.set("deleted_at", sql("null::timestamptz"));
  return set.set("updated_at", timeOfStatement);
}

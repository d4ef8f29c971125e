import type { Scope } from "../access/index.ts";
import type { Model } from "../model/index.ts";
import { anchorColumns, columnsOnce } from "./absence.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { insertColumns, recordColumns, recordSql } from "./insert-statement.ts";
import {
  type ColumnSql,
  columnList,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  requestList,
  type Sql,
  sql,
  timeOfStatement,
} from "./sql.ts";
import { scopeSql, visibilitySql } from "./where-sql.ts";
import { writtenId } from "./written-id.ts";

export interface UpsertShape {
  readonly model: Model;
  readonly models: Models;
  /** The unique key that decides between insert and update. */
  readonly key: readonly string[];
  /** The fields that the caller sent: an update sets these alone. */
  readonly sent: readonly string[];
  readonly insert: Scope;
  readonly update: Scope;
  /** The row was locked by `lockForUpsert`; what it answered follows the other values, and no other row is updated. */
  readonly locked: boolean;
}

const table = columnsOfTable("t");
const record = columnsOfTable("v");

/**
 * Inserts a record, or updates the live row that has its key, as one statement. Answers one row
 * `[id, inserted, insertable, dead]`: id is NULL where nothing was written, insertable tells whether the scope admits the
 * new row, dead whether a soft-deleted row holds the id. Values: those of `insertColumns`.
 */
export function upsert(shape: UpsertShape): Plan {
  const { model, models, key } = shape;
  const names = insertColumns(model);
  const list = columnList(names);
  const byId = key.join() === "id";
  const conflict = byId || !model.softDelete ? "" : " where deleted_at is null";
  return plan(
    sql(
      `with v$ as materialized (
        select v.*, coalesce(?, false) as _insertable from (select ?) as v
      ), written$ as (
        insert into ?? as t (?) select ? from v$ where _insertable or exists (select from ?? as t where ?)
        on conflict (?)${conflict} do update set ? where ? returning ?, t.xmax = 0 as inserted
      )
      select written.id, written.inserted, v._insertable, exists (select from ?? as t where ?)
      from v$ as v left join written$ as written on true`,
      every(scopeSql(shape.insert, model, models, recordColumns(model, record), "held", true)),
      recordSql(model, names),
      model.table,
      list,
      list,
      model.table,
      every([...sameKey(key), ...visibilitySql(model, "live", table)]),
      columnList(key),
      join(
        [
          ...shape.sent.map((name) => sql("?? = excluded.??", name, name)),
          sql("updated_at = ?", timeOfStatement),
        ],
        ", ",
      ),
      every(updatable(shape)),
      writtenId({ model, models, scope: eitherScope(shape), fields: names }),
      model.table,
      every(byId ? [...sameKey(key), ...deadSql(model)] : [sql("false")]),
    ),
  );
}

/**
 * Locks the row that has the key of a record, and the anchors of one level: that the scope of inserts has from the record, and
 * that of updates from the row as it is and as it will be. Answers one row, which begins with the id in an array. Values: as
 * those of the upsert.
 */
export function lockForUpsert(shape: UpsertShape, level: number): Plan {
  const { model, models, key } = shape;
  const added = { model, from: sql("v$ as v"), row: recordColumns(model, record) };
  const from = sql("locked$ as t, v$ as excluded");
  const states = statesOf(shape).map((row) => ({ model, from, row }));
  const anchors = [
    ...anchorColumns(shape.insert, level, added, models, "record"),
    ...states.flatMap((rows) => anchorColumns(shape.update, level, rows, models, "row")),
  ];
  return plan(
    sql(
      `with v$ as materialized (select ?), locked$ as materialized (
        select t.* from ?? as t where ? order by t.id for update of t
      ) select ?`,
      recordSql(model, insertColumns(model)),
      model.table,
      every([...sameKey(key), ...visibilitySql(model, "live", table), ...pinned(shape)]),
      columnsOnce([sql("array(select t.id from locked$ as t)"), ...anchors]),
    ),
  );
}

/** Nobody knows beforehand whether the record is inserted. */
function eitherScope({ insert, update }: UpsertShape): Scope {
  if (insert.kind !== "some") return update;
  if (update.kind !== "some") return insert;
  return { kind: "some", when: { op: "and", conditions: [insert.when, update.when] } };
}

function pinned({ model, locked }: UpsertShape): Sql[] {
  return locked ? [sql("? = any(?)", table("id"), requestList(insertColumns(model).length, model.id))] : [];
}

function sameKey(key: readonly string[]): Sql[] {
  return key.map((name) => sql("? = (select ? from v$ as v)", table(name), record(name)));
}

function deadSql(model: Model): Sql[] {
  return model.softDelete ? visibilitySql(model, "deleted", table) : [sql("false")];
}

/** The row is live, and in the scope of updates before and after. */
function updatable(shape: UpsertShape): Sql[] {
  const { model, models, update } = shape;
  const admitted = statesOf(shape).flatMap((state) =>
    scopeSql(update, model, models, state, "held", state !== table),
  );
  return [...visibilitySql(model, "live", table), ...pinned(shape), ...admitted];
}

function statesOf({ sent }: UpsertShape): ColumnSql[] {
  const set = new Set(sent);
  const after: ColumnSql = (name) => {
    if (set.has(name)) return sql("excluded.??", name);
    return name === "updated_at" ? timeOfStatement : table(name);
  };
  return [table, after];
}

/** The first unique key, primary key first, of which the record holds every field; undefined when there is none. */
export function decidingKey(
  model: Model,
  data: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const keys = [...model.uniqueKeys].sort(
    (a, b) => Number(a.fields.length > 1) - Number(b.fields.length > 1),
  );
  const candidates = [["id"], ...keys.map((key) => key.fields)];
  return candidates.find((fields) =>
    fields.every((name) => Object.hasOwn(data, name) && data[name] !== null),
  );
}

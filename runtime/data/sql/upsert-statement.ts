import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import { anchorColumns, columnsOnce } from "./absence.ts";
import { insertColumns, recordColumns, recordSql } from "./insert-statement.ts";
import { columnList, every, join, type Plan, plan, type Sql, sql, timeOfStatement } from "./sql.ts";
import { proposalOf } from "./upsert-proposal.ts";
import { pinned, record, sameKey, statesOf, table, type UpsertShape, updatable } from "./upsert-rows.ts";
import { scopeSql, visibilitySql } from "./where-sql.ts";
import { writtenId } from "./written-id.ts";

/**
 * Inserts a record, or updates the live row that has its key, as one statement. Answers one row
 * `[id, inserted, insertable, dead]`: id is NULL where nothing was written, insertable tells whether the scope admits the
 * new row, dead whether a soft-deleted row holds the id. Values: those of `insertColumns`.
 */
export function upsert(shape: UpsertShape): Plan {
  const { model, models, key } = shape;
  const byId = key.join() === "id";
  const conflict = byId || !model.softDelete ? "" : " where deleted_at is null";
  const names = insertColumns(model);
  const { ahead, proposed } = proposalOf(shape);
  return plan(
    sql(
      `with v$ as materialized (
        select v.*, coalesce(?, false) as _insertable from (select ?) as v
      ), ?written$ as (
        insert into ?? as t (?) ?
        on conflict (?)${conflict} do update set ? where ? returning ?, t.xmax = 0 as inserted
      )
      select written.id, written.inserted, v._insertable, exists (select from ?? as t where ?)
      from v$ as v left join written$ as written on true`,
      every(scopeSql(shape.insert, model, models, recordColumns(model, record), "held", true)),
      recordSql(model, names),
      ahead,
      model.table,
      columnList(names),
      proposed,
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

function deadSql(model: Model): Sql[] {
  return model.softDelete ? visibilitySql(model, "deleted", table) : [sql("false")];
}

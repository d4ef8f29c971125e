import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import { columnsOnce, lockColumns } from "./conditions/parent-locks.ts";
import type { Models } from "./conditions/relations.ts";
import { insertColumns, recordColumns, recordSql, writtenId } from "./insert-statement.ts";
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

/** What makes the text of an upsert. */
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

/** The row that is there. */
const table = columnsOfTable("t");
/** The row that was sent. */
const record = columnsOfTable("v");

/** That the row is the one that was locked, where one was. */
function pinned({ model, locked }: UpsertShape): Sql[] {
  return locked ? [sql("? = any(?)", table("id"), requestList(insertColumns(model).length, model.id))] : [];
}

/** That the row has the key of the record. */
function sameKey(key: readonly string[]): Sql[] {
  return key.map((name) => sql("? = (select ? from v$ as v)", table(name), record(name)));
}

/** The row is live, and in the scope of updates before and after. */
function updatable(shape: UpsertShape): Sql[] {
  const { model, models, update } = shape;
  const admitted = statesOf(shape).flatMap((state) =>
    scopeSql(update, model, models, state, "held", state !== table),
  );
  return [...visibilitySql(model, "live", table), ...pinned(shape), ...admitted];
}

/** The row as it is, and as an update leaves it. */
function statesOf({ sent }: UpsertShape): ColumnSql[] {
  const set = new Set(sent);
  const after: ColumnSql = (name) => {
    if (set.has(name)) return sql("excluded.??", name);
    return name === "updated_at" ? timeOfStatement : table(name);
  };
  return [table, after];
}

/** What stands before the insert, and the query of the row that it proposes. */
interface Proposal {
  readonly ahead: Sql;
  readonly proposed: Sql;
}

/** The row that an upsert proposes to PostgreSQL, which updates in its place the one that has its key. */
function proposalOf(shape: UpsertShape): Proposal {
  return shape.model.checks === undefined ? recordAsSent(shape) : rowAsItWillBe(shape);
}

function recordAsSent({ model, key }: UpsertShape): Proposal {
  return {
    ahead: sql(""),
    proposed: sql(
      "select ? from v$ where _insertable or exists (select from ?? as t where ?)",
      columnList(insertColumns(model)),
      model.table,
      every([...sameKey(key), ...visibilitySql(model, "live", table)]),
    ),
  };
}

/**
 * PostgreSQL judges the row that is proposed by the checks before it looks for the one that is there. So that one is locked first,
 * and what was not sent is taken from it; out of the scope nothing is proposed, since a check would tell of its fields.
 */
function rowAsItWillBe(shape: UpsertShape): Proposal {
  const { model, key, sent } = shape;
  const given = new Set(["id", ...key, ...sent]);
  const column = columnsOfTable("excluded");
  const proposed = insertColumns(model).map((name) =>
    given.has(name)
      ? column(name)
      : sql("case when t.id is null then ? else ? end", column(name), table(name)),
  );
  return {
    ahead: sql(
      "held$ as materialized (select t.* from ?? as t where ? for update of t), ",
      model.table,
      every([...sameKey(key), ...visibilitySql(model, "live", table), ...pinned(shape)]),
    ),
    proposed: sql(
      `select ? from v$ as excluded left join held$ as t on true
        where case when t.id is null then excluded._insertable else ? end`,
      join(proposed, ", "),
      every(updatable(shape)),
    ),
  };
}

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
    ...lockColumns(shape.insert, level, added, models, "record"),
    ...states.flatMap((rows) => lockColumns(shape.update, level, rows, models, "row")),
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

/**
 * The first unique key, primary key first, of which the record has all fields; undefined if there is none.
 */
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

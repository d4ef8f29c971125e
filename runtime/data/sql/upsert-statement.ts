import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import { columnsOnce, lockColumns } from "./conditions/parent-locks.ts";
import type { Models } from "./conditions/relations.ts";
import {
  insertColumns,
  intoSql,
  recordColumns,
  recordSql,
  withTimes,
  writtenId,
} from "./insert-statement.ts";
import {
  bareColumns,
  type ColumnSql,
  columnList,
  columnsOfTable,
  every,
  idValues,
  type Plan,
  plan,
  type Sql,
  setSql,
  sql,
  tableSql,
  withValues,
  writeTimes,
} from "./sql.ts";
import { scopeSql, visibilitySql } from "./where-sql.ts";

export interface UpsertShape {
  readonly model: Model;
  readonly models: Models;
  /** The unique key that decides between insert and update. */
  readonly key: readonly string[];
  /** An update sets only these fields. */
  readonly sent: readonly string[];
  readonly insert: Scope;
  readonly update: Scope;
  /** `lockForUpsert` has locked the row. Its id follows the other values, and only this row is updated. */
  readonly locked: boolean;
  /** A text of the row with this alias, if it existed before. */
  readonly text?: ((alias: string) => Sql) | undefined;
}

/** The existing row. */
const tableRow = ({ model }: UpsertShape): ColumnSql => columnsOfTable(model, "t");
/** The sent row. */
const sentRow = ({ model }: UpsertShape): ColumnSql => columnsOfTable(model, "v");

/** The row is the locked one, if one was locked. */
function pinned(shape: UpsertShape): Sql[] {
  const { model, locked } = shape;
  if (!locked) return [];
  return [sql("? = any(?)", tableRow(shape)("id"), idValues(insertColumns(model).length, model))];
}

function sameKey(shape: UpsertShape): Sql[] {
  const [table, record] = [tableRow(shape), sentRow(shape)];
  return shape.key.map((name) => sql("? = (select ? from v$ as v)", table(name), record(name)));
}

/** The existing live row with the key. */
function keyHolder(shape: UpsertShape): Sql[] {
  return [...sameKey(shape), ...visibilitySql(shape.model, "live", tableRow(shape))];
}

/** The row is live, and the scope of updates allows it before and after. */
function updatable(shape: UpsertShape): Sql[] {
  const { model, models, update } = shape;
  const admitted = statesOf(shape).flatMap((state, index) =>
    scopeSql(update, model, models, state, "locked", index > 0),
  );
  return [...visibilitySql(model, "live", tableRow(shape)), ...pinned(shape), ...admitted];
}

/** Before and after an update. */
function statesOf(shape: UpsertShape): ColumnSql[] {
  const table = tableRow(shape);
  const sent = columnsOfTable(shape.model, "excluded");
  const after = new Map([
    ...shape.sent.map((name) => [name, sent(name)] as const),
    ...writeTimes(shape.model),
  ]);
  return [table, withValues(table, after)];
}

/** The query of the proposed row, and a common table expression that it needs. */
interface Proposal {
  readonly ahead: Sql;
  readonly proposed: Sql;
}

/** The row to insert. PostgreSQL updates the existing row with the same key instead. */
function proposalOf(shape: UpsertShape): Proposal {
  // A table that another tool made can have checks that the model does not name.
  const { checks, columns } = shape.model;
  return checks === undefined && columns === undefined ? recordAsSent(shape) : rowAsItWillBe(shape);
}

function recordAsSent(shape: UpsertShape): Proposal {
  const { model } = shape;
  return {
    ahead: sql(""),
    proposed: sql(
      "select ? from v$ where _insertable or exists (select from ? as t where ?)",
      withTimes(
        model,
        insertColumns(model).map((name) => bareColumns(model)(name)),
      ),
      tableSql(model),
      every(keyHolder(shape)),
    ),
  };
}

/**
 * PostgreSQL applies check constraints to the proposed row before it looks for an existing one. So the
 * existing row is locked first and supplies the fields that were not sent. Outside the scope nothing is
 * proposed, because a failed check would reveal fields.
 */
function rowAsItWillBe(shape: UpsertShape): Proposal {
  const { model, key, sent } = shape;
  const given = new Set(["id", ...key, ...sent]);
  const column = columnsOfTable(model, "excluded");
  const table = tableRow(shape);
  const proposed = insertColumns(model).map((name) =>
    given.has(name)
      ? column(name)
      : sql("case when ? is null then ? else ? end", table("id"), column(name), table(name, "stored")),
  );
  return {
    ahead: sql(
      "held$ as materialized (select t.* from ? as t where ? for update of t), ",
      tableSql(model),
      every([...keyHolder(shape), ...pinned(shape)]),
    ),
    proposed: sql(
      `select ? from v$ as excluded left join held$ as t on true
        where case when ? is null then excluded._insertable else ? end`,
      withTimes(model, proposed),
      table("id"),
      every(updatable(shape)),
    ),
  };
}

/**
 * Inserts a record, or updates the live row with its key, in one statement. Returns `[id, inserted,
 * insertable, dead, text]`. `id` is NULL if nothing was written. `insertable`: the scope allows the new row.
 * `dead`: a soft-deleted row has the id. Values: those of `insertColumns`.
 */
export function upsert(shape: UpsertShape): Plan {
  const { model, models, key } = shape;
  const byId = key.join() === "id";
  const bare = bareColumns(model);
  const conflict = byId || !model.softDelete ? sql("") : sql(" where ? is null", bare("deleted_at"));
  const names = insertColumns(model);
  const excluded = columnsOfTable(model, "excluded");
  const { ahead, proposed } = proposalOf(shape);
  return plan(
    sql(
      `with v$ as materialized (
        select v.*, coalesce(?, false) as _insertable from (select ?) as v
      ), ?written$ as (
        ? ?
        on conflict (?)? do update set ? where ? returning ?, t.xmax = 0 as inserted, ? as text
      )
      select written.id, written.inserted, v._insertable, exists (select from ? as t where ?), written.text
      from v$ as v left join written$ as written on true`,
      every(scopeSql(shape.insert, model, models, recordColumns(model, sentRow(shape)), "locked", true)),
      recordSql(model, names),
      ahead,
      intoSql(model, names),
      proposed,
      columnList(key, bare),
      conflict,
      setSql(
        model,
        shape.sent.map((name) => [name, excluded(name)] as const),
      ),
      every(updatable(shape)),
      writtenId({ model, models, scope: eitherScope(shape), fields: names }),
      shape.text === undefined ? sql("null") : shape.text("t"),
      tableSql(model),
      every(byId ? [...sameKey(shape), ...deadSql(shape)] : [sql("false")]),
    ),
  );
}

/**
 * Locks the row with the key, and the parent rows of one level. For an insert these are the parents of the
 * record, for an update those of the row before and after it. Returns one row that begins with the id in an
 * array. Values: those of `upsert`.
 */
export function lockForUpsert(shape: UpsertShape, level: number): Plan {
  const { model, models } = shape;
  const id = tableRow(shape)("id");
  const added = { model, from: sql("v$ as v"), row: recordColumns(model, sentRow(shape)) };
  const from = sql("locked$ as t, v$ as excluded");
  const states = statesOf(shape).map((row) => ({ model, from, row }));
  const parents = [
    ...lockColumns(shape.insert, level, added, models, "record"),
    ...states.flatMap((rows) => lockColumns(shape.update, level, rows, models, "row")),
  ];
  return plan(
    sql(
      `with v$ as materialized (select ?), locked$ as materialized (
        select t.* from ? as t where ? order by ? for update of t
      ) select ?`,
      recordSql(model, insertColumns(model)),
      tableSql(model),
      every([...keyHolder(shape), ...pinned(shape)]),
      id,
      columnsOnce([sql("array(select ? from locked$ as t)", id), ...parents]),
    ),
  );
}

/** Both scopes apply while it is not known whether the record is inserted. */
function eitherScope({ insert, update }: UpsertShape): Scope {
  if (insert.kind !== "some") return update;
  if (update.kind !== "some") return insert;
  return { kind: "some", when: { op: "and", conditions: [insert.when, update.when] } };
}

function deadSql(shape: UpsertShape): Sql[] {
  return shape.model.softDelete ? visibilitySql(shape.model, "deleted", tableRow(shape)) : [sql("false")];
}

/** The first unique key of which the record has all fields, or undefined. The primary key comes first. */
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

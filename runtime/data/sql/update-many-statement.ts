import type { Scope } from "../../models/access/index.ts";
import { type Model, requireColumn } from "../../models/index.ts";
import { columnsOnce, lockColumns } from "./conditions/parent-locks.ts";
import type { Models } from "./conditions/relations.ts";
import { jsonField, textLiteral, unseenField, writtenId } from "./insert-statement.ts";
import {
  bareColumns,
  type ColumnSql,
  columnsOfTable,
  every,
  idValues,
  join,
  type Plan,
  plan,
  requestValue,
  type Sql,
  sql,
  tableSql,
  withValues,
  writeTimes,
} from "./sql.ts";
import { scopeSql, visibilitySql } from "./where-sql.ts";

export interface UpdateManyShape {
  readonly model: Model;
  readonly models: Models;
  readonly scope: Scope;
  /** All fields that occur in the records. */
  readonly fields: readonly string[];
  /** `lockMany` has locked the rows. Their ids are the second value, and only these rows are changed. */
  readonly locked: boolean;
}

/**
 * Updates the live rows that the records of a JSON array name by `id`, each with the fields of its record, if
 * the scope allows it before and after. Returns a row per record, in order: `[id or null, found, allowed]`.
 * Rows are locked in the order of their ids, so that two updates cannot deadlock. All rows are checked before
 * one is written, since they can depend on each other. Value: the array.
 */
export function updateMany(shape: UpdateManyShape): Plan {
  const { model, fields } = shape;
  const bare = bareColumns(model);
  const table = columnsOfTable(model, "t");
  const assigned = fields.map((name) => [name, assignedValue(model, name, table(name, "stored"))] as const);
  const set = [...assigned, ...writeTimes(model)].map(([name, value]) => sql("? = ?", bare(name), value));
  return plan(
    sql(
      `with ?, changed$ as (
        update ? as t set ? from target$ as r
        where ? = r.id and r.allowed and (select count(*) from target$) > 0 returning ?
      )
      select changed.id, target.id is not null, coalesce(target.allowed, false)
      from generate_series(1, jsonb_array_length(?)) as sent (position)
      left join target$ as target on target.position = sent.position
      left join changed$ as changed on changed.id = target.id
      order by sent.position`,
      authorizedTargets(shape),
      tableSql(model),
      join(set, ", "),
      columnsOfTable(model, "t")("id"),
      writtenId(shape),
      requestValue(0, "json"),
    ),
  );
}

/**
 * Locks and checks the rows of the records: `[position, found, allowed, field]` per record. The field's key
 * leads to no row. Values: those of `updateMany`.
 */
export function authorizeUpdates(shape: UpdateManyShape): Plan {
  return plan(
    sql(
      `with ? select sent.position, target.id is not null, coalesce(target.allowed, false), target.unseen
      from generate_series(1, jsonb_array_length(?)) as sent (position)
      left join target$ as target on target.position = sent.position order by sent.position`,
      authorizedTargets(shape, sql(", ? as unseen", unseenField(shape, rowAfter(shape)))),
      requestValue(0, "json"),
    ),
  );
}

/**
 * Locks the rows of the records, and their parent rows of one level before and after the update. Returns one
 * row that begins with the ids as an array. Values: those of `updateMany`.
 */
export function lockMany(shape: UpdateManyShape, level: number): Plan {
  const { model, models, scope } = shape;
  const from = sql("locked$ as t, lateral (select t._record as record) as r");
  const states = statesOf(shape).map((row) => ({ model, from, row }));
  const parents = states.flatMap((rows) => lockColumns(scope, level, rows, models, "row"));
  const ids = sql("array(select ? from locked$ as t)", columnsOfTable(model, "t")("id"));
  const locked = rowsOfRecords(shape, sql("t.*, r.record as _record"));
  return plan(sql("with locked$ as materialized (?) select ?", locked, columnsOnce([ids, ...parents])));
}

function authorizedTargets(shape: UpdateManyShape, more: Sql = sql("")): Sql {
  const { model, models, scope } = shape;
  const admitted = every(
    statesOf(shape).flatMap((row, index) => scopeSql(scope, model, models, row, "locked", index > 0)),
  );
  const id = columnsOfTable(model, "t")("id");
  const columns = sql("? as id, r.position, r.record, coalesce(?, false) as allowed?", id, admitted, more);
  return sql("target$ as (?)", rowsOfRecords(shape, columns));
}

function rowsOfRecords({ model, locked }: UpdateManyShape, columns: Sql): Sql {
  const table = columnsOfTable(model, "t");
  const id = table("id");
  const pinned = locked ? [sql("? = any(?)", id, idValues(1, model))] : [];
  return sql(
    `select ? from jsonb_array_elements(?) with ordinality as r (record, position)
    join ? as t on ? = ? and ? order by ? for update of t`,
    columns,
    requestValue(0, "json"),
    tableSql(model),
    id,
    jsonField(requireColumn(model, "id")),
    every([...visibilitySql(model, "live", table), ...pinned]),
    id,
  );
}

/** Before and after the update. */
function statesOf(shape: UpdateManyShape): ColumnSql[] {
  return [columnsOfTable(shape.model, "t"), rowAfter(shape)];
}

function rowAfter({ model, fields }: UpdateManyShape): ColumnSql {
  const table = columnsOfTable(model, "t");
  const sent = new Set(fields);
  const timed = withValues(table, new Map(writeTimes(model)));
  return (name, form) => (sent.has(name) ? assignedValue(model, name, table(name, form)) : timed(name, form));
}

/** The new value; the old one if the record does not have the field. */
function assignedValue(
  model: Model,
  name: string,
  old: Sql,
  sent = jsonField(requireColumn(model, name)),
): Sql {
  return sql(`case when jsonb_exists(r.record, ${textLiteral(name)}) then ? else ? end`, sent, old);
}

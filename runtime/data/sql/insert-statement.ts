import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import { weakMemo } from "../../core/concurrency/index.ts";
import { unseenSetting } from "../../core/database/index.ts";
import type { Scope } from "../../models/access/index.ts";
import { type Column, columnsOf, insertsIds, type Model, requireColumn } from "../../models/index.ts";
import { idTypeOf, typeOf } from "./column-types.ts";
import { columnsOnce, givenKeys, lockColumns } from "./conditions/parent-locks.ts";
import type { Hop, Models } from "./conditions/relations.ts";

import {
  bareColumns,
  type ColumnSql,
  columnList,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  policyValue,
  requestValue,
  type Sql,
  sql,
  tableSql,
  timeOfStatement,
} from "./sql.ts";
import { scopeSql } from "./where-sql.ts";

interface Written {
  readonly model: Model;
  readonly models: Models;
  readonly scope: Scope;
  readonly fields: readonly string[];
  /** A query of the ids of all added rows; without it, a written row can only reference itself. */
  readonly added?: Sql;
}

/**
 * The id of a written row. If the scope was true because a key led to no row, the database rejects that key.
 * If the row was added after the statement began, the statement fails as if the row did not exist.
 */
export function writtenId({ added, ...written }: Written): Sql {
  const { model } = written;
  const row = columnsOfTable(model, "t");
  const id = row("id");
  const cases = keysToSee(written).map((hop) =>
    sql(
      `when ? then current_setting(?)::${idTypeOf(model).sqlType}`,
      unseenSql(hop, model, row, added ?? id),
      policyValue(unseenSetting + hop.relation.field),
    ),
  );
  return cases.length === 0 ? sql("? as id", id) : sql("case ? else ? end as id", join(cases, " "), id);
}

/**
 * The field whose key leads to no visible row, or NULL. For records that one statement checks and another
 * statement writes. A row that is added between them would count as absent.
 */
export function unseenField({ added, ...written }: Written, record: ColumnSql): Sql {
  const cases = keysToSee(written).map((hop) =>
    sql("when ? then ?::text", unseenSql(hop, written.model, record, added), policyValue(hop.relation.field)),
  );
  return cases.length === 0 ? sql("null::text") : sql("case ? end", join(cases, " "));
}

function keysToSee({ model, models, scope, fields }: Omit<Written, "added">): Hop[] {
  const given = scope.kind === "some" ? givenKeys(scope.when, model, models) : [];
  return given.filter(({ relation }) => fields.includes(relation.field));
}

/** Rows that the same statement adds are not visible yet; the database checks keys to them. */
function unseenSql({ relation, target }: Hop, model: Model, record: ColumnSql, added?: Sql): Sql {
  const key = record(relation.field);
  const seen = sql(
    "exists (select from ? as seen$ where ? = ?)",
    tableSql(target),
    columnsOfTable(target, "seen$")(relation.references),
    key,
  );
  const isAdded = target.key === model.key && added !== undefined ? [sql("? not in (?)", key, added)] : [];
  return every([sql("? is not null", key), sql("not ?", seen), ...isAdded]);
}

/** The columns of an insert in the order of its values: the fields, and the id if the database does not make it. */
export function insertColumns(model: Model): string[] {
  const fields = [...columnsOf(model).values()].filter(
    ({ name, generated }) => !generated && !isRuntimeColumn(name),
  );
  const names = fields.map(({ name }) => name);
  return insertsIds(model) ? ["id", ...names] : names;
}

/** Time columns that the server sets in a new row. In a table that Kirak made, they have a default. */
const insertedTimes = weakMemo((model: Model): readonly string[] =>
  (["created_at", "updated_at"] as const).filter(
    (name) => model.columns?.[name] !== undefined && columnsOf(model).get(name)?.generated === false,
  ),
);

/** The values of an insert, with those of the time columns. */
export function withTimes(model: Model, values: readonly Sql[]): Sql {
  return join([...values, ...insertedTimes(model).map(() => timeOfStatement)], ", ");
}

/** A column of a record after the insert: an inserted value, or one that the database sets. */
export function recordColumns(model: Model, record: ColumnSql): ColumnSql {
  const inserted = new Set(insertColumns(model));
  return (name) => {
    if (inserted.has(name)) return record(name);
    return name === "created_at" || name === "updated_at"
      ? timeOfStatement
      : sql(`null::${typeOf(requireColumn(model, name)).sqlType}`);
  };
}

/**
 * Inserts one record if the scope allows it. Returns the given columns of the new row, id first, or no row.
 * Values: those of `insertColumns`.
 */
export function insertOne(model: Model, models: Models, scope: Scope, returning: readonly string[]): Plan {
  const names = insertColumns(model);
  const into = intoSql(model, names);
  const row = columnsOfTable(model, "t");
  const answer = columnList(returning, row);
  if (scope.kind === "all") return plan(sql("? ? returning ?", into, valuesSql(model, names), answer));
  const record = columnsOfTable(model, "v");
  const admitted = every(scopeSql(scope, model, models, recordColumns(model, record), "locked", true));
  return plan(
    sql(
      "? select ? from (select ?) as v where ? returning ?",
      into,
      withTimes(
        model,
        names.map((name) => record(name)),
      ),
      recordSql(model, names),
      admitted,
      join(
        [writtenId({ model, models, scope, fields: names }), ...returning.slice(1).map((name) => row(name))],
        ", ",
      ),
    ),
  );
}

/** In place of the ids of existing rows. */
const noRow = sql("null");

/** Locks the parent rows of one level for a new record. Returns one row. Values: those of `insertOne`. */
export function lockForOne(model: Model, models: Models, scope: Scope, level: number): Plan {
  const from = sql("(select ?) as v", recordSql(model, insertColumns(model)));
  const rows = { model, from, row: recordColumns(model, columnsOfTable(model, "v")) };
  return plan(sql("select ?", columnsOnce([noRow, ...lockColumns(scope, level, rows, models, "record")])));
}

/** Without fields there are no columns, because `()` is not valid SQL. */
export function intoSql(model: Model, names: readonly string[]): Sql {
  const into = sql("insert into ? as t", tableSql(model));
  const columns = [...names, ...insertedTimes(model)];
  return columns.length === 0 ? into : sql("? (?)", into, columnList(columns, bareColumns(model)));
}

function valuesSql(model: Model, names: readonly string[]): Sql {
  if (names.length + insertedTimes(model).length === 0) return sql("default values");
  const values = names.map((name, index) => requestValue(index, requireColumn(model, name)));
  return sql("values (?)", withTimes(model, values));
}

export function recordSql(model: Model, names: readonly string[]): Sql {
  const named = bareColumns(model);
  return join(
    names.map((name, index) => sql("? as ?", requestValue(index, requireColumn(model, name)), named(name))),
    ", ",
  );
}

/** Like `lockForOne`, for the records of a JSON array. Value: the array. */
export function lockForMany(model: Model, models: Models, scope: Scope, level: number): Plan {
  const rows = { model, from: sql("v$ as v"), row: recordColumns(model, columnsOfTable(model, "v")) };
  const parents = columnsOnce([noRow, ...lockColumns(scope, level, rows, models, "record")]);
  return plan(sql("with v$ as materialized (?) select ?", recordsSql(model), parents));
}

/**
 * The records of a JSON array that cannot be written: `[position from 1, field]`. The field's key leads to no
 * row; NULL if the scope does not allow the record. Value: the array.
 */
export function authorizeMany(model: Model, models: Models, scope: Scope): Plan {
  const names = insertColumns(model);
  const record = columnsOfTable(model, "v");
  const admitted = every(scopeSql(scope, model, models, recordColumns(model, record), "locked", true));
  const added = names.includes("id") ? { added: sql("select ? from v$", bareColumns(model)("id")) } : {};
  return plan(
    sql(
      `with v$ as materialized (?), judged$ as (
        select v._position, coalesce(?, false) as _admitted, ? as _unseen from v$ as v
      )
      select _position, case when _admitted then _unseen end from judged$
      where not _admitted or _unseen is not null`,
      recordsSql(model),
      admitted,
      unseenField({ model, models, scope, fields: names, ...added }, record),
    ),
  );
}

/** The records of a JSON array as rows, each with its position. */
function recordsSql(model: Model): Sql {
  const named = bareColumns(model);
  const fields = insertColumns(model).map((name) =>
    sql("? as ?", jsonField(requireColumn(model, name)), named(name)),
  );
  return sql(
    "select ? from jsonb_array_elements(?) with ordinality as r (record, position)",
    join([sql("r.position as _position"), ...fields], ", "),
    requestValue(0, "json"),
  );
}

/**
 * Inserts the records of a JSON array, each if the scope allows it. Returns rows `[rejected position, null]`
 * and `[null, id]`; positions start at 1, and ids are in the order of the records. Value: the array.
 */
export function insertMany(model: Model, models: Models, scope: Scope): Plan {
  const names = insertColumns(model);
  const record = columnsOfTable(model, "v");
  const admitted = every(scopeSql(scope, model, models, recordColumns(model, record), "locked", true));
  return plan(
    sql(
      `with v$ as materialized (
        select v.*, coalesce(?, false) as _admitted
        from (?) as v
      ), inserted$ as (
        ? select ? from v$ where _admitted order by _position returning ?
      )
      select _position, null from v$ where not _admitted union all select null, id from inserted$`,
      admitted,
      recordsSql(model),
      intoSql(model, names),
      withTimes(
        model,
        names.map((name) => bareColumns(model)(name)),
      ),
      writtenId({
        model,
        models,
        scope,
        fields: names,
        added: sql("select ? from v$", bareColumns(model)("id")),
      }),
    ),
  );
}

/** A field of the JSON record `r.record`, as a value of its column. */
export function jsonField(column: Column): Sql {
  const key = textLiteral(column.name);
  const { sqlType } = typeOf(column);
  if (column.kind === "json")
    return sql(`nullif(r.record -> ${key}, 'null'::jsonb)${sqlType === "jsonb" ? "" : `::${sqlType}`}`);
  if (elementKindOf(column.kind) !== null)
    return sql(`case jsonb_typeof(r.record -> ${key}) when 'array'
      then array(select jsonb_array_elements_text(r.record -> ${key}))::${sqlType} end`);
  return sql(`(r.record ->> ${key})::${sqlType}`);
}

/** Field names only have letters, digits and underscores. */
export function textLiteral(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`${name} is not the name of a field`);
  return `'${name}'`;
}

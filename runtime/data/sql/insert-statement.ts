import { elementKindOf, type FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { Scope } from "../../models/access/index.ts";
import { type Columns, columnsOf, type Model } from "../../models/index.ts";
import { anchorColumns, columnsOnce } from "./absence.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { kinds } from "./kinds.ts";
import {
  type ColumnSql,
  columnList,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  requestValue,
  type Sql,
  sql,
  timeOfStatement,
} from "./sql.ts";
import { scopeSql } from "./where-sql.ts";
import { unseenField, writtenId } from "./written-id.ts";

/** The columns that an insert fills itself: the fields, and the id where it is a UUID. The order of its values. */
export function insertColumns(model: Model): string[] {
  const fields = [...columnsOf(model).keys()].filter((name) => !isRuntimeColumn(name));
  return model.id === "uuid" ? ["id", ...fields] : fields;
}

/** What the record at hand will hold in a column: a value that is inserted, or what the database puts there. */
export function recordColumns(model: Model, record: ColumnSql): ColumnSql {
  const inserted = new Set(insertColumns(model));
  return (name) => {
    if (inserted.has(name)) return record(name);
    return name === "created_at" || name === "updated_at"
      ? timeOfStatement
      : sql(`null::${castOf(columnsOf(model), name)}`);
  };
}

/**
 * Inserts one record, if the scope admits it, and answers the given columns of the new row, id first; no row when it does not.
 * Values: those of `insertColumns`.
 */
export function insertOne(model: Model, models: Models, scope: Scope, returning: readonly string[]): Plan {
  const names = insertColumns(model);
  const into = intoSql(model, names);
  const answer = columnList(returning, columnsOfTable("t"));
  if (scope.kind === "all") return plan(sql("? ? returning ?", into, valuesSql(model, names), answer));
  const record = columnsOfTable("v");
  const admitted = every(scopeSql(scope, model, models, recordColumns(model, record), "held", true));
  return plan(
    sql(
      "? select ? from (select ?) as v where ? returning ?",
      into,
      columnList(names, record),
      recordSql(model, names),
      admitted,
      join(
        [writtenId({ model, models, scope, fields: names }), ...returning.slice(1).map(columnsOfTable("t"))],
        ", ",
      ),
    ),
  );
}

/** In place of the ids of rows that are there. */
const noRow = sql("null");

/** Locks the anchors of one level that the scope has from the record. Answers one row. Values: those of `insertOne`. */
export function lockForOne(model: Model, models: Models, scope: Scope, level: number): Plan {
  const from = sql("(select ?) as v", recordSql(model, insertColumns(model)));
  const rows = { model, from, row: recordColumns(model, columnsOfTable("v")) };
  return plan(sql("select ?", columnsOnce([noRow, ...anchorColumns(scope, level, rows, models, "record")])));
}

/** The statement up to its columns. A model without fields names none: `()` is no SQL. */
function intoSql({ table }: Model, names: readonly string[]): Sql {
  const into = sql("insert into ?? as t", table);
  return names.length === 0 ? into : sql("? (?)", into, columnList(names));
}

function valuesSql(model: Model, names: readonly string[]): Sql {
  if (names.length === 0) return sql("default values");
  const columns = columnsOf(model);
  const values = names.map((name, index) => requestValue(index, kindOf(columns, name)));
  return sql("values (?)", join(values, ", "));
}

/** The values of one record, as the columns of a subquery. */
export function recordSql(model: Model, names: readonly string[]): Sql {
  const columns = columnsOf(model);
  return join(
    names.map((name, index) => sql("? as ??", requestValue(index, kindOf(columns, name)), name)),
    ", ",
  );
}

/** The same from the records of a JSON array. Value: the array. */
export function lockForMany(model: Model, models: Models, scope: Scope, level: number): Plan {
  const rows = { model, from: sql("v$ as v"), row: recordColumns(model, columnsOfTable("v")) };
  const anchors = columnsOnce([noRow, ...anchorColumns(scope, level, rows, models, "record")]);
  return plan(sql("with v$ as materialized (?) select ?", recordsSql(model), anchors));
}

/**
 * The records of a JSON array that cannot be written: `[position from 1 on, field]`, the field being one whose key leads to no row,
 * or NULL where the scope does not admit the record. Value: the array.
 */
export function judgeMany(model: Model, models: Models, scope: Scope): Plan {
  const names = insertColumns(model);
  const record = columnsOfTable("v");
  const admitted = every(scopeSql(scope, model, models, recordColumns(model, record), "held", true));
  const added = names.includes("id") ? { added: sql("select id from v$") } : {};
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
  const columns = columnsOf(model);
  const fields = insertColumns(model).map((name) =>
    sql("? as ??", jsonField(name, kindOf(columns, name)), name),
  );
  return sql(
    "select ? from jsonb_array_elements(?) with ordinality as r (record, position)",
    join([sql("r.position as _position"), ...fields], ", "),
    requestValue(0, "json"),
  );
}

/**
 * Inserts the records of a JSON array, each if the scope admits it. Answers rows `[refused position, null]` and
 * `[null, id]`; positions count from 1, ids stand in the order of the records. Value: the array.
 */
export function insertMany(model: Model, models: Models, scope: Scope): Plan {
  const names = insertColumns(model);
  const record = columnsOfTable("v");
  const admitted = every(scopeSql(scope, model, models, recordColumns(model, record), "held", true));
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
      columnList(names),
      writtenId({ model, models, scope, fields: names, added: sql("select id from v$") }),
    ),
  );
}

/** A field of the JSON record `r.record`, as a value of its column. */
export function jsonField(name: string, kind: FieldKind): Sql {
  const key = textLiteral(name);
  if (kind === "json") return sql(`nullif(r.record -> ${key}, 'null'::jsonb)`);
  if (elementKindOf(kind) !== null)
    return sql(`case jsonb_typeof(r.record -> ${key}) when 'array'
      then array(select jsonb_array_elements_text(r.record -> ${key}))::${kinds[kind].sqlType} end`);
  return sql(`(r.record ->> ${key})::${kinds[kind].sqlType}`);
}

/** The name of a field as a literal. Names are letters, digits and underscores (decisions, part 3). */
export function textLiteral(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`${name} is not the name of a field`);
  return `'${name}'`;
}

function castOf(columns: Columns, name: string): string {
  return kinds[kindOf(columns, name)].sqlType;
}

function kindOf(columns: Columns, name: string): FieldKind {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`there is no field ${name}`);
  return column.kind;
}

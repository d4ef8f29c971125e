import type { FieldKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { elementKindOf } from "../../../../vocabulary/fields/list-kinds.ts";
import type { TextRow } from "../../../core/database/index.ts";
import type { KeysetPage } from "../../../data/operations/index.ts";
import {
  type ColumnSql,
  columnsOfTable,
  join,
  keysetSql,
  keysetValues,
  orderSql,
  pageTooLarge,
  placedError,
  rowsJson,
  type Sql,
  sql,
  typeOf,
} from "../../../data/sql/index.ts";
import type { Scope } from "../../../models/access/index.ts";
import { type Column, hasId } from "../../../models/index.ts";
import type { Item, JoinItem, ObjectSelection } from "../plan/selection.ts";
import { compact, joinedRowSql, listSql, objectSql, rowsText, type StatementBuilder } from "./object-sql.ts";

/**
 * The columns of a selection without lists, and how a row becomes JSON: much cheaper than JSON in PostgreSQL.
 */
interface Projection {
  readonly columns: readonly Sql[];
  readonly joins: readonly Sql[];
  /** The row's columns begin at `first`. */
  readonly write: (row: TextRow, first: number) => string;
}

/** Each join keeps one more row in memory per row of the page. */
const mostJoins = 4;

/**
 * Whether rows are sent as columns. Lists would repeat their outer row, and rows repeat their joined rows, so
 * joins are limited: only for JSON does PostgreSQL check the size first.
 */
function isFlat(selection: ObjectSelection): boolean {
  const joins = joinsIn(selection);
  return joins.length <= mostJoins && joins.every(isBounded);
}

function isBounded({ list, selection }: JoinItem): boolean {
  return (
    list === null && selection.items.every((item) => item.kind !== "column" || !endless(item.column.kind))
  );
}

function endless(kind: FieldKind): boolean {
  return kind === "text" || kind === "email" || kind === "json" || elementKindOf(kind) !== null;
}

function joinsIn({ items }: ObjectSelection): JoinItem[] {
  return items.flatMap((item) => (item.kind === "join" ? [item, ...joinsIn(item.selection)] : []));
}

/** A response key, and the position of its first column. */
interface Entry {
  readonly key: string;
  readonly at: number;
  readonly write: Projection["write"];
}

/** A column is sent once, even if it has several keys. */
function project({ member, items }: ObjectSelection, alias: string, builder: StatementBuilder): Projection {
  const row = columnsOfTable(member.model, alias);
  const columns: Sql[] = [];
  const joins: Sql[] = [];
  const places = new Map<string, number>();
  // For errors.
  const isPlaced = hasId(member.model);
  if (isPlaced && items.some((item) => item.kind === "column" && typeOf(item.column).unsupportedSql !== null))
    places.set("id", columns.push(row("id")) - 1);
  const entryOf = (item: Item): Omit<Entry, "key"> => {
    switch (item.kind) {
      case "typename": {
        const text = JSON.stringify(member.model.key);
        return { at: 0, write: () => text };
      }
      case "column": {
        const { name } = item.column;
        const at = places.get(name) ?? columns.push(row(name)) - 1;
        places.set(name, at);
        const fromId = isPlaced ? at - (places.get("id") ?? at) : null;
        return { at, write: columnWriter(item.column, member.model.key, fromId) };
      }
      case "join": {
        const joined = projectJoin(item, row, builder);
        const at = columns.length;
        columns.push(...joined.columns);
        joins.push(...joined.joins);
        return { at, write: joined.write };
      }
    }
  };
  const entries = items.map((item, index) => ({
    key: `${index === 0 ? "{" : ","}${JSON.stringify(item.key)}:`,
    ...entryOf(item),
  }));
  return { columns, joins, write: (row, first) => writeObject(entries, row, first) };
}

/** For an outer query. */
function namedColumns(columns: readonly Sql[]): Sql[] {
  return columns.map((column, index) => sql("? as ??", column, nameOf(index)));
}

const nameOf = (index: number) => `c${index}`;

function writeObject(entries: readonly Entry[], row: TextRow, first: number): string {
  let text = entries.length === 0 ? "{" : "";
  for (const { key, at, write } of entries) text += key + write(row, first + at);
  return `${text}}`;
}

/** The row's id is `fromId` positions before the column; null if rows have no id. */
function columnWriter(column: Column, model: string, fromId: number | null): Projection["write"] {
  const { toJson } = typeOf(column);
  return (row, at) => {
    const text = row[at];
    if (text == null) return "null";
    try {
      return toJson(text);
    } catch (error) {
      throw placedError(error, row, { model, idAt: fromId === null ? null : at - fromId }, column.name);
    }
  };
}

/** The row of a `belongs_to` or `has_one`. Its first column is NULL without a row. */
function projectJoin(item: JoinItem, outer: ColumnSql, builder: StatementBuilder): Projection {
  const joined = builder.nextAlias();
  const inner = builder.nextAlias();
  const { columns, joins, write } = project(item.selection, inner, builder);
  const all = namedColumns([sql("true"), ...columns]);
  return {
    columns: all.map((_, index) => sql("??.??", joined, nameOf(index))),
    joins: [joinedRowSql(item, outer, joined, inner, { columns: all, joins }, builder)],
    write: (row, at) => (row[at] == null ? "null" : write(row, at + 1)),
  };
}

export interface ListStatement {
  readonly sql: Sql;
  /** Returns the JSON list. Errors: 400 `VALIDATION_ERROR` if it is too long. */
  readonly textOf: (rows: readonly TextRow[], mostCharacters: number) => string;
}

/** A page of a root field with everything that is joined. Values: those of its lists, in order. */
export function listStatement(
  selection: ObjectSelection,
  scope: Scope,
  searchIn: readonly string[],
  builder: StatementBuilder,
): ListStatement {
  const list = builder.nextList(searchIn);
  const alias = builder.nextAlias();
  const flat = isFlat(selection) ? project(selection, alias, builder) : null;
  if (flat === null) {
    const page = listSql(selection, scope, list, null, alias, objectSql(selection, alias, builder), builder);
    return { sql: rowsText(page, builder.mostBytes), textOf: onlyText };
  }
  const { columns, joins, write } = flat;
  const selected = { columns: columns.length === 0 ? [sql("null")] : namedColumns(columns), joins };
  return {
    sql: listSql(selection, scope, list, null, alias, selected, builder),
    textOf: (rows, most) => rowsJson(rows, (row) => write(row, 0), most),
  };
}

/** A statement of a page by cursor. Its rows end with the sort value and the id. */
export interface PageStatement {
  readonly sql: Sql;
  /** One row as JSON text. Errors: 400 `VALIDATION_ERROR` if all rows together are too large. */
  readonly write: (row: TextRow) => string;
}

/** A page by cursor with everything that is joined. Values: those of the page, then of its lists, in order. */
export function pageStatement(
  selection: ObjectSelection,
  scope: Scope,
  searchIn: readonly string[],
  keyset: KeysetPage["keyset"],
  builder: StatementBuilder,
): PageStatement {
  const { input, first } = builder.nextList(searchIn, keysetValues(null, 0).length);
  const alias = builder.nextAlias();
  const { model } = selection.member;
  const rows = { model, models: builder.registry.models, filters: input.filters, scope, searchIn };
  const page = keysetSql({ ...rows, ...keyset }, alias, sql("??.*", alias), first);
  const row = columnsOfTable(model, alias);
  const edge = sql("? as sort$, ? as edge$", row(keyset.orderBy), row("id"));
  const order = orderSql({ ...keyset, model }, alias);
  if (isFlat(selection)) {
    const { columns, joins, write } = project(selection, alias, builder);
    const list = join([...columns, edge], ", ");
    return {
      sql: sql("select ? from (?) as ?? ? order by ?", list, page, alias, join(joins, " "), order),
      write: (row) => write(row, 0),
    };
  }
  const { columns, joins } = objectSql(selection, alias, builder);
  const texts = sql(
    "select row_to_json(r$) as j, ? from (?) as ?? ? cross join lateral (select ?) as r$ order by ?",
    edge,
    page,
    alias,
    join(joins, " "),
    join(columns, ", "),
    order,
  );
  const size = "sum(pg_column_size(page.j)) over ()";
  const text = `case when ${size} <= ${builder.mostBytes} then ${compact("page.j::text")} end`;
  return {
    sql: sql(`select ${text}, page.sort$, page.edge$ from (?) as page`, texts),
    write: (row) => onlyText([row]),
  };
}

/** NULL: the text was too large. */
function onlyText([row]: readonly TextRow[]): string {
  const text = row?.[0];
  if (text == null) throw pageTooLarge();
  return text;
}

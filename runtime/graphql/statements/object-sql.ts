import type { Scope, Standing } from "../../access/index.ts";
import type { Column } from "../../model/index.ts";
import {
  columnsOfTable,
  every,
  join,
  kinds,
  limitSql,
  orderSql,
  requestList,
  rowFilterSql,
  type Sql,
  scopeSql,
  sql,
  textLiteral,
  visibilitySql,
} from "../../sql/index.ts";
import type { RegisteredModel } from "../plan/model-registry.ts";
import type { Item, JoinItem, ObjectSelection } from "../plan/object-selection.ts";
import { rowsText, rowText } from "./json-sql.ts";
import type { NumberedList, StatementBuilder } from "./statement-builder.ts";

/** The SQL of one selection: columns that are named as in the answer, and the joins that they need. */
export interface ObjectSql {
  readonly columns: Sql;
  readonly joins: readonly Sql[];
}

/** The columns and joins of a selection, of the row with the given alias. */
export function objectSql(
  { member, items }: ObjectSelection,
  alias: string,
  builder: StatementBuilder,
): ObjectSql {
  const joins: Sql[] = [];
  const value = (item: Item): Sql => {
    if (item.kind === "column") return columnJson(item.column, alias);
    if (item.kind === "typename") return sql(`${textLiteral(member.model.key)}::text`);
    const joined = builder.nextAlias();
    joins.push(joinSql(item, alias, joined, builder));
    return sql("??.j", joined);
  };
  const columns = items.map((item) => sql("? as ??", value(item), item.key));
  return { columns: join(columns, ", "), joins };
}

/** A column as PostgreSQL's JSON functions shall write it. */
export function columnJson({ name, kind }: Column, alias: string): Sql {
  return sql(kinds[kind].jsonSql, sql("??.??", alias, name));
}

/** One row with the given alias as JSON text, null for one that is too long, where no `from` can stand, such as in `returning`. */
export function rowJson(selection: ObjectSelection, alias: string, builder: StatementBuilder): Sql {
  const { columns, joins } = objectSql(selection, alias, builder);
  const row = sql("select ? from (select) as one ?", columns, join(joins, " "));
  return sql("(?)", rowText(row, builder.mostBytes));
}

/** A page of rows as one JSON text. Values: those of its lists, in their order. */
export function listJson(
  selection: ObjectSelection,
  scope: Scope,
  searchIn: readonly string[],
  builder: StatementBuilder,
): Sql {
  const page = pageSql(selection, scope, builder.nextList(searchIn), null, builder.nextAlias(), builder);
  return rowsText(page, builder.mostBytes);
}

/** The rows of a page. Joins are looked up after the page was cut, for its rows alone. */
function pageSql(
  selection: ObjectSelection,
  scope: Scope,
  { input, searchIn, first }: NumberedList,
  link: Sql | null,
  alias: string,
  builder: StatementBuilder,
): Sql {
  const { model } = selection.member;
  const { filters, order_by: orderBy, descending } = input;
  const filter = { model, models: builder.registry.models, filters, scope, searchIn };
  const order = orderSql({ orderBy: orderBy ?? "id", descending }, alias);
  const { columns, joins } = objectSql(selection, alias, builder);
  const rows = (selected: Sql) =>
    sql(
      "select ? from ?? as ?? where ? order by ? ?",
      selected,
      model.table,
      alias,
      every([...(link === null ? [] : [link]), rowFilterSql(filter, alias, first)]),
      order,
      limitSql(filter, input, first),
    );
  if (joins.length === 0) return rows(columns);
  const page = rows(sql("??.*", alias));
  return sql("select ? from (?) as ?? ? order by ?", columns, page, alias, join(joins, " "), order);
}

function joinSql(item: JoinItem, alias: string, joined: string, builder: StatementBuilder): Sql {
  const { relation, selection, list } = item;
  const inner = builder.nextAlias();
  const link = sql("??.?? = ??.??", inner, relation.references, alias, relation.field);
  const scope = fetchScope(selection.member, builder.principal);
  const object =
    list === null
      ? // The limit keeps PostgreSQL from planning all joins as one: of hundreds that takes it seconds.
        sql("select row_to_json(r$) as j from (?) as r$ limit 1", oneSql(item, scope, link, inner, builder))
      : sql(
          "select coalesce(json_agg(r$), '[]') as j from (?) as r$",
          pageSql(selection, scope, builder.nextList([]), link, inner, builder),
        );
  return sql("left join lateral (?) as ?? on true", object, joined);
}

/** The one live row that a `belongs_to` or `has_one` leads to; of several, over a key that is not unique, the first by id. */
function oneSql(
  { relation, selection }: JoinItem,
  scope: Scope,
  link: Sql,
  alias: string,
  builder: StatementBuilder,
): Sql {
  const { model } = selection.member;
  const column = columnsOfTable(alias);
  const { columns, joins } = objectSql(selection, alias, builder);
  const where = every([
    link,
    ...scopeSql(scope, model, builder.registry.models, column, "read"),
    ...visibilitySql(model, "live", column),
  ]);
  return sql(
    "select ? from ?? as ?? ? where ? ?",
    columns,
    model.table,
    alias,
    join(joins, " "),
    where,
    relation.kind === "has_one" ? sql("order by ? limit 1", column("id")) : sql(" "),
  );
}

/** An internal model has no fetch rules to apply: whoever may select its fields may see its rows (decisions, part 6). */
function fetchScope(member: RegisteredModel, caller: Standing): Scope {
  return member.entry === null ? { kind: "all" } : member.admit("fetch", caller).scope;
}

/** Some rows by their ids as one JSON text, in the order of their ids, soft-deleted ones too. Value: the list of ids. */
export function rowsByIds(selection: ObjectSelection, builder: StatementBuilder): Sql {
  const { model } = selection.member;
  const alias = builder.nextAlias();
  const { columns, joins } = objectSql(selection, alias, builder);
  const rows = sql(
    "select ? from ?? as ?? ? where ??.id = any(?) order by ??.id",
    columns,
    model.table,
    alias,
    join(joins, " "),
    alias,
    requestList(0, model.id),
    alias,
  );
  return rowsText(rows, builder.mostBytes);
}

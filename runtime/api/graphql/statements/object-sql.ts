import { unheldSetting } from "../../../core/database/index.ts";
import {
  columnsOfTable,
  every,
  join,
  kinds,
  orderSql,
  pageSql,
  requestList,
  rowFilterSql,
  type Sql,
  scopeSql,
  sql,
  textLiteral,
  visibilitySql,
} from "../../../data/sql/index.ts";
import type { Scope, Standing } from "../../../models/access/index.ts";
import type { Column, Relation } from "../../../models/index.ts";
import type { RegisteredModel } from "../plan/model-registry.ts";
import type { Item, JoinItem, ObjectSelection } from "../plan/object-selection.ts";
import { rowsText, rowText } from "./json-sql.ts";
import type { NumberedList, StatementBuilder } from "./statement-builder.ts";

/** The SQL of one selection: columns that are named as in the answer, and the joins that they need. */
export interface ObjectSql {
  readonly columns: readonly Sql[];
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
    if (item.kind === "column") return columnJson(item.column, alias, member.model.key);
    if (item.kind === "typename") return sql(`${textLiteral(member.model.key)}::text`);
    const joined = builder.nextAlias();
    joins.push(joinSql(item, alias, joined, builder));
    return sql("??.j", joined);
  };
  const columns = items.map((item) => sql("? as ??", value(item), item.key));
  return { columns, joins };
}

/**
 * A column of a model as PostgreSQL's JSON functions shall write it. A value that the API does not hold is an error of the statement,
 * which names it: the setting does not exist.
 */
export function columnJson({ name, kind }: Column, alias: string, model: string): Sql {
  const { jsonSql, unheldSql, sqlType } = kinds[kind];
  const value = sql("??.??", alias, name);
  const json = sql(jsonSql, value);
  if (unheldSql === null) return json;
  const type = jsonSql === "?" ? sqlType : sqlType.endsWith("[]") ? "text[]" : "text";
  return sql(
    `case when ? then current_setting('${unheldSetting}' || ${textLiteral(model)} || '.' || ${textLiteral(name)} || '.' || ??.id)::${type} else ? end`,
    sql(unheldSql, ...Array<Sql>(unheldSql.split("?").length - 1).fill(value)),
    alias,
    json,
  );
}

/** One row with the given alias as JSON text, null for one that is too long, where no `from` can stand, such as in `returning`. */
export function rowJson(selection: ObjectSelection, alias: string, builder: StatementBuilder): Sql {
  const { columns, joins } = objectSql(selection, alias, builder);
  const row = sql("select ? from (select) as one ?", join(columns, ", "), join(joins, " "));
  return sql("(?)", rowText(row, builder.mostBytes));
}

/** The rows of a list, of which `selected` is answered. `link` ties it to the row that it stands under; null for a root field. */
export function listSql(
  selection: ObjectSelection,
  scope: Scope,
  { input, searchIn, first }: NumberedList,
  link: Sql | null,
  alias: string,
  { columns, joins }: ObjectSql,
  builder: StatementBuilder,
): Sql {
  const { model } = selection.member;
  const { filters, order_by: orderBy, descending } = input;
  const filter = { model, models: builder.registry.models, filters, scope, searchIn };
  const order = orderSql({ orderBy: orderBy ?? "id", descending }, alias);
  const where = every([...(link === null ? [] : [link]), rowFilterSql(filter, alias, first)]);
  const page = (selected: Sql) =>
    pageSql(
      sql("select ? from ?? as ?? where ? order by ?", selected, model.table, alias, where, order),
      filter,
      input,
      first,
    );
  const list = join(columns, ", ");
  if (joins.length === 0) return page(list);
  // Joins are looked up after the page was cut, for its rows alone.
  const rows = page(sql("??.*", alias));
  return sql("select ? from (?) as ?? ? order by ?", list, rows, alias, join(joins, " "), order);
}

function joinSql(item: JoinItem, alias: string, joined: string, builder: StatementBuilder): Sql {
  const inner = builder.nextAlias();
  const { relation, selection, list } = item;
  if (list === null) {
    const row = oneSql(item, alias, inner, objectSql(selection, inner, builder), builder);
    // The limit keeps PostgreSQL from planning all joins as one: of hundreds that takes it seconds.
    return sql(
      "left join lateral (select row_to_json(r$) as j from (?) as r$ limit 1) as ?? on true",
      row,
      joined,
    );
  }
  const numbered = builder.nextList([]);
  const link = linkSql(relation, alias, inner);
  const scope = fetchScope(selection.member, builder.principal);
  const rows = listSql(
    selection,
    scope,
    numbered,
    link,
    inner,
    objectSql(selection, inner, builder),
    builder,
  );
  return sql(
    "left join lateral (select coalesce(json_agg(r$), '[]') as j from (?) as r$) as ?? on true",
    rows,
    joined,
  );
}

/** The row that a `belongs_to` or `has_one` of a row leads to, as the columns of `joined`. */
export function joinedRowSql(
  item: JoinItem,
  alias: string,
  joined: string,
  inner: string,
  selected: ObjectSql,
  builder: StatementBuilder,
): Sql {
  const row = oneSql(item, alias, inner, selected, builder);
  return sql("left join lateral (?) as ?? on true", row, joined);
}

function linkSql({ references, field }: Relation, alias: string, inner: string): Sql {
  return sql("??.?? = ??.??", inner, references, alias, field);
}

/**
 * The one live row that a `belongs_to` or `has_one` leads to; of several, over a key that is not unique, the first by id. The limit keeps
 * PostgreSQL from planning it as one with what it stands in.
 */
function oneSql(
  { relation, selection }: JoinItem,
  alias: string,
  inner: string,
  { columns, joins }: ObjectSql,
  builder: StatementBuilder,
): Sql {
  const { model } = selection.member;
  const column = columnsOfTable(inner);
  const where = every([
    linkSql(relation, alias, inner),
    ...scopeSql(
      fetchScope(selection.member, builder.principal),
      model,
      builder.registry.models,
      column,
      "read",
    ),
    ...visibilitySql(model, "live", column),
  ]);
  return sql(
    "select ? from ?? as ?? ? where ? ? limit 1",
    join(columns, ", "),
    model.table,
    inner,
    join(joins, " "),
    where,
    relation.kind === "has_one" ? sql("order by ?", column("id")) : sql(" "),
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
    join(columns, ", "),
    model.table,
    alias,
    join(joins, " "),
    alias,
    requestList(0, model.id),
    alias,
  );
  return rowsText(rows, builder.mostBytes);
}

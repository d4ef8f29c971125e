import { unheldSetting } from "../../../core/database/index.ts";
import type { ListInput } from "../../../data/operations/index.ts";
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
import type { Principal, Scope, Subject } from "../../../models/access/index.ts";
import type { Column, Relation } from "../../../models/index.ts";
import type { GraphqlContext, ModelRegistry, RegisteredModel } from "../plan/model-registry.ts";
import type { Item, JoinItem, ObjectSelection } from "../plan/selection.ts";

// Rows as a whole are `r$` in statements: a name that no key of an answer and no field can have.

/**
 * Rows as one JSON text; null where that has more bytes. The database looks, since a text that no string of JavaScript
 * holds ends the process as soon as it arrives.
 */
export function rowsText(rows: Sql, mostBytes: number): Sql {
  return sql(
    "select ? from (select coalesce(json_agg(r$), '[]') as j from (?) as r$) as page",
    limitedText(sql("j"), mostBytes),
    rows,
  );
}

/** One row as JSON text, under the same limit. */
function rowText(row: Sql, mostBytes: number): Sql {
  // With an offset PostgreSQL makes the text once.
  return sql(
    "select ? from (select row_to_json(r$) as j from (?) as r$ offset 0) as page",
    limitedText(sql("j"), mostBytes),
    row,
  );
}

/** JSON as a text without blanks; null where it has more bytes. The size is asked of the JSON: to make a text of it takes as much memory again. */
function limitedText(json: Sql, mostBytes: number): Sql {
  return sql(`case when pg_column_size(?) <= ${mostBytes} then ${compact("?::text")} end`, json, json);
}

/** PostgreSQL puts a line break between the elements of lists. Texts hold none: there it is written as `\n`. */
function compact(text: string): string {
  return `replace(${text}, E', \\n ', ',')`;
}

/** The SQL of one selection: columns that are named as in the answer, and the joins that they need. */
interface ObjectSql {
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
function columnJson({ name, kind }: Column, alias: string, model: string): Sql {
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

/** An internal model has no fetch rules to apply: whoever may select its fields may see its rows. */
function fetchScope(member: RegisteredModel, caller: Subject): Scope {
  return member.entry === null ? { kind: "all" } : member.authorize("fetch", caller).scope;
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

/** A list of a statement: what it is asked for, where its search looks, and which value of the request is its first. */
interface NumberedList {
  readonly input: ListInput;
  readonly searchIn: readonly string[];
  readonly first: number;
}

/** For whom a statement is made. */
type Maker = Pick<GraphqlContext, "registry" | "caller" | "mostBytes">;

/** A statement while it is made: its aliases are numbered as it grows, and so are the values of its lists. */
export class StatementBuilder {
  readonly registry: ModelRegistry;
  readonly principal: Principal;
  readonly mostBytes: number;
  readonly #lists: Iterator<ListInput>;
  #values: number;
  #aliases = 0;

  /** `first` values of the request come before those of the lists. */
  constructor({ registry, caller, mostBytes }: Maker, lists: readonly ListInput[], first = 0) {
    this.registry = registry;
    this.principal = caller.principal;
    this.mostBytes = mostBytes;
    this.#lists = lists[Symbol.iterator]();
    this.#values = first;
  }

  nextAlias(): string {
    return `t${this.#aliases++}`;
  }

  /** The next list, whose values take their place: filters, search pattern if any, limit, offset. */
  nextList(searchIn: readonly string[]): NumberedList {
    const { value: input, done } = this.#lists.next();
    if (done === true || input === undefined) throw new Error("a statement has more lists than were read");
    const first = this.#values;
    this.#values += input.filters.length + (searchIn.length > 0 ? 1 : 0) + 2;
    return { input, searchIn, first };
  }
}

import { unsupportedSetting } from "../../../core/database/index.ts";
import type { ListInput } from "../../../data/operations/index.ts";
import {
  type ColumnSql,
  columnsOfTable,
  every,
  idList,
  join,
  orderSql,
  pageSql,
  rowFilterSql,
  type Sql,
  scopeSql,
  sql,
  tableSql,
  testSql,
  textLiteral,
  typeOf,
  visibilitySql,
} from "../../../data/sql/index.ts";
import type { Principal, Scope, Subject } from "../../../models/access/index.ts";
import { type Column, hasId, type Model } from "../../../models/index.ts";
import type { GraphqlContext, ModelRegistry, RegisteredModel } from "../plan/model-registry.ts";
import type { Item, JoinItem, ObjectSelection } from "../plan/selection.ts";

// A whole row is `r$`, which cannot be a response key or a field.

/**
 * Rows as one JSON text; NULL if it is too large. The database checks the size: a text that is too long for
 * JavaScript would end the process.
 */
export function rowsText(rows: Sql, mostBytes: number): Sql {
  return sql(
    "select ? from (select coalesce(json_agg(r$), '[]') as j from (?) as r$) as page",
    limitedText(sql("j"), mostBytes),
    rows,
  );
}

/** One row as JSON text, with the same limit. */
function rowText(row: Sql, mostBytes: number): Sql {
  // `offset 0` makes PostgreSQL create the text only once.
  return sql(
    "select ? from (select row_to_json(r$) as j from (?) as r$ offset 0) as page",
    limitedText(sql("j"), mostBytes),
    row,
  );
}

/**
 * JSON as compact text; NULL if it is too large. The size is that of the JSON, because the text takes the
 * same memory again.
 */
function limitedText(json: Sql, mostBytes: number): Sql {
  return sql(`case when pg_column_size(?) <= ${mostBytes} then ${compact("?::text")} end`, json, json);
}

/** PostgreSQL puts a line break between list elements; in strings it is written as `\n`. */
export function compact(text: string): string {
  return `replace(${text}, E', \\n ', ',')`;
}

/** Columns named by response keys, and joins. */
interface ObjectSql {
  readonly columns: readonly Sql[];
  readonly joins: readonly Sql[];
}

/**
 * The SQL of a selection, of the row with the given alias. Where `open` is false, all fields but `id` are
 * NULL.
 */
export function objectSql(
  { member, items }: ObjectSelection,
  alias: string,
  builder: StatementBuilder,
  open: Sql | null = null,
): ObjectSql {
  const joins: Sql[] = [];
  const value = (item: Item): Sql => {
    if (item.kind === "column") return columnJson(item.column, alias, member.model);
    if (item.kind === "typename") return sql(`${textLiteral(member.model.key)}::text`);
    const joined = builder.nextAlias();
    joins.push(joinSql(item, columnsOfTable(member.model, alias), joined, builder));
    return sql("??.j", joined);
  };
  const guarded = (item: Item): Sql => {
    const isOpen = open === null || item.kind === "typename";
    if (isOpen || (item.kind === "column" && item.column.name === "id")) return value(item);
    return sql("case when ? then ? end", open, value(item));
  };
  const columns = items.map((item) => sql("? as ??", guarded(item), item.key));
  return { columns, joins };
}

/**
 * A column for PostgreSQL's JSON functions. An unsupported value makes the statement fail with the name of
 * the column, because the setting does not exist.
 */
function columnJson(column: Column, alias: string, model: Model): Sql {
  const { name } = column;
  const { jsonSql, unsupportedSql, sqlType } = typeOf(column);
  const row = columnsOfTable(model, alias);
  const value = row(name);
  const json = sql(jsonSql, value);
  if (unsupportedSql === null) return json;
  const type = jsonSql === "?" ? sqlType : sqlType.endsWith("[]") ? "text[]" : "text";
  return sql(
    `case when ? then current_setting('${unsupportedSetting}' || ${textLiteral(model.key)} || '.' || ${textLiteral(name)} || '.' || ?)::${type} else ? end`,
    testSql(unsupportedSql, value),
    hasId(model) ? row("id") : sql("''"),
    json,
  );
}

/**
 * One row as JSON text, NULL if it is too large, for places without a `from`, such as `returning`. Outside
 * the scope it has only the id.
 */
export function rowJson(
  selection: ObjectSelection,
  scope: Scope,
  alias: string,
  builder: StatementBuilder,
): Sql {
  const { guard, open } = guardOf(selection.member, scope, alias, builder);
  const { columns, joins } = objectSql(selection, alias, builder, open);
  const row = sql("select ? from (select) as one ? ?", join(columns, ", "), guard, join(joins, " "));
  return sql("(?)", rowText(row, builder.mostBytes));
}

/** A join that finds out whether a row is open to a scope, and its result; null if all rows are. */
function guardOf(
  { model }: RegisteredModel,
  scope: Scope,
  alias: string,
  builder: StatementBuilder,
  ...more: readonly Sql[]
): { readonly guard: Sql; readonly open: Sql | null } {
  if (scope.kind === "all") return { guard: sql(""), open: null };
  const admitted = scopeSql(scope, model, builder.registry.models, columnsOfTable(model, alias), "read");
  const open = sql("coalesce(?, false)", every([...more, ...admitted]));
  return { guard: sql("cross join lateral (select ? as open) as guard$", open), open: sql("guard$.open") };
}

/** Whether a scope opens a row as it was when the statement that writes it began. True for a new row. */
export function wasOpen(
  { model }: RegisteredModel,
  scope: Scope,
  alias: string,
  registry: ModelRegistry,
): Sql {
  const before = columnsOfTable(model, "before$");
  const admitted = scopeSql(scope, model, registry.models, before, "read");
  return sql(
    "coalesce((select coalesce(?, false) from ? as before$ where ? = ?), true)",
    every(admitted),
    tableSql(model),
    before("id"),
    columnsOfTable(model, alias)("id"),
  );
}

/** The rows of a list. `link` joins it to its outer row; null for a root field. */
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
  const order = orderSql({ model, orderBy: orderBy ?? "id", descending }, alias);
  const where = every([...(link === null ? [] : [link]), rowFilterSql(filter, alias, first)]);
  const page = (selected: Sql) =>
    pageSql(
      sql("select ? from ? as ?? where ? order by ?", selected, tableSql(model), alias, where, order),
      filter,
      input,
      first,
    );
  const list = join(columns, ", ");
  if (joins.length === 0) return page(list);
  // Joins come after the limit, so they run only for rows of the page.
  const rows = page(sql("??.*", alias));
  return sql("select ? from (?) as ?? ? order by ?", list, rows, alias, join(joins, " "), order);
}

function joinSql(item: JoinItem, outer: ColumnSql, joined: string, builder: StatementBuilder): Sql {
  const inner = builder.nextAlias();
  const { selection, list } = item;
  if (list === null) {
    const row = oneSql(item, outer, inner, objectSql(selection, inner, builder), builder);
    // The limit prevents PostgreSQL from planning all joins together, which takes seconds for hundreds of
    // joins.
    return sql(
      "left join lateral (select row_to_json(r$) as j from (?) as r$ limit 1) as ?? on true",
      row,
      joined,
    );
  }
  const numbered = builder.nextList([]);
  const link = linkSql(item, outer, inner);
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

/** The row of a `belongs_to` or `has_one`, as the columns of `joined`. */
export function joinedRowSql(
  item: JoinItem,
  outer: ColumnSql,
  joined: string,
  inner: string,
  selected: ObjectSql,
  builder: StatementBuilder,
): Sql {
  const row = oneSql(item, outer, inner, selected, builder);
  return sql("left join lateral (?) as ?? on true", row, joined);
}

function linkSql({ relation, selection }: JoinItem, outer: ColumnSql, inner: string): Sql {
  const row = columnsOfTable(selection.member.model, inner);
  return sql("? = ?", row(relation.references), outer(relation.field));
}

/**
 * The live row of a `belongs_to` or `has_one`; the first by id if the key is not unique. The limit keeps
 * PostgreSQL from planning it together with the outer query.
 */
function oneSql(
  item: JoinItem,
  outer: ColumnSql,
  inner: string,
  { columns, joins }: ObjectSql,
  builder: StatementBuilder,
): Sql {
  const { relation, selection } = item;
  const { model } = selection.member;
  const column = columnsOfTable(model, inner);
  const where = every([
    linkSql(item, outer, inner),
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
    "select ? from ? as ?? ? where ? ? limit 1",
    join(columns, ", "),
    tableSql(model),
    inner,
    join(joins, " "),
    where,
    relation.kind === "has_one" ? sql("order by ?", column("id")) : sql(" "),
  );
}

/** An internal model has no fetch rules: a caller that may read its fields may read its rows. */
function fetchScope(member: RegisteredModel, caller: Subject): Scope {
  return member.entry === null ? { kind: "all" } : member.authorize("fetch", caller).scope;
}

/**
 * Rows by ids as one JSON text, in the order of their ids, soft-deleted ones too. Those outside the scope
 * have only the id. Values: the ids; unless the scope opens all rows, the ids that it can open.
 */
export function rowsByIds(selection: ObjectSelection, scope: Scope, builder: StatementBuilder): Sql {
  const { model } = selection.member;
  const alias = builder.nextAlias();
  const id = columnsOfTable(model, alias)("id");
  const listed = () => sql("? = any(?)", id, idList(1, model));
  const { guard, open } = guardOf(
    selection.member,
    scope,
    alias,
    builder,
    ...(scope.kind === "some" ? [listed()] : []),
  );
  const { columns, joins } = objectSql(selection, alias, builder, open);
  const rows = sql(
    "select ? from ? as ?? ? ? where ? = any(?) order by ?",
    join(columns, ", "),
    tableSql(model),
    alias,
    guard,
    join(joins, " "),
    id,
    idList(0, model),
    id,
  );
  return rowsText(rows, builder.mostBytes);
}

/** A list of a statement, and the position of its first value. */
interface NumberedList {
  readonly input: ListInput;
  readonly searchIn: readonly string[];
  readonly first: number;
}

type Maker = Pick<GraphqlContext, "registry" | "caller" | "mostBytes">;

/** Numbers the aliases of a statement and the values of its lists, in order. */
export class StatementBuilder {
  readonly registry: ModelRegistry;
  readonly principal: Principal;
  readonly mostBytes: number;
  readonly #lists: Iterator<ListInput>;
  #values: number;
  #aliases = 0;

  /** The values of the lists begin at `first`. */
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

  /** The next list. Its values: filters, search pattern if any, bounds (limit, offset). */
  nextList(searchIn: readonly string[], bounds = 2): NumberedList {
    const { value: input, done } = this.#lists.next();
    if (done === true || input === undefined) throw new Error("a statement has more lists than were read");
    const first = this.#values;
    this.#values += input.filters.length + (searchIn.length > 0 ? 1 : 0) + bounds;
    return { input, searchIn, first };
  }
}

import {
  type Condition,
  isOtherField,
  type Subject,
  startsAtRuleRow,
} from "../../../../vocabulary/conditions/conditions.ts";
import { type Column, type Model, type Relation, requireColumn } from "../../../models/index.ts";
import type { TypedColumn } from "../column-types.ts";
import {
  type ColumnSql,
  columnsOfTable,
  every,
  forShare,
  join,
  lockUnlessView,
  type Sql,
  sharedLock,
  sql,
  tableSql,
} from "../sql.ts";

/** All models by key: conditions can follow relations. */
export type Models = ReadonlyMap<string, Model>;

/** A condition without nested conditions. */
export type Leaf = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

/**
 * Whether rows that a condition reaches over relations are only read, or also locked until the transaction
 * ends. A write locks them. Otherwise a line could still be added to an order that is being closed.
 */
export type JoinMode = "read" | "locked";

/**
 * `positive`: under an even number of NOTs. Unknown means false there, and an EXISTS depends on rows that
 * exist. `negative`: under an odd number of NOTs. An EXISTS there depends on absent rows. `absent`: inside an
 * EXISTS that is `negative`.
 */
export type Polarity = "positive" | "negative" | "absent";

/** The polarity inside a NOT. */
export function underNot(polarity: Polarity): Polarity {
  if (polarity === "absent") return polarity;
  return polarity === "positive" ? "negative" : "positive";
}

/** The polarity inside an EXISTS. */
export function underExists(polarity: Polarity): Polarity {
  return polarity === "positive" ? polarity : "absent";
}

/** A row where a path begins. */
export interface RowAt {
  readonly model: Model;
  readonly row: ColumnSql;
}

/**
 * The row that the rule applies to. `given`: a request sets its fields, so its keys can lead to no row. The
 * database rejects such keys, unless they lead to a row of the same statement.
 */
interface RuleRow extends RowAt {
  readonly given: boolean;
}

/** The context of a piece of a condition. */
export interface ConditionContext {
  readonly models: Models;
  readonly mode: JoinMode;
  readonly itself: RuleRow;
  /** The current row, whose fields the piece names. */
  readonly at: RowAt;
  /** The number of EXISTS around the piece. */
  readonly depth: number;
  readonly polarity: Polarity;
  /** Whether the piece is under an odd number of NOTs. If it is true, the row is forbidden. */
  readonly negated: boolean;
}

/** A value in SQL, and its type. */
export interface TypedSql extends TypedColumn {
  readonly sql: Sql;
  /** See `Column`. */
  readonly hidesUnsupported?: boolean;
}

/** One relation of a path, and its target model. */
export interface Hop {
  readonly relation: Relation;
  readonly target: Model;
}

/** The relations of a path: from the row that the rule applies to, or from the current row. */
export interface Path {
  readonly fromItself: boolean;
  readonly hops: readonly Hop[];
  readonly end: Model;
}

/** The part of the context that paths depend on. */
export interface PathContext {
  readonly models: Models;
  readonly itself: { readonly model: Model };
  readonly at: { readonly model: Model };
  readonly depth: number;
}

/**
 * Resolves a path. It starts at the current row. Inside EXISTS, a path with `this` starts at the row that the
 * rule applies to.
 */
export function pathOf(names: readonly string[], { models, itself, at, depth }: PathContext): Path {
  const fromItself = startsAtRuleRow(names, depth);
  const hops: Hop[] = [];
  let end = (fromItself ? itself : at).model;
  for (const name of fromItself ? names.slice(1) : names) {
    const relation = end.relations[name];
    const target = relation === undefined ? undefined : models.get(relation.model);
    if (relation === undefined || target === undefined) throw new Error(`${end.key} has no relation ${name}`);
    hops.push({ relation, target });
    end = target;
  }
  return { fromItself, hops, end };
}

/** A field: the path to its row, and its column. */
export function fieldPathOf(
  name: string,
  place: PathContext,
): { readonly path: Path; readonly column: string } {
  const names = name.split(".");
  const column = names.pop() ?? "";
  return { path: pathOf(names, place), column };
}

/** The fields that a comparison names, on both sides. */
export function fieldsOf(leaf: Leaf): string[] {
  const operand = "value" in leaf && isOtherField(leaf.value) ? [leaf.value.field] : [];
  return typeof leaf.field === "string" ? [leaf.field, ...operand] : operand;
}

/** Whether the subject is a field, not a column of the caller. */
export function isFieldName(subject: Subject): subject is string {
  return typeof subject === "string";
}

/** The value of a column. */
export function typedSql(value: Sql, { kind, dbType, hidesUnsupported }: Column): TypedSql {
  return { sql: value, kind, dbType, hidesUnsupported };
}

/** Whether the row with this alias has the key of a relation. */
export function linkSql({ relation, target }: Hop, alias: string, key: Sql): Sql {
  return sql("? = ?", columnsOfTable(target, alias)(relation.references), key);
}

/** Whether the row is not soft-deleted, if the model supports it. */
export function liveSql({ target }: Pick<Hop, "target">, alias: string): Sql[] {
  return target.softDelete ? [sql("? is null", columnsOfTable(target, alias)("deleted_at", "stored"))] : [];
}

/** A column of a locked row; NULL if the row is soft-deleted. */
export function columnWhereLive(
  { target }: Pick<Hop, "target">,
  alias: string,
  name: string,
  form?: "stored",
): Sql {
  const row = columnsOfTable(target, alias);
  const value = row(name, form);
  return target.softDelete
    ? sql("case when ? is null then ? end", row("deleted_at", "stored"), value)
    : value;
}

/**
 * All rows of a relation with a shared lock, including soft-deleted ones, which can be restored. `offset 0`
 * makes PostgreSQL lock them before it checks other conditions.
 */
export function lockedRows(hop: Hop, key: Sql): Sql {
  return sql(
    "select held$.* from ? as held$ where ? offset 0 ?",
    tableSql(hop.target),
    linkSql(hop, "held$", key),
    forShare(hop.target),
  );
}

/** The first live row by id of a `has_one`, whose rows are all locked. */
export function firstLockedRow(hop: Hop, key: Sql): Sql {
  return sql(
    "select first$.* from (?) as first$ where ? order by ? limit 1",
    lockedRows(hop, key),
    every(liveSql(hop, "first$")),
    columnsOfTable(hop.target, "first$")("id"),
  );
}

interface JoinedRows {
  readonly from: Sql;
  readonly where: readonly Sql[];
  /** Columns of the last table. */
  readonly last: ColumnSql;
}

/** The live rows on a path. Their aliases have the same prefix. */
export function joinedRows(hops: readonly Hop[], start: RowAt, prefix: string): JoinedRows {
  let last = start.row;
  const tables: Sql[] = [];
  const where: Sql[] = [];
  for (const [index, hop] of hops.entries()) {
    const alias = `${prefix}${index}$`;
    const key = last(hop.relation.field);
    tables.push(sql("? as ??", tableSql(hop.target), alias));
    where.push(linkSql(hop, alias, key), ...liveSql(hop, alias));
    if (hop.relation.kind === "has_one") where.push(isFirst(hop, alias, key));
    last = columnsOfTable(hop.target, alias);
  }
  return { from: join(tables, ", "), where, last };
}

/** If a `has_one` has several rows, the first live one by id counts. */
function isFirst(hop: Hop, alias: string, key: Sql): Sql {
  const first = columnsOfTable(hop.target, "first$")("id");
  return sql(
    "? = (select ? from ? as first$ where ? order by ? limit 1)",
    columnsOfTable(hop.target, alias)("id"),
    first,
    tableSql(hop.target),
    every([linkSql(hop, "first$", key), ...liveSql(hop, "first$")]),
    first,
  );
}

/**
 * A field of the current row, or of the live row at the end of a path. NULL if that row does not exist, as in
 * a join.
 */
export function fieldSql(name: string, rows: ConditionContext, form?: "stored"): TypedSql {
  const { path, column } = fieldPathOf(name, rows);
  const { hops, end } = path;
  const wanted = [...hops.slice(1).map(({ relation }) => relation.field), column];
  let value = startOf(path, rows).row(hops[0]?.relation.field ?? column, form);
  for (const [index, hop] of hops.entries()) {
    const alias = `row${rows.depth}${index}$`;
    const of = { hop, alias, key: value, name: wanted[index] ?? column, form };
    value = rows.mode === "read" ? readValue(of) : lockedValue(of, lockOf(path, rows));
  }
  return typedSql(value, requireColumn(end, column));
}

/** The row where a path begins. */
export function startOf({ fromItself }: Path, { itself, at }: ConditionContext): RowAt {
  return fromItself ? itself : at;
}

interface Value {
  readonly hop: Hop;
  readonly alias: string;
  /** Of the previous row. */
  readonly key: Sql;
  readonly name: string;
  readonly form: "stored" | undefined;
}

function readValue({ hop, alias, key, name, form }: Value): Sql {
  const row = columnsOfTable(hop.target, alias);
  const first = hop.relation.kind === "has_one" ? sql("order by ? limit 1", row("id")) : sql(" ");
  const where = every([linkSql(hop, alias, key), ...liveSql(hop, alias)]);
  return sql("(select ? from ? as ?? where ? ?)", row(name, form), tableSql(hop.target), alias, where, first);
}

/** A soft-deleted parent is locked too: after a restore, its field is no longer NULL. */
function lockedValue({ hop, alias, key, name, form }: Value, lock: Sql): Sql {
  if (hop.relation.kind === "has_one")
    return sql(
      "(select ? from (?) as ??)",
      columnsOfTable(hop.target, alias)(name, form),
      firstLockedRow(hop, key),
      alias,
    );
  return sql(
    "(select ? from ? as ?? where ? ?)",
    columnWhereLive(hop, alias, name, form),
    tableSql(hop.target),
    alias,
    linkSql(hop, alias, key),
    lockUnlessView(hop.target, lock),
  );
}

/**
 * The lock of a path's rows: shared. The parent of a single `belongs_to` is locked exclusively: if hooks then
 * change it, two writers with a shared lock would deadlock.
 */
export function lockOf({ hops }: Path, { depth }: ConditionContext): Sql {
  const isParent = depth === 0 && hops.length === 1 && hops[0]?.relation.kind === "belongs_to";
  return isParent ? sql("for no key update") : sharedLock;
}

/**
 * A comparison as EXISTS, which lets PostgreSQL start with the caller's rows. Only for `belongs_to` relations
 * that are only read, at a place where unknown means false. Otherwise null.
 */
export function semiJoin(leaf: Leaf, rows: ConditionContext, compared: (field: TypedSql) => Sql): Sql | null {
  if (
    rows.mode === "locked" ||
    rows.polarity !== "positive" ||
    leaf.op === "is_null" ||
    !isFieldName(leaf.field)
  )
    return null;
  const { path, column } = fieldPathOf(leaf.field, rows);
  const { hops, end } = path;
  if (hops.length === 0 || hops.some(({ relation }) => relation.kind !== "belongs_to")) return null;
  const { from, where, last } = joinedRows(hops, startOf(path, rows), `row${rows.depth}`);
  const field = typedSql(last(column), requireColumn(end, column));
  return sql("exists (select from ? where ?)", from, every([...where, compared(field)]));
}

/** Whether a condition on a model leads to rows of the same model, which the same statement can write. */
export function reachesOwnModel(condition: Condition, model: Model, models: Models): boolean {
  const itself = { model };
  const visits = ({ hops }: Path) => hops.some(({ target }) => target.key === model.key);
  const look = (inner: Condition, place: PathContext): boolean => {
    switch (inner.op) {
      case "and":
      case "or":
        return inner.conditions.some((each) => look(each, place));
      case "not":
        return look(inner.condition, place);
      case "exists": {
        const path = pathOf(inner.path.split("."), place);
        const found = { ...place, at: { model: path.end }, depth: place.depth + 1 };
        return visits(path) || (inner.where !== null && look(inner.where, found));
      }
      default:
        return fieldsOf(inner).some((name) => visits(fieldPathOf(name, place).path));
    }
  };
  return look(condition, { models, itself, at: itself, depth: 0 });
}

import {
  beginsAtItself,
  type Condition,
  isOtherField,
  type Subject,
} from "../../../../vocabulary/conditions.ts";
import type { FieldKind } from "../../../../vocabulary/field-kinds.ts";
import { columnsOf, type Model, type Relation } from "../../../models/index.ts";
import { type ColumnSql, columnsOfTable, every, forShare, join, type Sql, sql } from "../sql.ts";

/** All models by key: conditions reach over relations. */
export type Models = ReadonlyMap<string, Model>;

/** A condition without conditions of its own. */
export type Leaf = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

/**
 * What becomes of the rows that a condition reaches over a relation: they are only read, or also held until the end of the
 * transaction. A write holds them, since PostgreSQL otherwise looks at them as they were when the statement began: a line
 * could still be added to an order that is being closed.
 */
export type Joined = "read" | "held";

/**
 * Whether a piece stands under an even number of NOTs: there, what is unknown might as well be false, and an EXISTS rests on one
 * row that is found. Under an odd number it rests on rows that are not there, and so does all within it: `absent`.
 */
export type Polarity = "positive" | "negative" | "absent";

/** The polarity under one NOT more. */
export function underNot(polarity: Polarity): Polarity {
  if (polarity === "absent") return polarity;
  return polarity === "positive" ? "negative" : "positive";
}

/** The polarity within an EXISTS. */
export function within(polarity: Polarity): Polarity {
  return polarity === "positive" ? polarity : "absent";
}

/** A row at which a path begins. */
export interface RowAt {
  readonly model: Model;
  readonly row: ColumnSql;
}

/**
 * The row whose rule it is: one that is there, or one that a request gives fields to, whose keys may lead nowhere. The database
 * refuses those, and those that lead to a row of the same statement are allowed.
 */
interface RuleRow extends RowAt {
  readonly given: boolean;
}

/** Where a piece of a condition stands. */
export interface ConditionRows {
  readonly models: Models;
  readonly joined: Joined;
  readonly itself: RuleRow;
  /** The row that names are fields of. */
  readonly at: RowAt;
  /** Levels of EXISTS around it. */
  readonly depth: number;
  readonly polarity: Polarity;
  /** It stands under an odd number of NOTs: true here speaks against the row whose rule it is. */
  readonly negated: boolean;
}

/** A value in SQL, and what it is. */
export interface TypedSql {
  readonly sql: Sql;
  readonly kind: FieldKind;
}

/** One relation of a path, and the model that it leads to. */
export interface Hop {
  readonly relation: Relation;
  readonly target: Model;
}

/** The relations of a path: from the row whose rule it is, or from the one at hand. */
export interface Path {
  readonly fromItself: boolean;
  readonly hops: readonly Hop[];
  readonly end: Model;
}

/** Where names stand, as far as paths go by it. */
export interface Place {
  readonly models: Models;
  readonly itself: { readonly model: Model };
  readonly at: { readonly model: Model };
  readonly depth: number;
}

/** A path over relations. It begins at the row at hand, or within EXISTS by `this` at the row whose rule it is. */
export function pathOf(names: readonly string[], { models, itself, at, depth }: Place): Path {
  const fromItself = beginsAtItself(names, depth);
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

/** A field: the relations to the row that has it, and its name. */
export function fieldPathOf(name: string, place: Place): { readonly path: Path; readonly column: string } {
  const names = name.split(".");
  const column = names.pop() ?? "";
  return { path: pathOf(names, place), column };
}

/** The fields that a comparison names, both of those that it compares. */
export function fieldsOf(leaf: Leaf): string[] {
  const operand = "value" in leaf && isOtherField(leaf.value) ? [leaf.value.field] : [];
  return typeof leaf.field === "string" ? [leaf.field, ...operand] : operand;
}

/** Whether a comparison is about a field, and not about a column of the caller. */
export function isFieldName(subject: Subject): subject is string {
  return typeof subject === "string";
}

/** The kind of a model's field or runtime column. */
export function kindOf(model: Model, name: string): FieldKind {
  const column = columnsOf(model).get(name);
  if (column === undefined) throw new Error(`${model.key} has no field ${name}`);
  return column.kind;
}

/** That a row with this alias is the one, or one of those, that a relation leads to from a key. */
export function linkSql({ relation }: Hop, alias: string, key: Sql): Sql {
  return sql("??.?? = ?", alias, relation.references, key);
}

/** That the row is no soft-deleted one, where there are such. */
export function liveSql({ target }: Pick<Hop, "target">, alias: string): Sql[] {
  return target.softDelete ? [sql("??.deleted_at is null", alias)] : [];
}

/** A column of the row, NULL where it is soft-deleted: of rows that are held, whatever they are. */
export function columnWhereLive({ target }: Pick<Hop, "target">, alias: string, name: string): Sql {
  const column = columnsOfTable(alias)(name);
  return target.softDelete ? sql("case when ??.deleted_at is null then ? end", alias, column) : column;
}

/**
 * All rows that a relation leads to, held shared, soft-deleted ones too: those may be restored. By the offset PostgreSQL holds
 * them before it looks at any other condition.
 */
export function heldRows(hop: Hop, key: Sql): Sql {
  return sql(
    "select held$.* from ?? as held$ where ? offset 0 ?",
    hop.target.table,
    linkSql(hop, "held$", key),
    forShare,
  );
}

/** The first live row by id of those that a `has_one` leads to, all of which are held. */
export function firstHeldRow(hop: Hop, key: Sql): Sql {
  return sql(
    "select first$.* from (?) as first$ where ? order by first$.id limit 1",
    heldRows(hop, key),
    every(liveSql(hop, "first$")),
  );
}

/** Tables that a path leads over, joined. */
interface JoinedRows {
  readonly from: Sql;
  readonly where: readonly Sql[];
  /** Columns of the table at the path's end. */
  readonly last: ColumnSql;
}

/** The live rows on a path, whose aliases begin alike. */
export function joinedRows(hops: readonly Hop[], start: RowAt, prefix: string): JoinedRows {
  let last = start.row;
  const tables: Sql[] = [];
  const where: Sql[] = [];
  for (const [index, hop] of hops.entries()) {
    const alias = `${prefix}${index}$`;
    const key = last(hop.relation.field);
    tables.push(sql("?? as ??", hop.target.table, alias));
    where.push(linkSql(hop, alias, key), ...liveSql(hop, alias));
    if (hop.relation.kind === "has_one") where.push(isFirst(hop, alias, key));
    last = columnsOfTable(alias);
  }
  return { from: join(tables, ", "), where, last };
}

/** A `has_one` with several rows is the first live one by id. */
function isFirst(hop: Hop, alias: string, key: Sql): Sql {
  return sql(
    "??.id = (select first$.id from ?? as first$ where ? order by first$.id limit 1)",
    alias,
    hop.target.table,
    every([linkSql(hop, "first$", key), ...liveSql(hop, "first$")]),
  );
}

/** A field of the row at hand, or of the live row at the end of a path; no such row gives NULL, as in a join. */
export function fieldSql(name: string, rows: ConditionRows): TypedSql {
  const { path, column } = fieldPathOf(name, rows);
  const { hops, end } = path;
  const wanted = [...hops.slice(1).map(({ relation }) => relation.field), column];
  let value = startOf(path, rows).row(hops[0]?.relation.field ?? column);
  for (const [index, hop] of hops.entries()) {
    const alias = `row${rows.depth}${index}$`;
    const of = { hop, alias, key: value, name: wanted[index] ?? column };
    value = rows.joined === "read" ? readValue(of) : heldValue(of, lockOf(path, rows));
  }
  return { sql: value, kind: kindOf(end, column) };
}

/** The row that a path begins at. */
export function startOf({ fromItself }: Path, { itself, at }: ConditionRows): RowAt {
  return fromItself ? itself : at;
}

interface Value {
  readonly hop: Hop;
  readonly alias: string;
  /** Of the row before. */
  readonly key: Sql;
  readonly name: string;
}

function readValue({ hop, alias, key, name }: Value): Sql {
  const first = hop.relation.kind === "has_one" ? sql("order by ??.id limit 1", alias) : sql(" ");
  const where = every([linkSql(hop, alias, key), ...liveSql(hop, alias)]);
  return sql("(select ??.?? from ?? as ?? where ? ?)", alias, name, hop.target.table, alias, where, first);
}

/** A soft-deleted parent is held too: where it is restored, its field is NULL no more. */
function heldValue({ hop, alias, key, name }: Value, lock: Sql): Sql {
  if (hop.relation.kind === "has_one")
    return sql("(select ??.?? from (?) as ??)", alias, name, firstHeldRow(hop, key), alias);
  return sql(
    "(select ? from ?? as ?? where ? ?)",
    columnWhereLive(hop, alias, name),
    hop.target.table,
    alias,
    linkSql(hop, alias, key),
    lock,
  );
}

/**
 * How a path holds its rows: shared. A parent that one `belongs_to` leads to is held alone, as two writers who share it would both
 * fail when a hook then changes it.
 */
export function lockOf({ hops }: Path, { depth }: ConditionRows): Sql {
  const isParent = depth === 0 && hops.length === 1 && hops[0]?.relation.kind === "belongs_to";
  return isParent ? sql("for no key update") : forShare;
}

/**
 * A comparison as EXISTS, or null where it is no such: over `belongs_to` relations that are only read, and where what is unknown
 * might as well be false. PostgreSQL can begin at the other end of it, at the rows that belong to the caller.
 */
export function semiJoin(leaf: Leaf, rows: ConditionRows, compared: (field: TypedSql) => Sql): Sql | null {
  if (
    rows.joined === "held" ||
    rows.polarity !== "positive" ||
    leaf.op === "is_null" ||
    !isFieldName(leaf.field)
  )
    return null;
  const { path, column } = fieldPathOf(leaf.field, rows);
  const { hops, end } = path;
  if (hops.length === 0 || hops.some(({ relation }) => relation.kind !== "belongs_to")) return null;
  const { from, where, last } = joinedRows(hops, startOf(path, rows), `row${rows.depth}`);
  const field = { sql: last(column), kind: kindOf(end, column) };
  return sql("exists (select from ? where ?)", from, every([...where, compared(field)]));
}

/** Whether a condition on a model leads to rows of the model itself: then it may rest on a row that the same statement writes. */
export function visitsItself(condition: Condition, model: Model, models: Models): boolean {
  const itself = { model };
  const visits = ({ hops }: Path) => hops.some(({ target }) => target.key === model.key);
  const look = (inner: Condition, place: Place): boolean => {
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

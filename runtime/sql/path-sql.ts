import { type CallerColumn, rowItself } from "../../vocabulary/conditions.ts";
import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import { columnsOf, type Model, type Relation } from "../model/index.ts";
import { kinds } from "./kinds.ts";
import { type ColumnSql, columnsOfTable, every, join, Slot, type Sql, sql } from "./sql.ts";

/**
 * What becomes of the rows that a condition reaches over a relation: they are only read, or also held until the end of the
 * transaction. A write holds them, since PostgreSQL otherwise looks at them as they were when the statement began: a line
 * could still be added to an order that is being closed.
 */
export type Joined = "read" | "held";

/** A row at which a path begins. */
interface RowAt {
  readonly model: Model;
  readonly row: ColumnSql;
}

/** Where a piece of a condition stands. */
export interface ConditionRows {
  readonly models: ReadonlyMap<string, Model>;
  readonly joined: Joined;
  /** The row whose rule it is. */
  readonly itself: RowAt;
  /** The row that names are fields of. */
  readonly at: RowAt;
  /** Levels of EXISTS around it. */
  readonly depth: number;
}

/** A value in SQL, and what it is. */
export interface TypedSql {
  readonly sql: Sql;
  readonly kind: FieldKind;
}

interface Path {
  readonly start: RowAt;
  readonly relations: readonly Hop[];
  readonly end: Model;
}

interface Hop {
  readonly relation: Relation;
  readonly target: Model;
}

/** A field of the row at hand, or of the live row at the end of a path; no such row gives NULL, as in a join. */
export function fieldSql(name: string, rows: ConditionRows): TypedSql {
  const names = name.split(".");
  const column = names.pop() ?? "";
  const { start, relations, end } = pathOf(names, rows);
  let value = start.row(relations[0]?.relation.field ?? column);
  for (const [index, { relation, target }] of relations.entries()) {
    const alias = `row${rows.depth}${index}$`;
    const wanted = relations[index + 1]?.relation.field ?? column;
    const first = relation.kind === "has_one" ? sql(" order by ??.id limit 1", alias) : sql("");
    const lock = lockOf(rows, relations.length === 1 && relation.kind === "belongs_to");
    value = sql(
      `(select ??.?? from ?? as ?? where ? ?${lock})`,
      alias,
      wanted,
      target.table,
      alias,
      every([sql("??.?? = ?", alias, relation.references, value), ...live(target, alias)]),
      first,
    );
  }
  return { sql: value, kind: kindOf(end, column) };
}

/** Whether a path leads to a live row that fulfils a condition. */
export function existsSql(path: string, rows: ConditionRows, where: (found: ConditionRows) => Sql): Sql {
  const { start, relations, end } = pathOf(path.split("."), rows);
  let from = start.row;
  const tables: Sql[] = [];
  const conditions: Sql[] = [];
  for (const [index, { relation, target }] of relations.entries()) {
    const alias = `found${rows.depth}${index}$`;
    tables.push(sql("?? as ??", target.table, alias));
    conditions.push(
      sql("??.?? = ?", alias, relation.references, from(relation.field)),
      ...live(target, alias),
    );
    if (relation.kind === "has_one") conditions.push(isFirst(alias, relation, target, from));
    from = columnsOfTable(alias);
  }
  const found: ConditionRows = { ...rows, at: { model: end, row: from }, depth: rows.depth + 1 };
  return sql(
    `exists (select from ? where ? and (?)${rows.joined === "held" ? " for share" : ""})`,
    join(tables, ", "),
    every(conditions),
    where(found),
  );
}

/** A column of the caller's row in `users`, read once. */
export function callerColumnSql({ user }: CallerColumn, { models, joined }: ConditionRows): TypedSql {
  const users = models.get("users");
  if (users === undefined) throw new Error("there are no users");
  const id = new Slot({ from: "caller", claim: "user_id", kind: users.id, pattern: false });
  const lock = joined === "held" ? " for share" : "";
  const kind = kindOf(users, user);
  // The cast makes it a value: a query alone in the list of IN would be a set, and an empty one where there is no row.
  const text = `(select caller$.?? from ?? as caller$ where caller$.id = ?::${users.id}${lock})::${kinds[kind].sqlType}`;
  return { sql: sql(text, user, users.table, id), kind };
}

/** A `has_one` with several rows is the first live one by id. */
function isFirst(alias: string, { field, references }: Relation, target: Model, from: ColumnSql): Sql {
  const first = `${alias.slice(0, -1)}first$`;
  return sql(
    "??.id = (select ??.id from ?? as ?? where ? order by ??.id limit 1)",
    alias,
    first,
    target.table,
    first,
    every([sql("??.?? = ?", first, references, from(field)), ...live(target, first)]),
    first,
  );
}

/** A parent that one `belongs_to` leads to is held alone, as two writers who share it would both fail when a hook then changes it. */
function lockOf({ joined, depth }: ConditionRows, isParent: boolean): string {
  if (joined === "read") return "";
  return isParent && depth === 0 ? " for no key update" : " for share";
}

function live({ softDelete }: Model, alias: string): Sql[] {
  return softDelete ? [sql("??.deleted_at is null", alias)] : [];
}

/** A path begins at the row at hand, or within EXISTS at the row whose rule it is. */
function pathOf(names: readonly string[], { models, itself, at, depth }: ConditionRows): Path {
  const [first, ...rest] = names;
  const fromItself = depth > 0 && first === rowItself;
  const start = fromItself ? itself : at;
  const relations: Hop[] = [];
  let end = start.model;
  for (const name of fromItself ? rest : names) {
    const relation = end.relations[name];
    const target = relation === undefined ? undefined : models.get(relation.model);
    if (relation === undefined || target === undefined) throw new Error(`${end.key} has no relation ${name}`);
    relations.push({ relation, target });
    end = target;
  }
  return { start, relations, end };
}

function kindOf(model: Model, name: string): FieldKind {
  const column = columnsOf(model).get(name);
  if (column === undefined) throw new Error(`${model.key} has no field ${name}`);
  return column.kind;
}

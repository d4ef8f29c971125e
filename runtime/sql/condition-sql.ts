import type { Comparison, Condition, Operand } from "../../vocabulary/conditions.ts";
import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import { columnsOf, type Model } from "../model/index.ts";
import { kinds } from "./kinds.ts";
import { type ColumnSql, join, Slot, type Sql, sql } from "./sql.ts";

/** All models by key: conditions reach over a `belongs_to`. */
export type Models = ReadonlyMap<string, Model>;

/** The SQL of each comparison, of conditions and of filters. */
export const signs: Readonly<Record<Comparison, string>> = {
  eq: "=",
  ne: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  like: "like",
  ilike: "ilike",
};

/**
 * What becomes of the rows that a condition reaches over a relation: they are only read, or also held until the end of the
 * transaction. A write holds them, since PostgreSQL otherwise looks at them as they were when the statement began: a line
 * could still be added to an order that is being closed. The lock is one that two writers cannot share, as sharing it they
 * would both fail when a hook then changes the row.
 */
export type Joined = "read" | "held";

/** A row condition as SQL over the given row. */
export function conditionSql(
  condition: Condition,
  model: Model,
  models: Models,
  row: ColumnSql,
  parents: Joined = "read",
): Sql {
  const field = (name: string) => fieldSql(name, model, models, row, parents);
  const nested = (inner: Condition) => sql("(?)", conditionSql(inner, model, models, row, parents));
  switch (condition.op) {
    case "and":
    case "or":
      return join(condition.conditions.map(nested), ` ${condition.op} `);
    case "not":
      return sql("not ?", nested(condition.condition));
    case "is_null":
      return sql("? is null", field(condition.field).sql);
    case "is_not_null":
      return sql("? is not null", field(condition.field).sql);
    case "in":
    case "not_in": {
      const { sql: column, kind } = field(condition.field);
      const values = join(
        condition.values.map((value) => operandSql(value, kind, false)),
        ", ",
      );
      return sql(`? ${condition.op === "in" ? "in" : "not in"} (?)`, column, values);
    }
    case "between": {
      const { sql: column, kind } = field(condition.field);
      const [from, to] = [operandSql(condition.from, kind, false), operandSql(condition.to, kind, false)];
      return sql("? between ? and ?", column, from, to);
    }
    default: {
      const { sql: column, kind } = field(condition.field);
      const pattern = condition.op === "like" || condition.op === "ilike";
      return sql(`? ${signs[condition.op]} ?`, column, operandSql(condition.value, kind, pattern));
    }
  }
}

/** A field of the row, or of the live row that it belongs to; no such row gives NULL, as in a join. */
function fieldSql(
  name: string,
  model: Model,
  models: Models,
  row: ColumnSql,
  parents: Joined,
): { sql: Sql; kind: FieldKind } {
  const dot = name.indexOf(".");
  if (dot === -1) return { sql: row(name), kind: kindOf(model, name) };
  const relation = model.relations[name.slice(0, dot)];
  const joined = relation === undefined ? undefined : models.get(relation.model);
  if (relation === undefined || joined === undefined)
    throw new Error(`${model.key} has no relation for ${name}`);
  const column = name.slice(dot + 1);
  const live = joined.softDelete ? " and parent.deleted_at is null" : "";
  const lock = parents === "held" ? " for no key update" : "";
  const text = `(select parent.?? from ?? as parent where parent.?? = ?${live}${lock})`;
  return {
    sql: sql(text, column, joined.table, relation.references, row(relation.field)),
    kind: kindOf(joined, column),
  };
}

function kindOf(model: Model, name: string): FieldKind {
  const column = columnsOf(model).get(name);
  if (column === undefined) throw new Error(`${model.key} has no field ${name}`);
  return column.kind;
}

/** In a pattern of the policy `%` and `_` are wildcards; those of a caller's claim are taken literally. */
function operandSql(operand: Operand, kind: FieldKind, pattern: boolean): Sql {
  const cast = kinds[kind].sqlType;
  if (typeof operand !== "object") {
    const value = pattern ? String(operand).replaceAll("\\", "\\\\") : operand;
    return sql(`?::${cast}`, new Slot({ from: "policy", value }));
  }
  if (operand.placeholder === "now") return sql(`now()::${cast}`);
  return sql(`?::${cast}`, new Slot({ from: "caller", claim: operand.placeholder, kind, pattern }));
}

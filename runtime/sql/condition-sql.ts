import {
  type Comparison,
  type Condition,
  type Moment,
  type Operand,
  type OtherField,
  type Subject,
  timeUnits,
  type Value,
} from "../../vocabulary/conditions.ts";
import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { Model } from "../model/index.ts";
import { kinds } from "./kinds.ts";
import {
  type ConditionRows,
  callerColumnSql,
  existsSql,
  fieldSql,
  type Joined,
  type TypedSql,
} from "./path-sql.ts";
import { type ColumnSql, join, Slot, type Sql, sql } from "./sql.ts";

/** All models by key: conditions reach over relations. */
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

/** A row condition as SQL over the given row. */
export function conditionSql(
  condition: Condition,
  model: Model,
  models: Models,
  row: ColumnSql,
  joined: Joined = "read",
): Sql {
  const itself = { model, row };
  return treeSql(condition, { models, joined, itself, at: itself, depth: 0 });
}

function treeSql(condition: Condition, rows: ConditionRows): Sql {
  const nested = (inner: Condition) => sql("(?)", treeSql(inner, rows));
  switch (condition.op) {
    case "and":
    case "or":
      return join(condition.conditions.map(nested), ` ${condition.op} `);
    case "not":
      return sql("not ?", nested(condition.condition));
    case "exists": {
      const { path, where } = condition;
      return existsSql(path, rows, (found) => (where === null ? sql("true") : treeSql(where, found)));
    }
    default:
      return comparisonSql(condition, subjectSql(condition.field, rows), rows);
  }
}

type Leaf = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

function comparisonSql(condition: Leaf, { sql: subject, kind }: TypedSql, rows: ConditionRows): Sql {
  const value = (operand: Value) => valueSql(operand, kind, false, rows);
  switch (condition.op) {
    case "is_null":
      return sql("? is null", subject);
    case "is_not_null":
      return sql("? is not null", subject);
    case "in":
    case "not_in": {
      const values = join(condition.values.map(value), ", ");
      return sql(`? ${condition.op === "in" ? "in" : "not in"} (?)`, subject, values);
    }
    case "between":
      return sql("? between ? and ?", subject, value(condition.from), value(condition.to));
    default: {
      const pattern = condition.op === "like" || condition.op === "ilike";
      return sql(`? ${signs[condition.op]} ?`, subject, operandSql(condition.value, kind, pattern, rows));
    }
  }
}

function subjectSql(subject: Subject, rows: ConditionRows): TypedSql {
  return typeof subject === "string" ? fieldSql(subject, rows) : callerColumnSql(subject, rows);
}

function operandSql(operand: Operand, kind: FieldKind, pattern: boolean, rows: ConditionRows): Sql {
  return isField(operand) ? fieldSql(operand.field, rows).sql : valueSql(operand, kind, pattern, rows);
}

function isField(operand: Operand): operand is OtherField {
  return typeof operand === "object" && "field" in operand;
}

/** In a pattern of the policy `%` and `_` are wildcards; those of a caller's claim or column are taken literally. */
function valueSql(value: Value, kind: FieldKind, pattern: boolean, rows: ConditionRows): Sql {
  const cast = kinds[kind].sqlType;
  if (typeof value !== "object") {
    const text = pattern ? String(value).replaceAll("\\", "\\\\") : value;
    return sql(`?::${cast}`, new Slot({ from: "policy", value: text }));
  }
  if ("user" in value)
    return pattern ? literalSql(callerColumnSql(value, rows).sql) : callerColumnSql(value, rows).sql;
  if (value.placeholder === "now") return sql(`(?)::${cast}`, momentSql(value));
  return sql(`?::${cast}`, new Slot({ from: "caller", claim: value.placeholder, kind, pattern }));
}

/** A text as a pattern in which it stands for itself. */
function literalSql(text: Sql): Sql {
  return sql(String.raw`regexp_replace(?, '([\\%_])', '\\\1', 'g')`, text);
}

/** `now()` is when the transaction began: a statement of it may come much later. */
function momentSql({ offset }: Moment): Sql {
  if (offset === undefined) return sql("statement_timestamp()");
  const seconds = offset.amount * timeUnits[offset.unit];
  return sql(
    "statement_timestamp() + ?::double precision * interval '1 second'",
    new Slot({ from: "policy", value: seconds }),
  );
}

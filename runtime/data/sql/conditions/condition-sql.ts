import { type Condition, comparisonSigns } from "../../../../vocabulary/conditions/conditions.ts";
import type { Model } from "../../../models/index.ts";
import { type ColumnSql, join, type Sql, sql } from "../sql.ts";
import { callerColumnSql } from "./caller-column.ts";
import {
  type ConditionRows,
  isFieldName,
  type Joined,
  type Leaf,
  type Models,
  type TypedSql,
  underNot,
} from "./condition-rows.ts";
import { existsSql } from "./exists-sql.ts";
import { containsSql, overlapsSql } from "./list-sql.ts";
import { operandSql, valueSql } from "./operand-sql.ts";
import { judgedInSight } from "./out-of-sight.ts";
import { fieldSql, semiJoin } from "./path-sql.ts";

/** A row condition as SQL over the given row. */
export function conditionSql(
  condition: Condition,
  model: Model,
  models: Models,
  row: ColumnSql,
  joined: Joined = "read",
  given = false,
): Sql {
  const itself = { model, row, given };
  const standing = { depth: 0, polarity: "positive", negated: false } as const;
  return treeSql(condition, { models, joined, itself, at: itself, ...standing });
}

/** A part of a condition, where it stands. */
export function treeSql(condition: Condition, rows: ConditionRows): Sql {
  const nested = (inner: Condition) => sql("(?)", treeSql(inner, rows));
  switch (condition.op) {
    case "and":
    case "or":
      return join(condition.conditions.map(nested), ` ${condition.op} `);
    case "not": {
      const opposite = { polarity: underNot(rows.polarity), negated: !rows.negated };
      return sql("not (?)", treeSql(condition.condition, { ...rows, ...opposite }));
    }
    case "exists": {
      const { path, where } = condition;
      return existsSql(path, rows, (found) => (where === null ? sql("true") : treeSql(where, found)));
    }
    default:
      return rows.joined === "read"
        ? leafSql(condition, rows)
        : judgedInSight(leafSql(condition, rows), condition, rows);
  }
}

function leafSql(leaf: Leaf, rows: ConditionRows): Sql {
  const compared = (subject: TypedSql) => comparisonSql(leaf, subject, rows);
  if (!isFieldName(leaf.field)) return compared(callerColumnSql(leaf.field, rows));
  return semiJoin(leaf, rows, compared) ?? compared(fieldSql(leaf.field, rows));
}

function comparisonSql(leaf: Leaf, { sql: subject, kind }: TypedSql, rows: ConditionRows): Sql {
  switch (leaf.op) {
    case "is_null":
      return sql("? is null", subject);
    case "is_not_null":
      return sql("? is not null", subject);
    case "in":
    case "not_in": {
      const values = leaf.values.map((value) => valueSql(value, kind, rows));
      return sql(`? ${leaf.op === "in" ? "in" : "not in"} (?)`, subject, join(values, ", "));
    }
    case "between": {
      const { from, to } = leaf;
      return sql("? between ? and ?", subject, valueSql(from, kind, rows), valueSql(to, kind, rows));
    }
    case "contains":
      return containsSql({ sql: subject, kind }, leaf.value, rows);
    case "overlaps":
      return overlapsSql({ sql: subject, kind }, leaf.values, rows);
    case "like":
    case "ilike":
      return sql(`? ${comparisonSigns[leaf.op]} ?`, subject, operandSql(leaf.value, kind, rows, true));
    default:
      return sql(`? ${comparisonSigns[leaf.op]} ?`, subject, operandSql(leaf.value, kind, rows));
  }
}

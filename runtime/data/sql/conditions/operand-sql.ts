import {
  isOtherField,
  longestPattern,
  type Moment,
  type Operand,
  timeUnits,
  type Value,
} from "../../../../vocabulary/conditions/conditions.ts";
import type { FieldKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { kinds } from "../kinds.ts";
import { policyValue, Slot, type Sql, sql, timeOfStatement } from "../sql.ts";
import { callerColumnSql } from "./caller-column.ts";
import type { ConditionRows } from "./condition-rows.ts";
import { fieldSql } from "./path-sql.ts";

/** What something of a kind is compared with. */
export function operandSql(operand: Operand, kind: FieldKind, rows: ConditionRows, pattern = false): Sql {
  return isOtherField(operand) ? fieldSql(operand.field, rows).sql : valueSql(operand, kind, rows, pattern);
}

/** In a pattern of the policy `%` and `_` are wildcards; those of a caller's claim or column are taken literally. */
export function valueSql(value: Value, kind: FieldKind, rows: ConditionRows, pattern = false): Sql {
  const cast = kinds[kind].sqlType;
  if (typeof value !== "object") {
    const text = pattern ? String(value).replaceAll("\\", "\\\\") : value;
    return sql(`?::${cast}`, policyValue(text));
  }
  if ("user" in value) {
    const { sql: column } = callerColumnSql(value, rows);
    return pattern ? literalSql(column) : column;
  }
  if (value.placeholder === "now") return sql(`(?)::${cast}`, momentSql(value));
  return sql(`?::${cast}`, new Slot({ from: "caller", claim: value.placeholder, kind, pattern }));
}

/** A text as a pattern in which it stands for itself. A longer one than patterns may be is NULL, as a claim is. */
function literalSql(text: Sql): Sql {
  const escaped = String.raw`regexp_replace(text$, '([\\%_])', '\\\1', 'g')`;
  const pattern = `(select ${escaped} from (select ? as text$) as pattern$ where char_length(text$) <= ${longestPattern})`;
  return sql(pattern, text);
}

function momentSql({ offset }: Moment): Sql {
  if (offset === undefined) return timeOfStatement;
  const seconds = offset.amount * timeUnits[offset.unit];
  return sql("? + ?::double precision * interval '1 second'", timeOfStatement, policyValue(seconds));
}

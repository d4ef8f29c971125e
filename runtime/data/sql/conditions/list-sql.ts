import type { Value } from "../../../../vocabulary/conditions/conditions.ts";
import { elementKindOf, type FieldKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { kinds } from "../kinds.ts";
import { join, type Sql, sql } from "../sql.ts";
import { callerColumnSql } from "./caller-column.ts";
import type { ConditionRows, TypedSql } from "./condition-rows.ts";
import { valueSql } from "./operand-sql.ts";

// A GIN index serves `@>` and `&&` where the column stands on the left as it is.

/** Whether a list has a value; unknown where that is NULL, of which `@>` would say that no list has it. */
export function containsSql(list: TypedSql, value: Value, rows: ConditionRows): Sql {
  const element = elementOf(list);
  const one = valueSql(value, element, rows);
  if (typeof value !== "object") return sql(`? @> array[?]::${kinds[list.kind].sqlType}`, list.sql, one);
  const common = commonType(element, value, rows);
  const type = common === null ? kinds[list.kind].sqlType : `${common}[]`;
  const held = common === null ? list.sql : sql(`?::${type}`, list.sql);
  return sql(`? @> nullif(array[?]::${type}, array[null]::${type})`, held, one);
}

/** Whether a list has one of some values: as IN, which is unknown where one of them is NULL and none of the others is there. */
export function overlapsSql(list: TypedSql, values: readonly Value[], rows: ConditionRows): Sql {
  const element = elementOf(list);
  const literals = values.filter((value) => typeof value !== "object");
  const known = join(
    literals.map((value) => valueSql(value, element, rows)),
    ", ",
  );
  const overlap = sql(`? && array[?]::${kinds[list.kind].sqlType}`, list.sql, known);
  const others = values
    .filter((value) => typeof value === "object")
    .map((value) => sql("(?)", containsSql(list, value, rows)));
  return join([...(literals.length === 0 ? [] : [overlap]), ...others], " or ");
}

function elementOf({ kind }: TypedSql): FieldKind {
  const element = elementKindOf(kind);
  if (element === null) throw new Error(`${kind} is no list`);
  return element;
}

/** What both are compared as where a column of the caller is a number of another type: as one of the elements' it would be rounded. */
function commonType(element: FieldKind, value: object, rows: ConditionRows): string | null {
  if (!("user" in value) || typeof value.user !== "string") return null;
  const types = [element, callerColumnSql({ user: value.user }, rows).kind].map(
    (kind) => kinds[kind].sqlType,
  );
  if (types[0] === types[1]) return null;
  return types.includes("double precision") ? "double precision" : "numeric";
}

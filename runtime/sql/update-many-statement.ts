import type { Scope } from "../access/index.ts";
import { columnsOf, type Model } from "../model/index.ts";
import type { Models } from "./condition-sql.ts";
import { jsonField, textLiteral } from "./insert-statement.ts";
import {
  type ColumnSql,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  requestValue,
  type Sql,
  sql,
} from "./sql.ts";
import { scopeSql, visibilitySql } from "./where-sql.ts";

/**
 * Updates the live rows that the records of a JSON array name by `id`, each with the fields that its record holds and if
 * the scope admits it before and after. Answers a row for each record, in order: `[id or null, found, allowed]`.
 * Rows are locked in the order of their ids, so that two updates of the same rows never wait for each other in a circle.
 * Value: the array. `fields` are those that any of the records holds.
 */
export function updateMany(model: Model, models: Models, scope: Scope, fields: readonly string[]): Plan {
  const table = columnsOfTable("t");
  const assigned = new Map(fields.map((name) => [name, assignedValue(model, name)]));
  const changed: ColumnSql = (name) =>
    assigned.get(name) ?? (name === "updated_at" ? sql("now()") : table(name));
  const admitted = every([
    ...scopeSql(scope, model, models, table),
    ...scopeSql(scope, model, models, changed),
  ]);
  const set = [...assigned].map(([name, value]) => sql("?? = ?", name, value));
  return plan(
    sql(
      `with target$ as (
        select t.id, r.position, r.record, coalesce(?, false) as allowed
        from jsonb_array_elements(?) with ordinality as r (record, position)
        join ?? as t on t.id = ? and ?
        order by t.id for update of t
      ), changed$ as (
        update ?? as t set ? from target$ as r where t.id = r.id and r.allowed returning t.id
      )
      select changed.id, target.id is not null, coalesce(target.allowed, false)
      from generate_series(1, jsonb_array_length(?)) as sent (position)
      left join target$ as target on target.position = sent.position
      left join changed$ as changed on changed.id = target.id
      order by sent.position`,
      admitted,
      requestValue(0, "json"),
      model.table,
      jsonField("id", model.id),
      every(visibilitySql(model, "live", table)),
      model.table,
      join([...set, sql("updated_at = now()")], ", "),
      requestValue(0, "json"),
    ),
  );
}

/** The value that a record brings for a field, or the row's own where the record does not hold it. */
function assignedValue(model: Model, name: string): Sql {
  const column = columnsOf(model).get(name);
  if (column === undefined) throw new Error(`${model.key} has no field ${name}`);
  return sql(
    `case when jsonb_exists(r.record, ${textLiteral(name)}) then ? else ? end`,
    jsonField(name, column.kind),
    columnsOfTable("t")(name),
  );
}

import {
  type BindValue,
  bindFields,
  type ConditionContext,
  columnsOfTable,
  recordColumns,
  requestValue,
  type Sql,
  sql,
  typeOf,
  valueSql,
  withValues,
} from "#runtime/data/sql/index";
import { columnsOf, type PresetMoment, presetsOf, requireColumn } from "#runtime/models/index";
import type { JsonObject } from "#vocabulary/json";
import { existingRows, type RowsToEvaluate } from "./evaluate-parts.ts";
import type { Subject } from "./subject.ts";

const statementTime = sql("statement_timestamp()");

/** Existing rows as a write would leave them. */
export function changedRows(subject: Subject, ids: readonly string[], data: JsonObject): RowsToEvaluate {
  const { model, operation } = subject;
  const rows = existingRows(model, ids);
  const { values, columns } = sentColumns(subject, data, 1);
  const set = new Map([...presetColumns(subject, data, "change"), ...columns]);
  if (operation === "restore") set.set("deleted_at", sql("null::timestamptz"));
  set.set("updated_at", statementTime);
  return { ...rows, row: withValues(rows.row, set), values: [...rows.values, ...values] };
}

/** The row that a create or an upsert would add. */
export function newRow(subject: Subject, data: JsonObject): RowsToEvaluate {
  const { model } = subject;
  const defaults = Object.entries(model.fields).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  );
  const { values, columns } = sentColumns(subject, { ...Object.fromEntries(defaults), ...data }, 0);
  const set = new Map([...columns, ...presetColumns(subject, data, "create")]);
  const unset = recordColumns(model, (name) => sql(`null::${typeOf(requireColumn(model, name)).sqlType}`));
  return {
    model,
    from: sql("(select 1) as v"),
    where: sql("true"),
    row: withValues(unset, set),
    id: sql("null::text"),
    values,
  };
}

interface SentColumns {
  readonly values: BindValue[];
  readonly columns: ReadonlyMap<string, Sql>;
}

/** Conditions name no passwords, so their values are not bound. */
function sentColumns({ model }: Subject, data: JsonObject, first: number): SentColumns {
  const columns = columnsOf(model);
  const names = Object.keys(data).filter((name) => {
    const kind = columns.get(name)?.kind;
    return kind !== undefined && kind !== "password";
  });
  const set = names.flatMap((name, index): [string, Sql][] => {
    const column = columns.get(name);
    return column === undefined ? [] : [[name, requestValue(first + index, column)]];
  });
  return { values: bindFields(model, data, names), columns: new Map(set) };
}

/** The presets of fields that were not sent. */
function presetColumns(subject: Subject, data: JsonObject, moment: PresetMoment): Map<string, Sql> {
  const { model, models } = subject;
  const itself = { model, row: columnsOfTable(model, "t"), given: false };
  const place: ConditionContext = {
    ...{ models, mode: "read", itself, at: itself, depth: 0, polarity: "absent", negated: false },
  };
  return new Map(
    presetsOf(model)
      [moment].fields.filter(({ name }) => !Object.hasOwn(data, name))
      .map(({ name, kind, preset }) => [name, valueSql(preset, kind, place)]),
  );
}

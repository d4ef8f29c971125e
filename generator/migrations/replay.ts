import type { Column, Step } from "../../vocabulary/migrations/migration-steps.ts";
import { HistoryError } from "./history-error.ts";
import { renamed, withNewNames } from "./renames.ts";
import { changedTable, existingColumn, type StepOf, type StepTarget, withColumn } from "./replay-table.ts";
import type { Table } from "./schema.ts";

/** The tables that steps make of some tables. Throws a HistoryError on a step that does not fit them. */
export function replay(steps: readonly Step[], from: readonly Table[] = []): Table[] {
  const tables = new Map(from.map((table) => [table.name, table]));
  for (const step of steps) apply(step, tables);
  return [...tables.values()];
}

function apply(step: Step, tables: Map<string, Table>): void {
  switch (step.step) {
    case "create_table":
      if (tables.has(step.table))
        throw new HistoryError(
          `${step.step}: there is a table ${step.table} already by then (where that is the service's own, the migration that ` +
            "renames the app's is missing: restore it)",
        );
      tables.set(step.table, createdTable(step));
      break;
    case "drop_table":
      tables.delete(existingTable(step, tables).name);
      break;
    case "rename_table":
      renameTable(step, tables);
      break;
    case "rename_column":
      renameColumn(step, tables);
      break;
    case "set_id_type":
      setIdType(step, tables);
      break;
    default:
      tables.set(step.table, changedTable(step, existingTable(step, tables)));
  }
}

function createdTable({ table, model, columns, primaryKey }: StepOf<"create_table">): Table {
  const parts = { columns, indexes: [], foreignKeys: [], checks: [] };
  return {
    model: model ?? table,
    name: table,
    ...(primaryKey === undefined ? {} : { primaryKey }),
    ...parts,
  };
}

function existingTable(step: StepTarget, tables: ReadonlyMap<string, Table>): Table {
  const table = tables.get(step.table);
  if (table === undefined) throw new HistoryError(`${step.step}: there is no table ${step.table} by then`);
  return table;
}

function renameTable(step: StepOf<"rename_table">, tables: Map<string, Table>): void {
  existingTable(step, tables);
  replaceAll(tables, withNewNames([...tables.values()], new Map([[step.table, step.to]])));
  const model = step.model ?? step.to;
  tables.set(step.to, { ...existingTable({ step: step.step, table: step.to }, tables), model });
}

function renameColumn(step: StepOf<"rename_column">, tables: Map<string, Table>): void {
  const { name } = existingTable(step, tables);
  existingColumn(step, existingTable(step, tables));
  const columns = new Map([[step.column, step.to]]);
  replaceAll(tables, renamed([...tables.values()], [{ from: name, to: name, columns }]));
}

/** Tables keep their places. */
function replaceAll(tables: Map<string, Table>, list: readonly Table[]): void {
  tables.clear();
  for (const table of list) tables.set(table.name, table);
}

function setIdType(step: StepOf<"set_id_type">, tables: Map<string, Table>): void {
  const id = step.type === "uuid" ? ("random_uuid" as const) : ("identity" as const);
  const retype = (place: StepTarget & { readonly column: string }, parts: Partial<Column>) => {
    const table = existingTable(place, tables);
    existingColumn(place, table);
    tables.set(
      table.name,
      withColumn(table, place.column, (column) => ({ ...column, ...parts })),
    );
  };
  retype({ ...step, column: "id" }, { type: step.type, default: id });
  for (const { table, column } of step.references)
    retype({ step: step.step, table, column }, { type: step.type });
}

import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { TableRename } from "./renames.ts";
import type { Table } from "./schema.ts";

/** The former name of a table, and the former names of its columns by their current names. */
interface RebasedTable {
  readonly from: string;
  readonly columns: Map<string, string>;
}

/** The renames in steps, regardless of the models. A table or column that is dropped and created again has no former name. */
export function rebasedRenames(tables: readonly Table[], steps: readonly Step[]): TableRename[] {
  const followed = new Map(
    tables.map(({ name, columns }): [string, RebasedTable] => [
      name,
      { from: name, columns: new Map(columns.map((column) => [column.name, column.name])) },
    ]),
  );
  for (const step of steps) rebase(step, followed);
  return [...followed]
    .map(([to, { from, columns }]) => ({ from, to, columns: newNames(columns) }))
    .filter(({ from, to, columns }) => from !== to || columns.size > 0);
}

function rebase(step: Step, followed: Map<string, RebasedTable>): void {
  const table = followed.get(step.table);
  if (table === undefined) return;
  const { columns } = table;
  if (step.step === "drop_table" || step.step === "rename_table") followed.delete(step.table);
  if (step.step === "rename_table") followed.set(step.to, table);
  const former = step.step === "rename_column" ? columns.get(step.column) : undefined;
  if (step.step === "drop_column" || step.step === "rename_column") columns.delete(step.column);
  if (step.step === "rename_column" && former !== undefined) columns.set(step.to, former);
}

function newNames(columns: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...columns].flatMap(([to, from]) => (from === to ? [] : [[from, to]])));
}

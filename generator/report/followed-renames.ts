import type { TableRename } from "../migrations/renames.ts";
import type { Step, Table } from "../migrations/schema.ts";

/** The names that steps give to tables and columns, whatever the models say of it today. */
export function followedRenames(tables: readonly Table[], steps: readonly Step[]): TableRename[] {
  const names = new Map(tables.map(({ name }) => [name, { from: name, columns: new Map<string, string>() }]));
  for (const step of steps) {
    const entry = names.get(step.table);
    if (entry === undefined) continue;
    if (step.step === "drop_table" || step.step === "rename_table") names.delete(step.table);
    if (step.step === "rename_table") names.set(step.to, entry);
    if (step.step !== "rename_column") continue;
    const [former = step.column] = [...entry.columns].find(([, name]) => name === step.column) ?? [];
    entry.columns.set(former, step.to);
  }
  return [...names]
    .map(([to, { from, columns }]) => ({ from, to, columns }))
    .filter(({ from, to, columns }) => from !== to || columns.size > 0);
}

import { isDeepStrictEqual } from "node:util";
import type { Column, Step } from "../../vocabulary/migrations/migration-steps.ts";
import { type ComparedTable, placeBefore } from "./compare-tables.ts";
import { type ColumnPlace, consequences } from "./consequences.ts";
import { needsConversion, typeChange } from "./conversion.ts";
import { plannedChange } from "./planned-change.ts";
import type { PlannedChange } from "./schema.ts";

/** Columns to drop, under their former names. */
export function droppedColumns({ was, kept, lost }: ComparedTable): PlannedChange[] {
  const stay = new Set(kept.values());
  return was.columns
    .filter(({ name }) => !stay.has(name))
    .map(({ name: column }) => {
      const usual = column === "deleted_at" ? consequences.dropDeletedAt(was.name) : consequences.dropColumn;
      const step = { step: "drop_column", table: was.name, column } as const;
      return plannedChange(step, "destructive", lost.get(column) ?? usual);
    });
}

/** Columns to add, including columns that are created again because their values are lost. */
export function addedColumns({ was, old, now }: ComparedTable): PlannedChange[] {
  return now.columns
    .filter(({ name }) => !old.columns.some((former) => former.name === name))
    .map((column) => {
      // Existing rows have no value for the column.
      const fails = !column.nullable && column.default === undefined;
      const step: Step = { step: "add_column", table: now.name, column };
      const to = { table: now.name, column: column.name };
      const place = { table: was.name, column: column.name, to };
      // Older code sends no value for the column.
      if (fails)
        return plannedChange(step, "destructive", consequences.addRequired(place), { breaksOlder: true });
      const rewrites = column.default === "identity" || column.default === "random_uuid";
      return plannedChange(step, "additive", undefined, { rewrites });
    });
}

/** Changes of columns that stay. */
export function changedColumns(pair: ComparedTable): PlannedChange[] {
  const { old, now } = pair;
  return now.columns.flatMap((column) => {
    const former = old.columns.find(({ name }) => name === column.name);
    return former === undefined
      ? []
      : columnChanges(now.name, former, column, placeBefore(pair, column.name));
  });
}

/** `before` is the place of the values until the migration runs. */
function columnChanges(table: string, old: Column, now: Column, before: ColumnPlace): PlannedChange[] {
  const at = { table, column: now.name };
  const retyped = old.type !== now.type;
  const redefault = !isDeepStrictEqual(old.default, now.default);
  // A counter continues in another integer type.
  const counts = isCounted(old) && isCounted(now);
  const changes: PlannedChange[] = [];
  const setDefault = (type: Column["type"], value: Column["default"]) =>
    changes.push(plannedChange({ step: "set_default", ...at, type, default: value ?? null }, "widening"));
  if (retyped) {
    // A default of the old type would block the new one.
    if (old.default !== undefined && !counts) setDefault(old.type, undefined);
    const { class: kind, consequence, ...effects } = typeChange(before, old.type, now.type);
    const from = needsConversion(old.type, now.type) ? { from: old.type } : {};
    const values = now.values === undefined ? {} : { values: now.values };
    const step: Step = { step: "set_type", ...at, type: now.type, ...from, ...values };
    changes.push(plannedChange(step, kind, consequence, effects));
  }
  if (retyped && !counts ? now.default !== undefined : redefault) setDefault(now.type, now.default);
  if (old.nullable !== now.nullable) changes.push(nullability(table, old, now, before));
  return changes;
}

function nullability(
  table: string,
  old: Column,
  { name: column, ...now }: Column,
  before: ColumnPlace,
): PlannedChange {
  const step = { step: "set_nullable", table, column, nullable: now.nullable } as const;
  if (now.nullable) return plannedChange(step, "widening");
  // Older code sends null if a caller omits the field.
  const breaksOlder = now.default !== undefined && old.default === undefined;
  return plannedChange(step, "destructive", consequences.setRequired(before), { breaksOlder });
}

function isCounted(column: Column): boolean {
  return column.default === "identity" || column.default === "sequence";
}

import type { FieldDefinition } from "#generator/definition/definition";
import type { Principal } from "#runtime/models/access/index";
import { textOf } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import { fix, type PlannedRow, type RowPlan, unite } from "./row-plan.ts";
import type { NewRecord } from "./witness.ts";

/** Who sends a record. */
interface Sender extends NewRecord {
  readonly caller: Principal;
  readonly callerRow: PlannedRow | null;
}

/** A record that a caller sends. Fields that the caller cannot write have the values that the server gives them. */
export function recordRow(plan: RowPlan, model: string, sender: Sender): PlannedRow {
  const row = plan.addRow(model, "record");
  const now = new Date().toISOString();
  for (const column of ["created_at", "updated_at"] as const)
    if (row.model.columns[column] !== null) fix(plan.cell(row, column), now);
  if (row.model.softDelete) fix(plan.cell(row, "deleted_at"), null);
  for (const field of row.model.fields)
    if (sender.closed.has(field.name)) setByServer(plan, row, field, sender);
  return row;
}

/** A required field without default and preset stays open: a hook sets it. */
function setByServer(
  plan: RowPlan,
  row: PlannedRow,
  { name, preset, nullable, kind, default: value }: FieldDefinition,
  { caller, callerRow }: Sender,
): void {
  const cell = plan.cell(row, name);
  cell.setByServer = true;
  if (preset === undefined) {
    if (value != null) fix(cell, textOf(value, kind));
    else if (nullable) fix(cell, null);
  } else if ("user" in preset.value) {
    if (callerRow === null) throw new Impossible(`the caller has no row, which ${name} needs`);
    unite(cell, plan.cell(callerRow, preset.value.user));
  } else {
    const { placeholder } = preset.value;
    const found = placeholder === "now" ? new Date().toISOString() : caller[placeholder];
    if (found === null && preset.required)
      throw new Impossible(`the caller has no {${placeholder}} for ${name}`);
    fix(cell, found);
  }
}

/**
 * The fields that a caller sends: those that the demands name, and those that a new row needs. The server fills
 * in the others, which get their values here.
 */
export function sentFields(plan: RowPlan, row: PlannedRow, sender: Sender): string[] {
  const fields = row.model.fields.flatMap((field): string[] => {
    const { name, nullable, preset, default: value } = field;
    if (sender.closed.has(name)) return [];
    const isFilled = preset !== undefined || value !== undefined;
    if (row.cells.has(name) || (!isFilled && !nullable)) return [name];
    if (isFilled) setByServer(plan, row, field, sender);
    return [];
  });
  return row.model.idSent ? ["id", ...fields] : fields;
}

import type { FieldDefinition } from "#generator/definition/definition";
import type { Queryable } from "#runtime/core/database/index";
import { join, kinds, plan, requestValue, sql } from "#runtime/data/sql/index";
import { guest, type Principal } from "#runtime/models/access/index";
import type { Json } from "#vocabulary/json";
import { textOf } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import { fix, type PlannedRow, type RowPlan, unite } from "./row-plan.ts";
import { valuesOf } from "./stored-rows.ts";
import type { WitnessRequest, WitnessWorld } from "./witness.ts";

interface NewRecord {
  readonly model: string;
  readonly caller: Principal;
  readonly closed: ReadonlySet<string>;
  readonly callerRow: PlannedRow | null;
}

/** A record that a caller sends. Fields that the caller cannot write have the values that the server gives them. */
export function recordRow(plan: RowPlan, { model, caller, closed, callerRow }: NewRecord): PlannedRow {
  const row = plan.addRow(model, "record");
  const now = new Date().toISOString();
  for (const column of ["created_at", "updated_at"]) fix(plan.cell(row, column), now);
  if (row.model.softDelete) fix(plan.cell(row, "deleted_at"), null);
  for (const field of row.model.fields)
    if (closed.has(field.name)) setByServer(plan, row, field, { caller, callerRow });
  return row;
}

/** A required field without default and preset stays open: a hook sets it. */
function setByServer(
  plan: RowPlan,
  row: PlannedRow,
  field: FieldDefinition,
  { caller, callerRow }: Pick<NewRecord, "caller" | "callerRow">,
): void {
  const { name, preset, nullable, kind, default: value } = field;
  const cell = plan.cell(row, name);
  cell.setByServer = true;
  if (preset !== undefined) {
    const { value: source, required } = preset;
    if ("user" in source) {
      if (callerRow === null) throw new Impossible(`the caller has no row, which ${name} needs`);
      return unite(cell, plan.cell(callerRow, source.user));
    }
    const found = source.placeholder === "now" ? new Date().toISOString() : caller[source.placeholder];
    if (found === null && required)
      throw new Impossible(`the caller has no {${source.placeholder}} for ${name}`);
    return fix(cell, found);
  }
  if (value != null) fix(cell, textOf(value, kind));
  else if (nullable) fix(cell, null);
}

/**
 * The fields that a caller sends: those that the demands name, and those that a new row needs. The server fills in the others, which
 * get their values here.
 */
export function sentFields(
  {
    plan,
    root,
    callerRow,
  }: { readonly plan: RowPlan; readonly root: PlannedRow; readonly callerRow: PlannedRow | null },
  { caller, closed }: Pick<WitnessRequest, "caller"> & { readonly closed: ReadonlySet<string> },
): FieldDefinition[] {
  const open = root.model.fields.filter(({ name }) => !closed.has(name));
  const sent = open.filter(({ name, nullable, preset, default: value }) => {
    if (root.cells.has(name)) return true;
    return preset === undefined && value === undefined && !nullable;
  });
  for (const field of open) {
    const isFilled = field.preset !== undefined || field.default !== undefined;
    if (!sent.includes(field) && isFilled) setByServer(plan, root, field, { caller, callerRow });
  }
  return sent;
}

/** The sent fields of a record as JSON. */
export async function recordData(
  connection: Queryable,
  root: PlannedRow,
  sent: readonly FieldDefinition[],
  world: WitnessWorld,
): Promise<Record<string, Json>> {
  if (sent.length === 0) return {};
  const values = valuesOf(root, world);
  const pieces = sent.map(({ kind }, index) =>
    sql("to_jsonb(?)::text", sql(kinds[kind].jsonSql.replaceAll("?", "(?)"), requestValue(index, kind))),
  );
  const { statement, bind } = plan(sql("select ?", join(pieces, ", ")));
  const bound = bind(
    sent.map(({ name }) => values.get(name) ?? null),
    guest,
  );
  const [row = []] = await connection.run({ name: null, text: statement.text }, bound);
  return Object.fromEntries(sent.map(({ name }, index) => [name, JSON.parse(row[index] ?? "null")]));
}

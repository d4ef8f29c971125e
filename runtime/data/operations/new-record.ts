import { randomUUID } from "node:crypto";
import { refuseProblems } from "../../core/errors/index.ts";
import { runHook } from "../../hooks/index.ts";
import { presetsOf } from "../../models/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import { answeredForm, type CheckedRecord, requireStorable, storedForm, storedOnce } from "../sql/index.ts";
import { fromHook, readCodeRecord } from "./input/code-input.ts";
import type { MutationScope } from "./mutation.ts";
import { hasherOf, type OperationContext } from "./operation-context.ts";
import { type PresetValues, requirePresets, withPresets } from "./preset-values.ts";

type Creation = "create" | "upsert";

/** Refuses a record that was sent; where a before-hook or presets may still fill it in, for its types and what they leave to it. */
export function checkNewRecord(call: OperationContext, sent: CheckedRecord, operation: Creation): void {
  const { hooks, validators } = call.entry;
  const isFinal = hooks[`before_${operation}`] === undefined && presetsOf(call.model).fields.length === 0;
  refuseProblems(recordProblems(validators[operation], sent, isFinal ? "complete" : "types"));
}

/**
 * The record as it will be stored: the types of what was sent, presets, the before-hook, the full check, and passwords hashed. A
 * hook may fill in required fields.
 */
export async function recordToStore(
  call: OperationContext,
  work: MutationScope,
  sent: CheckedRecord,
  operation: Creation,
  presets: PresetValues,
): Promise<CheckedRecord> {
  const { model, entry } = call;
  checkNewRecord(call, sent, operation);
  const filled = withPresets(sent, presets);
  const hook = entry.hooks[`before_${operation}`];
  if (hook === undefined) {
    if (filled !== sent) requireComplete(call, sent, filled, operation);
    // Hashed once for all attempts of the transaction. A preset is stored as it is.
    return withPresets(await storedOnce(model, sent, hasherOf(call)), presets);
  }
  requireStorable(model, sent);
  // A copy, since the record is needed again when the transaction is retried.
  const given = await runHook(hook, structuredClone(answeredForm(model, filled)), work);
  const record = fromHook(hook, given, readCodeRecord);
  requireComplete(call, sent, record, operation);
  return storedForm(model, record, hasherOf(call));
}

function requireComplete(
  call: OperationContext,
  sent: CheckedRecord,
  record: CheckedRecord,
  operation: Creation,
): void {
  requirePresets(call, sent, record);
  refuseProblems(recordProblems(call.entry.validators[operation], record, "complete"));
}

/** The record with an id, where ids are UUIDs that the server makes. */
export function withId({ model }: OperationContext, record: CheckedRecord): CheckedRecord {
  return model.id === "uuid" && !Object.hasOwn(record, "id") ? { id: randomUUID(), ...record } : record;
}

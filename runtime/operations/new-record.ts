import { randomUUID } from "node:crypto";
import { type Awaitable, andThen } from "../concurrency/index.ts";
import { refuseProblems } from "../errors/index.ts";
import { type AnyHooks, runHook } from "../hooks/index.ts";
import { presetsOf } from "../model/index.ts";
import { answeredForm, type CheckedRecord, requireStorable, storedForm, storedOnce } from "../sql/index.ts";
import { recordProblems } from "../validation/index.ts";
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
 * The record as it will be stored: values of the right types, with presets, go through the before-hook, and what comes back is
 * checked in full, so that a hook may fill in required fields (decisions, part 8).
 */
export function recordToStore(
  call: OperationContext,
  work: MutationScope,
  sent: CheckedRecord,
  operation: Creation,
  presets: PresetValues,
): Awaitable<CheckedRecord> {
  checkNewRecord(call, sent, operation);
  const hook = call.entry.hooks[`before_${operation}`];
  if (hook !== undefined) return recordOfHook(hook, call, work, sent, operation, presets);
  const record = withPresets(sent, presets);
  if (record !== sent) checkFilled(call, sent, record, operation);
  // No preset has a form of its own to be stored in.
  const stored = storedOnce(call.model, sent, hasherOf(call));
  return andThen(stored, (kept) => withPresets(kept, presets));
}

async function recordOfHook(
  hook: NonNullable<AnyHooks[`before_${Creation}`]>,
  call: OperationContext,
  work: MutationScope,
  sent: CheckedRecord,
  operation: Creation,
  presets: PresetValues,
): Promise<CheckedRecord> {
  requireStorable(call.model, sent);
  // A copy, since the record is needed again when the transaction is retried.
  const answered = answeredForm(call.model, withPresets(sent, presets));
  const given = await runHook(hook, structuredClone(answered), work);
  const record = fromHook(hook, given, readCodeRecord);
  checkFilled(call, sent, record, operation);
  return storedForm(call.model, record, hasherOf(call));
}

function checkFilled(
  call: OperationContext,
  sent: CheckedRecord,
  record: CheckedRecord,
  operation: Creation,
): void {
  requirePresets(call, sent, record);
  refuseProblems(recordProblems(call.entry.validators[operation], record, "complete"));
}

/** The record to insert, with its id where the server makes it. */
export function recordToCreate(
  call: OperationContext,
  work: MutationScope,
  sent: CheckedRecord,
  presets: PresetValues,
): Awaitable<CheckedRecord> {
  return andThen(recordToStore(call, work, sent, "create", presets), (record) => withId(call, record));
}

/** The record with an id, where ids are UUIDs that the server makes. */
export function withId({ model }: OperationContext, record: CheckedRecord): CheckedRecord {
  return model.id === "uuid" && !Object.hasOwn(record, "id") ? { id: randomUUID(), ...record } : record;
}

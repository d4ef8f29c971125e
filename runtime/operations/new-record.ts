import { randomUUID } from "node:crypto";
import { refuseProblems } from "../errors/index.ts";
import { runHook } from "../hooks/index.ts";
import { type CheckedRecord, storedForm, storedOnce } from "../sql/index.ts";
import { recordProblems } from "../validation/index.ts";
import { fromHook, readHookRecord } from "./input/hook-input.ts";
import type { MutationScope } from "./mutation.ts";
import type { OperationContext } from "./operation-context.ts";

type Creation = "create" | "upsert";

/** Refuses a record that was sent; where a before-hook may still fill it in, for its types alone. */
export function checkNewRecord(call: OperationContext, sent: CheckedRecord, operation: Creation): void {
  const { hooks, validators } = call.entry;
  const strictness = hooks[`before_${operation}`] === undefined ? "complete" : "types";
  refuseProblems(recordProblems(validators[operation], sent, strictness));
}

/**
 * The record as it will be stored: values of the right types go through the before-hook, and what comes back is checked
 * in full, so that a hook may fill in required fields (decisions, part 8).
 */
export async function recordToStore(
  call: OperationContext,
  work: MutationScope,
  sent: CheckedRecord,
  operation: Creation,
): Promise<CheckedRecord> {
  const { hooks, validators } = call.entry;
  const hook = hooks[`before_${operation}`];
  checkNewRecord(call, sent, operation);
  if (hook === undefined) return storedOnce(call.model, sent, call.services.hashPassword);
  // A copy, since the record is needed again when the transaction is retried.
  const given = await runHook(hook, structuredClone(sent), work);
  const record = fromHook(hook, given, readHookRecord);
  refuseProblems(recordProblems(validators[operation], record, "complete"));
  return storedForm(call.model, record, call.services.hashPassword);
}

/** The record to insert, with its id where the server makes it. */
export async function recordToCreate(
  call: OperationContext,
  work: MutationScope,
  sent: CheckedRecord,
): Promise<CheckedRecord> {
  return withId(call, await recordToStore(call, work, sent, "create"));
}

/** The record with an id, where ids are UUIDs that the server makes. */
export function withId({ model }: OperationContext, record: CheckedRecord): CheckedRecord {
  return model.id === "uuid" && !Object.hasOwn(record, "id") ? { id: randomUUID(), ...record } : record;
}

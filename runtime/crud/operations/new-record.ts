import { randomUUID } from "node:crypto";
import { refuseProblems } from "../../errors/index.ts";
import { runHook } from "../../model/index.ts";
import { recordProblems } from "../../validation/index.ts";
import type { Call } from "../call.ts";
import { type CheckedRecord, storedForm } from "../values/records.ts";
import type { Work } from "./mutation.ts";

/**
 * The record as it will be stored: values of the right types go through the before-hook, and what comes back is checked
 * in full, so that a hook may fill in required fields (decisions, part 8).
 */
export async function recordToCreate(call: Call, work: Work, sent: CheckedRecord): Promise<CheckedRecord> {
  const { hooks, validators } = call.entry;
  if (hooks.before_create !== undefined) refuseProblems(recordProblems(validators.create, sent, "types"));
  const record = await runHook(hooks.before_create, { ...sent }, work.context);
  refuseProblems(recordProblems(validators.create, record, "complete"));
  return withId(call, await storedForm(call.model, record, call.services.hashPassword));
}

/** The record with an id, where ids are UUIDs that the server makes. */
export function withId({ model }: Call, record: CheckedRecord): CheckedRecord {
  return model.id === "uuid" && !Object.hasOwn(record, "id") ? { id: randomUUID(), ...record } : record;
}

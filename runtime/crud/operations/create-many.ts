import { type Grant, requireFields } from "../../access/index.ts";
import { isJsonObject } from "../../http/body.ts";
import type { Answer } from "../../http/envelope.ts";
import { ServiceError } from "../../http/errors.ts";
import type { BulkCreateReport } from "../../model/index.ts";
import { type Call, planOf, runPlan } from "../call.ts";
import { insertColumns, insertMany } from "../statements/insert.ts";
import { type CheckedRecord, jsonRecord } from "../values/records.ts";
import { idJson } from "../values/rows-json.ts";
import {
  byIndex,
  type Candidate,
  checkEach,
  failure,
  type Outcome,
  refuseTotalFailure,
  writeAll,
} from "./bulk.ts";
import { recordToCreate } from "./create.ts";
import { answerAfter, mutate, type Work } from "./mutation.ts";

/** Creates many records: those that fail are reported, the others are written. */
export function createMany(call: Call, grant: Grant, records: readonly unknown[]): Promise<Answer> {
  return mutate(call, true, async (work) => {
    const { model, view, entry } = call;
    const { candidates, failed } = await checkEach(
      model,
      work,
      records,
      entry.hooks.before_create !== undefined,
      async (record) => {
        const sent = requireObject(record);
        requireFields(view, { data: sent });
        return recordToCreate(call, work, sent);
      },
    );
    const outcome = await writeAll(model, work, candidates, (some) => insertSome(call, grant, work, some));
    const failures = byIndex([...failed, ...outcome.failed]);
    refuseTotalFailure(failures, records.length);
    const report: BulkCreateReport = {
      inserted_count: outcome.done.length,
      inserted_ids: view.unreadable.has("id")
        ? []
        : outcome.done.map((id) => JSON.parse(idJson(model.id, id))),
      failed_count: failures.length,
      failed_records: failures,
      total_attempted: records.length,
    };
    const answer = { message: `${model.slug} created`, data: JSON.stringify(report) };
    return answerAfter(entry.hooks.after_create, work, answer);
  });
}

/** A record of a bulk request, which may be anything. */
export function requireObject(record: unknown): { readonly [key: string]: unknown } {
  if (isJsonObject(record)) return record;
  throw new ServiceError("VALIDATION_ERROR", "A record must be an object.");
}

async function insertSome(
  call: Call,
  grant: Grant,
  work: Work,
  candidates: readonly Candidate<CheckedRecord>[],
): Promise<Outcome<string>> {
  const { model, services } = call;
  const plan = planOf(call, grant, "many", () => insertMany(model, services.models, grant.insert));
  const names = insertColumns(model);
  const list = candidates.map(({ value }) => jsonRecord(model, value, names));
  const rows = await runPlan(call, work.connection, plan, [JSON.stringify(list)]);
  const outcome: Outcome<string> = { done: [], failed: [] };
  for (const [position, id] of rows) {
    const refused = position == null ? undefined : candidates[Number(position) - 1];
    if (refused !== undefined)
      outcome.failed.push(failure(refused.index, new ServiceError("PERMISSION_DENIED")));
    else if (id != null) outcome.done.push(id);
  }
  return outcome;
}

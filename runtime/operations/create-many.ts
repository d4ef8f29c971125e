import { type Grant, requireFields } from "../access/index.ts";
import { ServiceError } from "../errors/index.ts";
import type { Answer } from "../http/index.ts";
import { type CheckedRecord, insertColumns, insertMany, jsonRecord } from "../sql/index.ts";
import { afterHook } from "./after-hook.ts";
import { type Candidate, failure, type Outcome, runBulk } from "./bulk.ts";
import { type MutationScope, mutate } from "./mutation.ts";
import { recordToCreate } from "./new-record.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";

/** Creates many records: those that fail are reported, the others are written. */
export function createMany(
  call: OperationContext,
  grant: Grant,
  records: readonly unknown[],
): Promise<Answer> {
  const { model, view, entry } = call;
  return mutate(call, true, async (work) => {
    const data = await runBulk(call, work, records, {
      done: "inserted",
      runsHooks: entry.hooks.before_create !== undefined,
      check: async (record) => {
        requireFields(view, { data: record });
        return recordToCreate(call, work, record);
      },
      write: (candidates) => insertSome(call, grant, work, candidates),
    });
    return afterHook(entry.hooks.after_create, { message: `${model.slug} created`, data }, work);
  });
}

async function insertSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<CheckedRecord>[],
): Promise<Outcome> {
  const { model, services } = call;
  const plan = planOf(call, grant, "many", () => insertMany(model, services.models, grant.insert));
  const names = insertColumns(model);
  const list = candidates.map(({ value }) => jsonRecord(model, value, names));
  const rows = await runPlan(call, work.connection, plan, [JSON.stringify(list)]);
  const outcome: Outcome = { done: [], failed: [] };
  for (const [position, id] of rows) {
    const refused = position == null ? undefined : candidates[Number(position) - 1];
    if (refused !== undefined)
      outcome.failed.push(failure(refused.index, new ServiceError("PERMISSION_DENIED")));
    else if (id != null) outcome.done.push(id);
  }
  return outcome;
}

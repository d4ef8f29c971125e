import { type Grant, requireFields } from "../access/index.ts";
import { invalid, refuseProblems, ServiceError } from "../errors/index.ts";
import type { Answer } from "../http/index.ts";
import { type CheckedRecord, jsonRecord, kinds, updateMany as planUpdate } from "../sql/index.ts";
import { recordProblems } from "../validation/index.ts";
import { afterHook } from "./after-hook.ts";
import { type Candidate, failure, type Outcome, runBulk } from "./bulk.ts";
import { checkedChange } from "./change.ts";
import { readFilters } from "./input/filters.ts";
import { type MutationScope, mutate } from "./mutation.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";

/** An update of one row by its id. */
interface IdAndData {
  readonly id: string;
  readonly data: CheckedRecord;
}

/** Updates many rows by their ids, each with its own fields: those that fail are reported, the others are written. */
export function updateMany(
  call: OperationContext,
  grant: Grant,
  records: readonly unknown[],
): Promise<Answer> {
  const { model, entry } = call;
  return mutate(call, true, async (work) => {
    const seen = new Set<string>();
    const data = await runBulk(call, work, records, {
      done: "updated",
      runsHooks: entry.hooks.before_update !== undefined,
      check: async (record) => {
        const checked = await readUpdate(call, work, record);
        if (seen.has(checked.id)) throw invalid([{ field: "id", message: "stands more than once" }]);
        seen.add(checked.id);
        return checked;
      },
      write: (candidates) => updateSome(call, grant, work, candidates),
    });
    return afterHook(entry.hooks.after_update, { message: `${model.slug} updated`, data }, work);
  });
}

async function readUpdate(
  call: OperationContext,
  work: MutationScope,
  record: CheckedRecord,
): Promise<IdAndData> {
  const { id: sentId, ...sent } = record;
  requireFields(call.view, { data: sent, ids: [sentId] });
  refuseProblems(recordProblems(call.entry.validators.upsert, { id: sentId }, "types"));
  const id = kinds[call.model.id].parse(sentId);
  if (id === undefined) throw invalid([{ field: "id", message: "is required" }]);
  if (Object.keys(sent).length === 0) throw invalid([{ field: "data", message: "holds no field beside id" }]);
  const filters = readFilters(call.model, [["id", id]], []);
  const { before_update } = call.entry.hooks;
  const checked = await checkedChange(call, work, before_update, { filters, data: sent });
  const [only, ...others] = checked.filters;
  if (only?.field !== "id" || only.value !== id || others.length > 0) {
    const cause = new Error("before_update changed `where` in a bulk update, where each record is its id");
    throw new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause });
  }
  return { id: String(id), data: checked.data };
}

async function updateSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<IdAndData>[],
): Promise<Outcome> {
  const { model, services } = call;
  const fields = [...new Set(candidates.flatMap(({ value }) => Object.keys(value.data)))].sort();
  const plan = planOf(call, grant, `many ${fields.join()}`, () =>
    planUpdate(model, services.models, grant.scope, fields),
  );
  const list = candidates.map(({ value: { id, data } }) => ({
    id,
    ...jsonRecord(model, data, Object.keys(data)),
  }));
  const rows = await runPlan(call, work.connection, plan, [JSON.stringify(list)]);
  const outcome: Outcome = { done: [], failed: [] };
  for (const [at, [id, found]] of rows.entries()) {
    const index = candidates[at]?.index ?? at;
    if (id != null) outcome.done.push(id);
    else
      outcome.failed.push(
        failure(index, new ServiceError(found === "t" ? "PERMISSION_DENIED" : "NOT_FOUND")),
      );
  }
  return outcome;
}

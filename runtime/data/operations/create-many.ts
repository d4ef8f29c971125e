import { exactText } from "../../../vocabulary/json.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Answer } from "../../core/http/index.ts";
import { type Grant, requireFields, type Scope } from "../../models/access/index.ts";
import {
  type BindValue,
  type CheckedRecord,
  insertColumns,
  insertMany,
  jsonRecord,
  judgeMany,
  lockForMany,
  restsOnItself,
} from "../sql/index.ts";
import { type Candidate, failure, type Outcome, runBulk, type Wanted } from "./bulk.ts";
import { withoutParent } from "./database-problem.ts";
import { type Locked, levelsOfRecords, lockAnchors } from "./lock-anchors.ts";
import { type MutationResult, type MutationScope, mutate } from "./mutation.ts";
import { recordToStore, withId } from "./new-record.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";
import { written } from "./performed.ts";
import { presetValues } from "./preset-values.ts";

/** Creates many records: those that fail are reported, the others are written. */
export function createMany(
  call: OperationContext,
  grant: Grant,
  records: readonly unknown[],
): Promise<Answer> {
  return mutate(call, true, async (work) => {
    const { answer } = await createRecords(call, grant, work, records, "any");
    return answer;
  });
}

/** Creates many records inside a transaction: all that can be created, or else all or none. */
export async function createRecords(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  records: readonly unknown[],
  wanted: Wanted,
): Promise<MutationResult> {
  const { model, view, entry } = call;
  const presets = await presetValues(call, grant, work);
  const { report, ids } = await runBulk(call, work, records, wanted, {
    done: "inserted",
    runsHooks: entry.hooks.before_create !== undefined,
    checker: () => async (record) => {
      requireFields(view, { data: record });
      return withId(call, await recordToStore(call, work, record, "create", presets));
    },
    write: (candidates, judged) => insertSome(call, grant, work, candidates, judged),
    judge: restsOnItself(grant.insert, model, call.services.models)
      ? (candidates) => judgeSome(call, grant, work, candidates)
      : null,
  });
  const answer = { message: `${model.slug} created`, data: report };
  return written(call, entry.hooks.after_create, work, { ids, rows: [] }, answer);
}

async function insertSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<CheckedRecord>[],
  judged: boolean,
): Promise<Outcome> {
  const { model, services } = call;
  const sent = sentRecords(call, candidates);
  const anchors = judged ? null : (await lockSome(call, grant, work, sent)).anchors;
  const insert: Scope = judged ? { kind: "all" } : grant.insert;
  const shape = judged ? "many judged" : "many";
  const plan = planOf(call, grant, shape, () => insertMany(model, services.models, insert));
  const rows = await runPlan(call, work.connection, plan, sent, anchors);
  const outcome: Outcome = { done: [], failed: [] };
  for (const [position, id] of rows) {
    const refused = position == null ? undefined : candidates[Number(position) - 1];
    if (refused !== undefined)
      outcome.failed.push(failure(refused.index, new ServiceError("PERMISSION_DENIED")));
    else if (id != null) outcome.done.push(id);
  }
  return outcome;
}

async function judgeSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<CheckedRecord>[],
): Promise<Outcome<Candidate<CheckedRecord>>> {
  const { model, services } = call;
  const sent = sentRecords(call, candidates);
  const { anchors } = await lockSome(call, grant, work, sent);
  const plan = planOf(call, grant, "many to judge", () => judgeMany(model, services.models, grant.insert));
  const rows = await runPlan(call, work.connection, plan, sent, anchors);
  const refused = new Map(rows.map(([position, field]) => [candidates[Number(position) - 1], field]));
  return {
    done: candidates.filter((candidate) => !refused.has(candidate)),
    failed: candidates
      .filter((candidate) => refused.has(candidate))
      .map((candidate) => failure(candidate.index, refusal(refused.get(candidate)))),
  };
}

/** Of a record that was only judged: a field whose key leads to no row is to blame, or else the rules. */
function refusal(field: string | null | undefined): ServiceError {
  return field == null ? new ServiceError("PERMISSION_DENIED") : withoutParent(field);
}

function lockSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  values: readonly BindValue[],
): Awaitable<Locked> {
  const { model, services } = call;
  const plan = (level: number) => lockForMany(model, services.models, grant.insert, level);
  const levels = levelsOfRecords(call, grant);
  return lockAnchors(call, grant, work, { levels, shape: "many", values, plan });
}

function sentRecords({ model }: OperationContext, candidates: readonly Candidate<CheckedRecord>[]): string[] {
  const names = insertColumns(model);
  return [exactText(candidates.map(({ value }) => jsonRecord(model, value, names)))];
}

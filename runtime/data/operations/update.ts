import { exactText } from "../../../vocabulary/json.ts";
import { type Awaitable, andThen } from "../../core/concurrency/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { invalid, refuseProblems, ServiceError } from "../../core/errors/index.ts";
import type { SuccessResponse } from "../../core/http/index.ts";
import type { FailedRecord } from "../../hooks/index.ts";
import { type Grant, grantFor, requireFields } from "../../models/access/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import {
  authorizeUpdates,
  type BindValue,
  type CheckedRecord,
  idTypeOf,
  jsonRecord,
  lockMany,
  updateMany as planUpdate,
  type UpdateManyShape,
} from "../sql/index.ts";
import { type Candidate, failure, type Outcome, runBulk } from "./bulk.ts";
import {
  changeFields,
  changeResultJson,
  changesAtomically,
  checkData,
  checkedChange,
} from "./change-rows.ts";
import { missingParent } from "./database-problem.ts";
import { readFilters } from "./filters.ts";
import type { MatchedRows, Rows } from "./matched-rows.ts";
import {
  afterHook,
  changed,
  type Locked,
  lockParents,
  type Mutation,
  type MutationScope,
  mutate,
  mutation,
  rowLockLevels,
  withAfter,
  withBefore,
} from "./mutation.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";
import { type PresetValues, presetValues } from "./presets.ts";
import type { BulkInput, ChangeInput } from "./request-input.ts";

/** An update of one row by its id. */
interface IdAndData {
  readonly id: string;
  readonly data: CheckedRecord;
  /** The rows that the before-hook has read. */
  readonly matched: MatchedRows | null;
}

/**
 * Updates rows by their ids, each with its own fields. Failed records are reported, the others are written.
 */
function updateMany(
  call: OperationContext,
  grant: Grant,
  records: readonly unknown[],
): Promise<SuccessResponse> {
  const { model, entry } = call;
  return mutate(call, true, async (work) => {
    const presets = await presetValues(call, grant, work, "change");
    /** The state of the last attempt. */
    let seen: ReadonlyMap<string, MatchedRows | null> = new Map();
    const { report, ids } = await runBulk(call, work, records, "any", {
      done: "updated",
      runsHooks: entry.hooks.before_update !== undefined,
      checker: () => {
        const reader = updateReader(call, grant, work, presets);
        seen = reader.seen;
        return reader.check;
      },
      write: (candidates, own) => updateSome(call, own ?? grant, work, candidates, own === null),
      authorize: (candidates, own) => authorizeSome(call, own, work, candidates),
      scopeOf: ({ scope }) => scope,
    });
    const answer = { message: `${model.slug} updated`, data: report };
    const { after_update: hook } = entry.hooks;
    if (hook === undefined) return answer;
    const before = () => joined(ids.map((id) => seen.get(id)?.before));
    return afterHook(hook, answer, withBefore(withAfter(call, work, ids), before));
  });
}

/** The rows that the hooks have read; undefined if they have read none. */
function joined(lists: readonly (Rows | undefined)[]): Rows | undefined {
  return lists.some((rows) => rows !== undefined) ? lists.flatMap((rows) => rows ?? []) : undefined;
}

/** Checks records, rejects repeated ids, and collects the rows that hooks have read. */
interface UpdateReader {
  readonly seen: ReadonlyMap<string, MatchedRows | null>;
  readonly check: (record: CheckedRecord) => Promise<{ readonly value: IdAndData; readonly grant: Grant }>;
}

function updateReader(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  presets: PresetValues,
): UpdateReader {
  const seen = new Map<string, MatchedRows | null>();
  return {
    seen,
    async check(record) {
      const { id, ...sent } = record;
      requireFields(call.view, { data: sent, ids: [id] });
      const own = grantFor(grant, sent);
      const value = await readUpdate(call, own, work, record, presets);
      if (seen.has(value.id)) throw invalid([{ field: "id", message: "is used more than once" }]);
      seen.set(value.id, value.matched);
      return { value, grant: own };
    },
  };
}

async function readUpdate(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  record: CheckedRecord,
  presets: PresetValues,
): Promise<IdAndData> {
  const { id: sentId, ...sent } = record;
  const { upsert } = call.entry.validators;
  // An upsert has no id if a foreign key has its column.
  if (Object.hasOwn(upsert.properties, "id")) refuseProblems(recordProblems(upsert, { id: sentId }, "types"));
  const id = idTypeOf(call.model).parse(sentId);
  if (id === undefined) throw invalid([{ field: "id", message: "is required" }]);
  if (Object.keys(sent).length === 0) throw invalid([{ field: "data", message: "has no field except id" }]);
  const filters = readFilters(call.model, [["id", id]], []);
  const checked = await checkedChange(call, grant, work, "update", { filters, data: sent, presets });
  const [only, ...others] = checked.filters;
  if (only?.field !== "id" || only.value !== id || others.length > 0) {
    const cause = new Error(
      "before_update changed `where` in a bulk update, which selects each record by its id",
    );
    throw new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause });
  }
  return { id: String(id), data: checked.data, matched: checked.matched };
}

/** A statement for several records, and its values. */
interface Sent {
  readonly shape: Omit<UpdateManyShape, "locked">;
  /** Cache key: equal for the same SQL. */
  readonly text: string;
  readonly values: readonly BindValue[];
}

function sentUpdates(
  { model, services }: OperationContext,
  { scope }: Grant,
  candidates: readonly Candidate<IdAndData>[],
): Sent {
  const fields = [...new Set(candidates.flatMap(({ value }) => Object.keys(value.data)))].sort();
  const list = candidates.map(({ value: { id, data } }) => ({
    id,
    ...jsonRecord(model, data, Object.keys(data)),
  }));
  return {
    shape: { model, models: services.models, scope, fields },
    text: `many ${fields.join()}`,
    values: [exactText(list)],
  };
}

async function updateSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<IdAndData>[],
  authorized: boolean,
): Promise<Outcome> {
  const { shape, text, values } = sentUpdates(call, grant, candidates);
  if (authorized) {
    const plan = planOf(call, grant, `authorized ${text}`, () =>
      planUpdate({ ...shape, scope: { kind: "all" }, locked: false }),
    );
    return outcomeOf(candidates, await runPlan(call, work.connection, plan, values));
  }
  const { ids, parents } = await lockSome(call, grant, work, { shape, text, values });
  const locked = ids !== null;
  const plan = planOf(call, grant, text, () => planUpdate({ ...shape, locked }));
  return outcomeOf(
    candidates,
    await runPlan(call, work.connection, plan, locked ? [...values, ids] : values, parents),
  );
}

function outcomeOf(candidates: readonly Candidate<IdAndData>[], rows: readonly TextRow[]): Outcome {
  const outcome: Outcome = { done: [], failed: [] };
  for (const [at, [id, found]] of rows.entries()) {
    const index = candidates[at]?.index ?? at;
    if (id != null) outcome.done.push(id);
    else outcome.failed.push(refused(index, found));
  }
  return outcome;
}

async function authorizeSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<IdAndData>[],
): Promise<Outcome<Candidate<IdAndData>>> {
  const sent = sentUpdates(call, grant, candidates);
  const { ids, parents } = await lockSome(call, grant, work, sent);
  const locked = ids !== null;
  const { shape, text, values } = sent;
  const plan = planOf(call, grant, `authorize ${text}`, () => authorizeUpdates({ ...shape, locked }));
  const rows = await runPlan(call, work.connection, plan, locked ? [...values, ids] : values, parents);
  const outcome: Outcome<Candidate<IdAndData>> = { done: [], failed: [] };
  for (const [at, candidate] of candidates.entries()) {
    const [, found, allowed, unseen] = rows[at] ?? [];
    if (allowed === "t" && unseen == null) outcome.done.push(candidate);
    else if (allowed === "t" && unseen != null)
      outcome.failed.push(failure(candidate.index, missingParent(unseen)));
    else outcome.failed.push(refused(candidate.index, found));
  }
  return outcome;
}

function lockSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  { shape, text, values }: Sent,
): Awaitable<Locked> {
  const plan = (level: number, locked: boolean) => lockMany({ ...shape, locked }, level);
  return lockParents(call, grant, work, { levels: rowLockLevels(call, grant), shape: text, values, plan });
}

function refused(index: number, found: string | null | undefined): FailedRecord {
  return failure(index, new ServiceError(found === "t" ? "PERMISSION_DENIED" : "NOT_FOUND"));
}

const updateWhere = mutation<"update", ChangeInput>(
  "update",
  {
    check: (call, { data }) => checkData(call, call.entry.hooks.before_update, data),
    async execute(call, grant, work, input, text) {
      const checked = andThen(presetValues(call, grant, work, "change"), (presets) =>
        checkedChange(call, grant, work, "update", { ...input, presets }),
      );
      const wanted = checked instanceof Promise ? await checked : checked;
      const done = await changeFields(call, grant, work, "update", wanted, text);
      const answer = { message: `${call.model.slug} updated`, data: changeResultJson(call, "updated", done) };
      return changed(call, call.entry.hooks.after_update, work, done, answer, wanted.matched);
    },
  },
  changesAtomically,
);

/** Updates the rows that match `where`, or each record of a list by its id (docs/api.md). */
export const update: Mutation<"update", ChangeInput, ChangeInput | BulkInput> = {
  ...updateWhere,
  run: (call, grant, input) =>
    "records" in input ? updateMany(call, grant, input.records) : updateWhere.run(call, grant, input),
};

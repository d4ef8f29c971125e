import { exactText, type JsonObject } from "../../../vocabulary/json.ts";
import { type Awaitable, andThen } from "../../core/concurrency/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { invalid, refuseProblems, ServiceError } from "../../core/errors/index.ts";
import type { Answer } from "../../core/http/index.ts";
import { type AnyHooks, type FailedRecord, runHook } from "../../hooks/index.ts";
import { type Grant, requireFields } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import {
  answeredForm,
  authorizeUpdates,
  type BindValue,
  bindFields,
  type CheckedRecord,
  change,
  dependsOnOwnModel,
  type Filter,
  idJson,
  jsonRecord,
  kinds,
  lockMany,
  lockTargets,
  type MutationTarget,
  updateMany as planUpdate,
  requireStorable,
  storedForm,
  storedOnce,
  targetShape,
  type UpdateManyShape,
  type Visibility,
  type WriteKind,
} from "../sql/index.ts";
import { fromHook, readAppChange } from "./app-input.ts";
import { type Candidate, failure, type Outcome, runBulk } from "./bulk.ts";
import { missingParent } from "./database-problem.ts";
import { readFilters, writeWhere } from "./filters.ts";
import { MatchedRows, type Rows, recordNotFound, targetOf, writeForbidden } from "./matched-rows.ts";
import {
  afterHook,
  type Changed,
  changed,
  type Locked,
  lockParents,
  type Mutation,
  type MutationScope,
  mutate,
  mutation,
  type Returning,
  rowLockLevels,
  withAfter,
  withBefore,
  withRows,
} from "./mutation.ts";
import { hasherOf, type OperationContext, planOf, runPlan } from "./operation-context.ts";
import type { BulkInput, ChangeInput } from "./request-input.ts";

/** Rows to change, their new values, and the values of the statement in its order. */
export interface Change {
  readonly target: MutationTarget;
  readonly write: WriteKind;
  readonly sees: Visibility;
  readonly values: readonly BindValue[];
  readonly text?: Returning | undefined;
  /** The ids that the change is limited to, because its hook has read these rows; else null. */
  readonly pinned?: readonly string[] | null;
}

/**
 * Changes the matched rows of a target, or none. Errors: 404 `NOT_FOUND` if no row matches or an id is
 * missing, 403 `PERMISSION_DENIED` if the caller may not write a matched row.
 */
export async function changeRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  wanted: Change,
): Promise<Changed> {
  const { model, view, services } = call;
  const { target, write, sees, text, pinned = null } = wanted;
  const { models } = services;
  const shape = { model, models, target, write, scope: grant.scope, fetches: view.fetches, sees };
  const locking = lockParents(call, grant, work, {
    levels: rowLockLevels(call, grant),
    shape: shapeOf(wanted, undefined),
    values: wanted.values,
    pinned,
    plan: (level, locked) => lockTargets({ ...shape, locked }, level),
  });
  const { ids, parents } = locking instanceof Promise ? await locking : locking;
  const locked = ids !== null;
  const values = locked ? [...wanted.values, ids] : wanted.values;
  const plan = planOf(call, grant, shapeOf(wanted, text), () => {
    const textOf = text && ((alias: string) => text.sql(alias, values.length));
    return change({ ...shape, locked, text: textOf });
  });
  const all = text === undefined ? values : [...values, ...text.values];
  const rows = await runPlan(
    call,
    work.connection,
    plan,
    all,
    parents,
    target.by === "filters" ? target : undefined,
  );
  const [found = "0", allowed = "t"] = rows[0] ?? [];
  const missing = target.by === "ids" ? Number(values[1]) - Number(found) : found === "0" ? 1 : 0;
  if (missing > 0) throw recordNotFound();
  if (allowed !== "t") throw writeForbidden();
  return changedRows(model, rows);
}

/** The changed rows, in the order of their ids. */
function changedRows(model: Model, rows: readonly TextRow[]): Changed {
  const changed: { readonly id: string; readonly text: string | null | undefined }[] = [];
  for (const [, , id, text] of rows) if (id != null) changed.push({ id, text });
  const numeric = model.id === "bigint";
  changed.sort((a, b) => (numeric ? Number(BigInt(a.id) - BigInt(b.id)) : a.id < b.id ? -1 : 1));
  return { ids: changed.map(({ id }) => id), rows: changed.flatMap(({ text }) => text ?? []) };
}

function shapeOf({ target, write, pinned = null }: Change, text: Returning | undefined): string {
  const fields = "fields" in write ? write.fields.join() : "";
  const asked = text === undefined ? "" : ` -> ${text.shape}`;
  return `${write.kind} ${targetShape(target)} ${fields}${pinned === null ? "" : " pinned"}${asked}`;
}

/** `{<done>_count, <done>_ids}`; no ids if the role may not read them. */
export function changedJson({ model, view }: OperationContext, done: string, { ids }: Changed): string {
  const shown = view.unreadable.has("id") ? [] : ids.map((id) => idJson(model.id, id));
  return `{"${done}_count":${ids.length},"${done}_ids":[${shown.join()}]}`;
}

/** Validates the data of an update or restore; only the types if a before-hook can still change it. */
export function checkData({ entry }: OperationContext, hook: unknown, data: JsonObject): void {
  const strictness = hook === undefined ? "partial" : "types";
  refuseProblems(recordProblems(entry.validators.update, data, strictness));
}

type WhereAndData = { where: Record<string, unknown>; data: Record<string, unknown> };

/** An update or restore after its before-hook, and the rows that the hook has read. */
interface CheckedChange {
  readonly filters: readonly Filter[];
  readonly data: CheckedRecord;
  readonly matched: MatchedRows | null;
}

/** The filters and the validated data of an update or restore, after the before-hook. */
export function checkedChange(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  kind: "update" | "restore",
  input: ChangeInput,
): Awaitable<CheckedChange> {
  const { model, entry } = call;
  const { [`before_${kind}` as const]: hook } = entry.hooks;
  checkData(call, hook, input.data);
  if (hook !== undefined) return changeOfHook(hook, call, grant, work, kind, input);
  const stored = storedOnce(model, input.data, hasherOf(call));
  return andThen(stored, (data) => ({ filters: input.filters, data, matched: null }));
}

async function changeOfHook(
  hook: NonNullable<AnyHooks[`before_${"update" | "restore"}`]>,
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  kind: "update" | "restore",
  input: ChangeInput,
): Promise<CheckedChange> {
  const { model, entry } = call;
  requireStorable(model, input.data);
  const sent: WhereAndData = {
    where: writeWhere(input.filters),
    data: structuredClone(answeredForm(model, input.data)),
  };
  const read = (given: unknown) =>
    fromHook(hook, given, (change, problems) => readAppChange(model, change, problems));
  const matched = new MatchedRows();
  const target = () => targetOf({ filters: read(sent).filters });
  const given = await runHook(hook, sent, withRows(call, grant, work, matched, seenBy[kind], target));
  const { filters, data } = read(given);
  refuseProblems(recordProblems(entry.validators.update, data, "partial"));
  return { filters, data: await storedForm(model, data, hasherOf(call)), matched };
}

const seenBy = { update: "live", restore: "deleted" } as const;

/** Updates the rows that match the filters; a restore also undeletes them. */
export function changeFields(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  kind: "update" | "restore",
  { filters, data, matched }: CheckedChange,
): Promise<Changed> {
  const fields = Object.keys(data).sort();
  const { target, values } = targetOf({ filters });
  return changeRows(call, grant, work, {
    target,
    write: { kind, fields },
    sees: seenBy[kind],
    values: [...values, ...bindFields(call.model, data, fields)],
    pinned: matched?.pinned(target) ?? null,
  });
}

/** An update of one row by its id. */
interface IdAndData {
  readonly id: string;
  readonly data: CheckedRecord;
  /** The rows that the before-hook has read. */
  readonly matched: MatchedRows | null;
}

/**
 * Updates many rows by their ids, each with its own fields. Failed records are reported, the others are
 * written.
 */
function updateMany(call: OperationContext, grant: Grant, records: readonly unknown[]): Promise<Answer> {
  const { model, entry } = call;
  return mutate(call, true, async (work) => {
    /** Of the last attempt. */
    let seen: ReadonlyMap<string, MatchedRows | null> = new Map();
    const { report, ids } = await runBulk(call, work, records, "any", {
      done: "updated",
      runsHooks: entry.hooks.before_update !== undefined,
      checker: () => {
        const reader = updateReader(call, grant, work);
        seen = reader.seen;
        return reader.check;
      },
      write: (candidates, authorized) => updateSome(call, grant, work, candidates, authorized),
      authorize: dependsOnOwnModel(grant.scope, model, call.services.models)
        ? (candidates) => authorizeSome(call, grant, work, candidates)
        : null,
    });
    const answer = { message: `${model.slug} updated`, data: report };
    const { after_update: hook } = entry.hooks;
    if (hook === undefined) return answer;
    const before = () => joined(ids.map((id) => seen.get(id)?.before));
    return afterHook(hook, answer, withBefore(withAfter(call, work, ids), before));
  });
}

/** The rows that the hooks of several records have read; undefined if none of them did. */
function joined(lists: readonly (Rows | undefined)[]): Rows | undefined {
  return lists.some((rows) => rows !== undefined) ? lists.flatMap((rows) => rows ?? []) : undefined;
}

/** Checks records, rejects repeated ids, and keeps the rows that their hooks have read. */
interface UpdateReader {
  readonly seen: ReadonlyMap<string, MatchedRows | null>;
  readonly check: (record: CheckedRecord) => Promise<IdAndData>;
}

function updateReader(call: OperationContext, grant: Grant, work: MutationScope): UpdateReader {
  const seen = new Map<string, MatchedRows | null>();
  return {
    seen,
    async check(record) {
      const checked = await readUpdate(call, grant, work, record);
      if (seen.has(checked.id)) throw invalid([{ field: "id", message: "is used more than once" }]);
      seen.set(checked.id, checked.matched);
      return checked;
    },
  };
}

async function readUpdate(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  record: CheckedRecord,
): Promise<IdAndData> {
  const { id: sentId, ...sent } = record;
  requireFields(call.view, { data: sent, ids: [sentId] });
  refuseProblems(recordProblems(call.entry.validators.upsert, { id: sentId }, "types"));
  const id = kinds[call.model.id].parse(sentId);
  if (id === undefined) throw invalid([{ field: "id", message: "is required" }]);
  if (Object.keys(sent).length === 0) throw invalid([{ field: "data", message: "has no field except id" }]);
  const filters = readFilters(call.model, [["id", id]], []);
  const checked = await checkedChange(call, grant, work, "update", { filters, data: sent });
  const [only, ...others] = checked.filters;
  if (only?.field !== "id" || only.value !== id || others.length > 0) {
    const cause = new Error("before_update changed `where` in a bulk update, where each record is its id");
    throw new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause });
  }
  return { id: String(id), data: checked.data, matched: checked.matched };
}

/** Records of one statement, and its values. */
interface Sent {
  readonly shape: Omit<UpdateManyShape, "locked">;
  /** Distinguishes statements with different SQL. */
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

const updateWhere = mutation<"update", ChangeInput>("update", {
  check: (call, { data }) => checkData(call, call.entry.hooks.before_update, data),
  async execute(call, grant, work, input) {
    const checked = checkedChange(call, grant, work, "update", input);
    const wanted = checked instanceof Promise ? await checked : checked;
    const done = await changeFields(call, grant, work, "update", wanted);
    const answer = { message: `${call.model.slug} updated`, data: changedJson(call, "updated", done) };
    return changed(call, call.entry.hooks.after_update, work, done, answer, wanted.matched);
  },
});

/** Updates the rows that match `where`, or each record of a list by its id (docs/api.md). */
export const update: Mutation<"update", ChangeInput, ChangeInput | BulkInput> = {
  ...updateWhere,
  run: (call, grant, input) =>
    "records" in input ? updateMany(call, grant, input.records) : updateWhere.run(call, grant, input),
};

import { randomUUID } from "node:crypto";
import { exactText } from "../../../vocabulary/json.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { refuseProblems, ServiceError } from "../../core/errors/index.ts";
import type { SuccessResponse } from "../../core/http/index.ts";
import { runHook } from "../../hooks/index.ts";
import { type Grant, grantFor, requireFields, type Scope } from "../../models/access/index.ts";
import { hasSqlDefaults, insertedModel, insertShape, presetsOf, readsCallerRow } from "../../models/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import {
  authorizeMany,
  type BindValue,
  bindFields,
  type CheckedRecord,
  insertColumns,
  insertMany,
  insertOne,
  insertValues,
  jsonRecord,
  lockForMany,
  lockForOne,
  type RowWriter,
  requireStorable,
  responseValues,
  rowWriter,
  storedForm,
  storedOnce,
  writerOf,
} from "../sql/index.ts";
import { fromHook, readAppRecord } from "./app-input.ts";
import { type BulkMode, type Candidate, failure, type Outcome, runBulk } from "./bulk.ts";
import { missingParent } from "./database-problem.ts";
import {
  type Locked,
  lockParents,
  type Mutation,
  type MutationResult,
  type MutationScope,
  type MutationSteps,
  mutate,
  mutation,
  recordLockLevels,
  written,
} from "./mutation.ts";
import { hasherOf, type OperationContext, planOf, runPlan } from "./operation-context.ts";
import { type PresetValues, presetValues, requirePresets, withPresets } from "./presets.ts";
import type { BulkInput, RecordInput } from "./request-input.ts";

type Creation = "create" | "upsert";

/** Validates a sent record; only its types and the sent fields if a before-hook or presets can add more. */
export function checkNewRecord(call: OperationContext, sent: CheckedRecord, operation: Creation): void {
  const { hooks, validators } = call.entry;
  const isFinal =
    hooks[`before_${operation}`] === undefined && presetsOf(call.model).create.fields.length === 0;
  refuseProblems(recordProblems(validators[operation], sent, isFinal ? "complete" : "types"));
}

/**
 * The record to store, after type checks, presets, the before-hook (which can fill in required fields), full
 * validation, and hashing.
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
    // Hashed once for all attempts of the transaction. Presets are stored unchanged.
    return withPresets(await storedOnce(model, sent, hasherOf(call)), presets);
  }
  requireStorable(model, sent);
  // A copy, because a retry of the transaction needs the record again.
  const given = await runHook(hook, structuredClone(responseValues(model, filled)), work);
  const record = fromHook(hook, given, readAppRecord);
  requireComplete(call, sent, record, operation);
  return storedForm(model, record, hasherOf(call));
}

function requireComplete(
  call: OperationContext,
  sent: CheckedRecord,
  record: CheckedRecord,
  operation: Creation,
): void {
  requirePresets(call, "create", sent, record);
  refuseProblems(recordProblems(call.entry.validators[operation], record, "complete"));
}

/** Adds an id if ids are UUIDs. */
export function withId({ model }: OperationContext, record: CheckedRecord): CheckedRecord {
  const makesId = model.id === "uuid" && model.idSent !== true;
  return makesId && !Object.hasOwn(record, "id") ? { id: randomUUID(), ...record } : record;
}

function createMany(
  call: OperationContext,
  grant: Grant,
  records: readonly unknown[],
): Promise<SuccessResponse> {
  return mutate(call, true, async (work) => {
    const { answer } = await createRecords(call, grant, work, records, "any");
    return answer;
  });
}

/** Creates many records inside a transaction: those that are valid, or all or none. */
export async function createRecords(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  records: readonly unknown[],
  wanted: BulkMode,
): Promise<MutationResult> {
  const { model, view, entry } = call;
  const presets = await presetValues(call, grant, work, "create");
  const { report, ids } = await runBulk(call, work, records, wanted, {
    done: "inserted",
    runsHooks: entry.hooks.before_create !== undefined,
    checker: () => async (record) => {
      requireFields(view, { data: record });
      const own = grantFor(grant, record);
      const value = withId(call, await recordToStore(call, work, record, "create", presets));
      return { value, grant: own };
    },
    write: (candidates, own) => insertSome(call, own ?? grant, work, candidates, own === null),
    authorize: (candidates, own) => authorizeSome(call, own, work, candidates),
    scopeOf: ({ insert }) => insert,
  });
  const answer = { message: `${model.slug} created`, data: report };
  return written(call, entry.hooks.after_create, work, { ids, rows: [] }, answer);
}

/** The ids are in the order of the records. */
async function insertSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<CheckedRecord>[],
  authorized: boolean,
): Promise<Outcome> {
  const { model, services } = call;
  const insert: Scope = authorized ? { kind: "all" } : grant.insert;
  if (hasSqlDefaults(model)) {
    const checked: Outcome<Candidate<CheckedRecord>> =
      insert.kind === "all"
        ? { done: [...candidates], failed: [] }
        : await authorizeSome(call, grant, work, candidates);
    return { done: await insertFilled(call, work, checked.done), failed: checked.failed };
  }
  const sent = sentRecords(call, candidates);
  const parents = authorized ? null : (await lockSome(call, grant, work, sent)).parents;
  const shape = `many${authorized ? " authorized" : ""}`;
  const plan = planOf(call, grant, shape, () => insertMany(model, services.models, insert));
  const rows = await runPlan(call, work.connection, plan, sent, parents);
  const positions = rows.flatMap(([position]) => (position == null ? [] : [Number(position)]));
  const refused = positions.flatMap((position) => candidates[position - 1] ?? []);
  return {
    done: rows.flatMap(([, id]) => (id == null ? [] : [id])),
    failed: refused.map(({ index }) => failure(index, new ServiceError("PERMISSION_DENIED"))),
  };
}

/** Inserts records that the rules allow, and leaves missing fields to the database. */
async function insertFilled(
  call: OperationContext,
  { connection }: MutationScope,
  candidates: readonly Candidate<CheckedRecord>[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { plan, values } of insertValues(
    call.model,
    candidates.map(({ value }) => value),
  ))
    for (const [id] of await runPlan(call, connection, plan, values)) ids.push(id ?? "");
  return ids;
}

async function authorizeSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  candidates: readonly Candidate<CheckedRecord>[],
): Promise<Outcome<Candidate<CheckedRecord>>> {
  const { model, services } = call;
  const sent = sentRecords(call, candidates);
  const { parents } = await lockSome(call, grant, work, sent);
  const plan = planOf(call, grant, "many to authorize", () =>
    authorizeMany(model, services.models, grant.insert),
  );
  const rows = await runPlan(call, work.connection, plan, sent, parents);
  const refused = new Map(rows.map(([position, field]) => [candidates[Number(position) - 1], field]));
  return {
    done: candidates.filter((candidate) => !refused.has(candidate)),
    failed: candidates
      .filter((candidate) => refused.has(candidate))
      .map((candidate) => failure(candidate.index, refusal(refused.get(candidate)))),
  };
}

/** A field whose key references no row, or the rules. */
function refusal(field: string | null | undefined): ServiceError {
  return field == null ? new ServiceError("PERMISSION_DENIED") : missingParent(field);
}

function lockSome(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  values: readonly BindValue[],
): Awaitable<Locked> {
  const { model, services } = call;
  const plan = (level: number) => lockForMany(model, services.models, grant.insert, level);
  const levels = recordLockLevels(call, grant);
  return lockParents(call, grant, work, { levels, shape: "many", values, plan });
}

function sentRecords({ model }: OperationContext, candidates: readonly Candidate<CheckedRecord>[]): string[] {
  const names = insertColumns(model);
  return [exactText(candidates.map(({ value }) => jsonRecord(model, value, names)))];
}

const steps: MutationSteps<RecordInput> = {
  check: (call, { data }) => checkNewRecord(call, data, "create"),
  async execute(call, grant, work, { data }) {
    const { entry } = call;
    const presets = await presetValues(call, grant, work, "create");
    const record = withId(call, await recordToStore(call, work, data, "create", presets));
    const model = insertedModel(call.model, record);
    const values = bindFields(model, record, insertColumns(model));
    const { parents } = await lockParents(call, grant, work, {
      levels: recordLockLevels(call, grant),
      shape: `one${insertShape(model)}`,
      values,
      plan: (level) => lockForOne(model, call.services.models, grant.insert, level),
    });
    const { row, write } = await insert({ ...call, model }, grant, work, values, parents);
    const answer = { message: `${model.slug} created`, data: write(row) };
    return written(call, entry.hooks.after_create, work, { ids: [row[0] ?? ""], rows: [] }, answer);
  },
};

const createOne = mutation(
  "create",
  steps,
  (call, grant) => readsCallerRow(call.model, "create") || recordLockLevels(call, grant) > 0,
);

/** Creates one record and returns it, or many and returns a report (docs/api.md). */
export const create: Mutation<"create", RecordInput, RecordInput | BulkInput> = {
  ...createOne,
  run: (call, grant, input) =>
    "records" in input ? createMany(call, grant, input.records) : createOne.run(call, grant, input),
};

interface Inserted {
  /** The id, even if the role may not read it, and then the readable columns. */
  readonly row: TextRow;
  readonly write: RowWriter;
}

async function insert(
  call: OperationContext,
  grant: Grant,
  { connection }: MutationScope,
  values: readonly BindValue[],
  parents: string | null,
): Promise<Inserted> {
  const { model, view, services } = call;
  const plan = planOf(call, grant, `one${insertShape(model)}`, () => {
    const others = view.readable.slice(1 - firstReadable(call));
    return insertOne(model, services.models, grant.insert, ["id", ...others]);
  });
  const [row] = await runPlan(call, connection, plan, values, parents);
  if (row === undefined) throw new ServiceError("PERMISSION_DENIED", "Your role may not create this record.");
  const write = () => rowWriter(model, view.readable, firstReadable(call), 0);
  return { row, write: writerOf(plan, write) };
}

/** The position of the first readable column. The id is one of them if the role may read it. */
function firstReadable({ view }: OperationContext): number {
  return view.unreadable.has("id") ? 1 : 0;
}

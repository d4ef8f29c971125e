import type { TextRow } from "../../core/database/index.ts";
import { invalid, ServiceError } from "../../core/errors/index.ts";
import { type Grant, requireFields } from "../../models/access/index.ts";
import { insertedModel, insertShape, insertsIds, presetsOf, readsCallerRow } from "../../models/index.ts";
import {
  type BindValue,
  bindFields,
  type CheckedRecord,
  decidingKey,
  idJson,
  insertColumns,
  lockForUpsert,
  upsert as planUpsert,
} from "../sql/index.ts";
import { changeFields } from "./change-rows.ts";
import { checkNewRecord, recordToStore, withId } from "./create.ts";
import { readFilters } from "./filters.ts";
import {
  type Changed,
  lockParents,
  type MutationScope,
  mutation,
  type Returning,
  recordLockLevels,
  rowLockLevels,
  written,
} from "./mutation.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";
import { presetValues, untouchedPresets } from "./presets.ts";
import type { RecordInput } from "./request-input.ts";

/** Inserts a record or updates the row with the same unique key, and returns `{id}` (docs/api.md). */
export const upsert = mutation<"upsert", RecordInput>(
  "upsert",
  {
    check(call, { data, label }) {
      requireReadableKey(call, data);
      checkNewRecord(call, data, "upsert");
      if (isFinal(call)) keyOf(call, data, label);
    },
    async execute(call, grant, work, { data, label }, text) {
      const { model, view, entry } = call;
      requireReadableKey(call, data);
      const presets = await presetValues(call, grant, work, "create");
      const record = await recordToStore(call, work, data, "upsert", presets);
      const kept = untouchedPresets(call, presets, data, record);
      const upserted = { record, kept, key: keyOf(call, record, label) };
      const done = await write(call, grant, work, upserted, text);
      const [id = ""] = done.ids;
      const shown = view.unreadable.has("id") ? "{}" : `{"id":${idJson(model, id)}}`;
      const answer = { message: `${model.slug} upserted`, data: shown };
      return written(call, entry.hooks.after_upsert, work, done, answer);
    },
  },
  // If inserts have a condition, a forbidden insert is noticed after the write and must be rolled back.
  (call, grant) =>
    readsCallerRow(call.model, "create") || grant.insert.kind === "some" || rowLockLevels(call, grant) > 0,
);

interface Upserted {
  readonly record: CheckedRecord;
  /** Fields that an update does not change. */
  readonly kept: ReadonlySet<string>;
  readonly key: readonly string[];
}

function write(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  upserted: Upserted,
  text: Returning | undefined,
): Promise<Changed> {
  const byNumber = upserted.key[0] === "id" && !insertsIds(call.model);
  const step = byNumber ? updateById : upsertByKey;
  return step(call, grant, work, upserted, text);
}

/** Whether no hook or preset changes the sent record. */
function isFinal({ entry, model }: OperationContext): boolean {
  return entry.hooks.before_upsert === undefined && presetsOf(model).create.fields.length === 0;
}

/** Rejects an unreadable key before its values are checked, since 403 comes before 400. */
function requireReadableKey(call: OperationContext, data: CheckedRecord): void {
  if (isFinal(call)) requireReadable(call, decidingKey(call.model, data) ?? []);
}

/** An update reveals that a row with this key exists. */
function requireReadable({ view }: OperationContext, key: readonly string[]): void {
  requireFields(view, { filters: key.map((field) => ({ field })) });
}

function keyOf(call: OperationContext, record: CheckedRecord, label = "data"): readonly string[] {
  const key = decidingKey(call.model, record);
  if (key === undefined) {
    const message = "has no complete unique key, which an upsert needs to find an existing record";
    throw invalid([{ field: label, message }]);
  }
  requireReadable(call, key);
  return key;
}

/** The database generates numeric ids, so an unknown id is 404. */
function updateById(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  { record, kept }: Upserted,
  text: Returning | undefined,
): Promise<Changed> {
  const { id, ...fields } = record;
  const data = Object.fromEntries(Object.entries(fields).filter(([name]) => !kept.has(name)));
  const filters = readFilters(call.model, [["id", id]], []);
  return changeFields(call, grant, work, "update", { filters, data, matched: null }, text);
}

async function upsertByKey(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  { record, kept, key }: Upserted,
  text: Returning | undefined,
): Promise<Changed> {
  const model = insertedModel(call.model, record);
  const sent = Object.keys(record)
    .filter((name) => name !== "id" && !kept.has(name))
    .sort();
  const values = bindFields(model, withId(call, record), insertColumns(model));
  const row = await writeByKey({ ...call, model }, grant, work, { key, sent, values, text });
  const [id, inserted, insertable, dead, ofRow] = row;
  if (dead === "t") throw invalid([{ field: "id", message: "belongs to a deleted record" }]);
  if (id == null || (inserted === "t" && insertable !== "t")) {
    throw new ServiceError("PERMISSION_DENIED", "Your role may not write this record.");
  }
  return { ids: [id], rows: ofRow == null ? [] : [ofRow] };
}

interface Keyed {
  readonly key: readonly string[];
  readonly sent: readonly string[];
  readonly values: readonly BindValue[];
  readonly text: Returning | undefined;
}

const mostLockings = 3;

/**
 * If a condition depends on absent rows, the row with the key is locked first. If another transaction adds it
 * after that, the locks are taken again.
 */
async function writeByKey(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  keyed: Keyed,
  lockings = 1,
): Promise<TextRow> {
  const { model, services } = call;
  const { key, sent, values, text } = keyed;
  const shape = { model, models: services.models, key, sent, insert: grant.insert, update: grant.scope };
  const name = `${key.join()} ${sent.join()}${insertShape(model)}`;
  const { ids, parents } = await lockParents(call, grant, work, {
    levels: Math.max(recordLockLevels(call, grant), rowLockLevels(call, grant)),
    shape: name,
    values,
    plan: (level, locked) => lockForUpsert({ ...shape, locked }, level),
  });
  const locked = ids !== null;
  const returned = text && ((alias: string) => text.sql(alias, 0));
  const asked = text === undefined ? name : `${name} -> ${text.shape}`;
  const plan = planOf(call, grant, asked, () => planUpsert({ ...shape, locked, text: returned }));
  const [row = []] = await runPlan(call, work.connection, plan, locked ? [...values, ids] : values, parents);
  const [id, , insertable, dead] = row;
  const overtaken = ids === "{}" && id == null && insertable === "t" && dead !== "t";
  if (!overtaken || lockings === mostLockings) return row;
  return writeByKey(call, grant, work, keyed, lockings + 1);
}

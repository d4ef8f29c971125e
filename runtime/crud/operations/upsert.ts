import type { Grant } from "../../access/index.ts";
import { invalid, refuseProblems, ServiceError } from "../../errors/index.ts";
import { runHook } from "../../model/index.ts";
import { recordProblems } from "../../validation/index.ts";
import { type Call, planOf, runPlan } from "../call.ts";
import type { RecordInput } from "../input/body-input.ts";
import { readFilters } from "../input/filters.ts";
import type { CrudOperation } from "../route.ts";
import { insertColumns } from "../statements/insert.ts";
import { decidingKey, upsert as planUpsert } from "../statements/upsert.ts";
import { bindFields, type CheckedRecord, storedForm } from "../values/records.ts";
import { idJson } from "../values/rows-json.ts";
import { changeRows, changeValues } from "./change.ts";
import { answerAfter, mutate, type Work } from "./mutation.ts";
import { withId } from "./new-record.ts";

/** Inserts a record or updates the one that has its unique key, and answers `{id}` (decisions, part 5). */
export const upsert: CrudOperation<"upsert", RecordInput> = {
  operation: "upsert",
  run(call, grant, input) {
    const { hooks } = call.entry;
    // Where inserts are conditional, a row that disappears at the wrong moment is noticed after the write.
    const atomic =
      hooks.before_upsert !== undefined || hooks.after_upsert !== undefined || grant.insert.kind === "some";
    return mutate(call, atomic, async (work) => {
      const record = await recordToUpsert(call, work, input.data);
      const id = await write(call, grant, work, record);
      const data = call.view.unreadable.has("id") ? "{}" : `{"id":${idJson(call.model.id, id)}}`;
      return answerAfter(hooks.after_upsert, work, { message: `${call.model.slug} upserted`, data });
    });
  },
};

async function recordToUpsert(call: Call, work: Work, sent: CheckedRecord): Promise<CheckedRecord> {
  const { hooks, validators } = call.entry;
  if (hooks.before_upsert !== undefined) refuseProblems(recordProblems(validators.upsert, sent, "types"));
  const record = await runHook(hooks.before_upsert, { ...sent }, work.context);
  refuseProblems(recordProblems(validators.upsert, record, "complete"));
  return storedForm(call.model, record, call.services.hashPassword);
}

async function write(call: Call, grant: Grant, work: Work, record: CheckedRecord): Promise<string> {
  const key = decidingKey(call.model, record);
  if (key === undefined) {
    throw invalid([
      { field: "data", message: "holds no unique key that could tell whether the record exists" },
    ]);
  }
  const byNumber = key[0] === "id" && call.model.id === "bigint";
  return byNumber ? updateById(call, grant, work, record) : upsertByKey(call, grant, work, record, key);
}

/** Numbers are made by the database alone, so a record with an unknown one is not inserted: 404. */
async function updateById(call: Call, grant: Grant, work: Work, record: CheckedRecord): Promise<string> {
  const { id, ...data } = record;
  const fields = Object.keys(data).sort();
  const filters = readFilters(call.model, [["id", id]], []);
  await changeRows(call, grant, work, {
    target: { by: "filters", filters },
    deed: { kind: "update", fields },
    sees: "live",
    values: changeValues(call, filters, data, fields),
  });
  return String(id);
}

async function upsertByKey(
  call: Call,
  grant: Grant,
  work: Work,
  record: CheckedRecord,
  key: readonly string[],
): Promise<string> {
  const { model, services } = call;
  const sent = Object.keys(record)
    .filter((name) => name !== "id")
    .sort();
  const plan = planOf(call, grant, `${key.join()} ${sent.join()}`, () =>
    planUpsert({ model, models: services.models, key, sent, insert: grant.insert, update: grant.scope }),
  );
  const values = bindFields(model, withId(call, record), insertColumns(model));
  const [row] = await runPlan(call, work.connection, plan, values);
  const [id, inserted, insertable, dead] = row ?? [];
  if (dead === "t") throw invalid([{ field: "id", message: "belongs to a deleted record" }]);
  if (id == null || (inserted === "t" && insertable !== "t")) {
    throw new ServiceError("PERMISSION_DENIED", "Your role may not write this record.");
  }
  return id;
}

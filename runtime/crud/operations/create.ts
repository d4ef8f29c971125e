import type { Grant } from "../../access/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { Answer } from "../../http/envelope.ts";
import { columnsOf } from "../../model/index.ts";
import { type Call, planOf, runPlan } from "../call.ts";
import type { BulkInput, RecordInput } from "../input/body-input.ts";
import type { CrudOperation } from "../route.ts";
import { insertColumns, insertOne } from "../statements/insert.ts";
import { bindFields, type CheckedRecord } from "../values/records.ts";
import { pick, rowWriter } from "../values/rows-json.ts";
import { createMany } from "./create-many.ts";
import { answerAfter, mutate, type Work } from "./mutation.ts";
import { recordToCreate } from "./new-record.ts";

/** Creates one record and answers it, or many and answers a report (contract: "CRUD", rule 4). */
export const create: CrudOperation<"create", RecordInput | BulkInput> = {
  operation: "create",
  run(call, grant, input) {
    if ("records" in input) return createMany(call, grant, input.records);
    const { hooks } = call.entry;
    const atomic = hooks.before_create !== undefined || hooks.after_create !== undefined;
    return mutate(call, atomic, async (work) => {
      const record = await recordToCreate(call, work, input.data);
      return answerAfter(hooks.after_create, work, await insert(call, grant, work, record));
    });
  },
};

async function insert(call: Call, grant: Grant, work: Work, record: CheckedRecord): Promise<Answer> {
  const { model, view, services } = call;
  const plan = planOf(call, grant, "one", () =>
    insertOne(model, services.models, grant.insert, view.readable),
  );
  const [row] = await runPlan(call, work.connection, plan, bindFields(model, record, insertColumns(model)));
  if (row === undefined) throw new ServiceError("PERMISSION_DENIED", "Your role may not create this record.");
  const write = rowWriter(pick(columnsOf(model), view.readable));
  return { message: `${model.slug} created`, data: write(row) };
}

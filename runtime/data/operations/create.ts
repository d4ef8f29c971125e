import type { TextRow } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Grant } from "../../models/access/index.ts";
import { readsCallerRow } from "../../models/index.ts";
import {
  type BindValue,
  bindFields,
  insertColumns,
  insertOne,
  lockForOne,
  type RowWriter,
  rowWriter,
  writerOf,
} from "../sql/index.ts";
import { createMany } from "./create-many.ts";
import type { BulkInput, RecordInput } from "./input/body-input.ts";
import { levelsOfRecords, lockAnchors } from "./lock-anchors.ts";
import { type Mutation, type MutationScope, type MutationSteps, mutation } from "./mutation.ts";
import { checkNewRecord, recordToStore, withId } from "./new-record.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";
import { written } from "./performed.ts";
import { presetValues } from "./preset-values.ts";

const steps: MutationSteps<RecordInput> = {
  check: (call, { data }) => checkNewRecord(call, data, "create"),
  async perform(call, grant, work, { data }) {
    const { model, entry } = call;
    const presets = await presetValues(call, grant, work);
    const record = withId(call, await recordToStore(call, work, data, "create", presets));
    const values = bindFields(model, record, insertColumns(model));
    const { anchors } = await lockAnchors(call, grant, work, {
      levels: levelsOfRecords(call, grant),
      shape: "one",
      values,
      plan: (level) => lockForOne(model, call.services.models, grant.insert, level),
    });
    const { row, write } = await insert(call, grant, work, values, anchors);
    const answer = { message: `${model.slug} created`, data: write(row) };
    return written(call, entry.hooks.after_create, work, { ids: [row[0] ?? ""], rows: [] }, answer);
  },
};

const createOne = mutation(
  "create",
  steps,
  (call, grant) => readsCallerRow(call.model) || levelsOfRecords(call, grant) > 0,
);

/** Creates one record and answers it, or many and answers a report (contract: "CRUD", rule 4). */
export const create: Mutation<"create", RecordInput, RecordInput | BulkInput> = {
  ...createOne,
  run: (call, grant, input) =>
    "records" in input ? createMany(call, grant, input.records) : createOne.run(call, grant, input),
};

/** A row that was just made, and what writes of it what the role may read. */
interface Inserted {
  /** The id, whether the role may read it or not, and then what it may read. */
  readonly row: TextRow;
  readonly write: RowWriter;
}

async function insert(
  call: OperationContext,
  grant: Grant,
  { connection }: MutationScope,
  values: readonly BindValue[],
  anchors: string | null,
): Promise<Inserted> {
  const { model, view, services } = call;
  const plan = planOf(call, grant, "one", () => {
    const others = view.readable.slice(1 - firstReadable(call));
    return insertOne(model, services.models, grant.insert, ["id", ...others]);
  });
  const [row] = await runPlan(call, connection, plan, values, anchors);
  if (row === undefined) throw new ServiceError("PERMISSION_DENIED", "Your role may not create this record.");
  const write = () => rowWriter(model, view.readable, firstReadable(call), 0);
  return { row, write: writerOf(plan, write) };
}

/** Where the readable columns begin in the row: the id is the first of them, if it is one. */
function firstReadable({ view }: OperationContext): number {
  return view.unreadable.has("id") ? 1 : 0;
}

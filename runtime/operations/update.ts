import { changedJson, changeFields, checkData, checkedChange } from "./change.ts";
import type { BulkInput, ChangeInput } from "./input/body-input.ts";
import { type Mutation, mutation, performed } from "./mutation.ts";
import { updateMany } from "./update-many.ts";

const updateWhere = mutation<"update", ChangeInput>("update", {
  check: (call, { data }) => checkData(call, call.entry.hooks.before_update, data),
  async perform(call, grant, work, input) {
    const { before_update: before, after_update: after } = call.entry.hooks;
    const wanted = await checkedChange(call, work, before, input);
    const changed = await changeFields(call, grant, work, "update", wanted);
    const answer = { message: `${call.model.slug} updated`, data: changedJson(call, "updated", changed) };
    return performed(after, work, changed, answer);
  },
});

/** Changes the rows that match `where`, or each record of a list by its id (contract: "CRUD", rule 3). */
export const update: Mutation<"update", ChangeInput, ChangeInput | BulkInput> = {
  ...updateWhere,
  run: (call, grant, input) =>
    "records" in input ? updateMany(call, grant, input.records) : updateWhere.run(call, grant, input),
};

import { changedJson, changeFields, checkData, checkedChange } from "./change.ts";
import type { BulkInput, ChangeInput } from "./input/body-input.ts";
import { type Mutation, mutation } from "./mutation.ts";
import { changed } from "./performed.ts";
import { updateMany } from "./update-many.ts";

const updateWhere = mutation<"update", ChangeInput>("update", {
  check: (call, { data }) => checkData(call, call.entry.hooks.before_update, data),
  async perform(call, grant, work, input) {
    const checked = checkedChange(call, grant, work, "update", input);
    const wanted = checked instanceof Promise ? await checked : checked;
    const done = await changeFields(call, grant, work, "update", wanted);
    const answer = { message: `${call.model.slug} updated`, data: changedJson(call, "updated", done) };
    return changed(call, call.entry.hooks.after_update, work, done, answer, wanted.touched);
  },
});

/** Changes the rows that match `where`, or each record of a list by its id (contract: "CRUD", rule 3). */
export const update: Mutation<"update", ChangeInput, ChangeInput | BulkInput> = {
  ...updateWhere,
  run: (call, grant, input) =>
    "records" in input ? updateMany(call, grant, input.records) : updateWhere.run(call, grant, input),
};

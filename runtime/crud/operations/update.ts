import type { BulkInput, ChangeInput } from "../input/body-input.ts";
import type { CrudOperation } from "../route.ts";
import { changedJson, changeRows, changeValues, checkedChange } from "./change.ts";
import { answerAfter, mutate } from "./mutation.ts";
import { updateMany } from "./update-many.ts";

/** Changes the rows that match `where`, or each record of a list by its id (contract: "CRUD", rule 3). */
export const update: CrudOperation<"update", ChangeInput | BulkInput> = {
  operation: "update",
  run(call, grant, input) {
    if ("records" in input) return updateMany(call, grant, input.records);
    const { hooks } = call.entry;
    const atomic = hooks.before_update !== undefined || hooks.after_update !== undefined;
    return mutate(call, atomic, async (work) => {
      const { filters, data } = await checkedChange(call, work, hooks.before_update, input);
      const fields = Object.keys(data).sort();
      const ids = await changeRows(call, grant, work, {
        target: { by: "filters", filters },
        deed: { kind: "update", fields },
        sees: "live",
        values: changeValues(call, filters, data, fields),
      });
      const answer = { message: `${call.model.slug} updated`, data: changedJson(call, "updated", ids) };
      return answerAfter(hooks.after_update, work, answer);
    });
  },
};

import { ServiceError } from "../../errors/index.ts";
import type { ChangeInput } from "../input/body-input.ts";
import type { CrudOperation } from "../route.ts";
import { changedJson, changeRows, changeValues, checkedChange } from "./change.ts";
import { answerAfter, mutate } from "./mutation.ts";

/** Brings soft-deleted rows back, with further changes where `data` holds any. */
export const restore: CrudOperation<"restore", ChangeInput> = {
  operation: "restore",
  run(call, grant, input) {
    const { hooks } = call.entry;
    const atomic = hooks.before_restore !== undefined || hooks.after_restore !== undefined;
    return mutate(call, atomic, async (work) => {
      const wanted = { filters: input.filters, data: withoutDeletedAt(input.data) };
      const { filters, data } = await checkedChange(call, work, hooks.before_restore, wanted);
      const fields = Object.keys(data).sort();
      const ids = await changeRows(call, grant, work, {
        target: { by: "filters", filters },
        deed: { kind: "restore", fields },
        sees: "deleted",
        values: changeValues(call, filters, data, fields),
      });
      const answer = { message: `${call.model.slug} restored`, data: changedJson(call, "restored", ids) };
      return answerAfter(hooks.after_restore, work, answer);
    });
  },
};

/** `deleted_at: null` says what a restore does anyway; no other value of it makes sense. */
function withoutDeletedAt({ deleted_at, ...data }: ChangeInput["data"]): ChangeInput["data"] {
  if (deleted_at === undefined || deleted_at === null) return data;
  throw new ServiceError("VALIDATION_ERROR", "deleted_at: can only be null", { field: "deleted_at" });
}

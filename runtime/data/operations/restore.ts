import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../../core/errors/index.ts";
import { changedJson, changeFields, checkData, checkedChange } from "./change.ts";
import type { ChangeInput } from "./input/body-input.ts";
import { mutation } from "./mutation.ts";
import { changed } from "./performed.ts";
import { noSuchRecord } from "./touched-rows.ts";

/** What a restore is asked for. */
export interface RestoreInput extends ChangeInput {
  /** How many rows the filters name by their ids, none of which may be missing. */
  readonly named?: number;
}

/** Brings soft-deleted rows back, with further changes where `data` holds any. */
export const restore = mutation<"restore", RestoreInput>("restore", {
  check: (call, { data }) => checkData(call, call.entry.hooks.before_restore, withoutDeletedAt(data)),
  async perform(call, grant, work, { filters, data, named = 0 }) {
    const sent = { filters, data: withoutDeletedAt(data) };
    const wanted = await checkedChange(call, grant, work, "restore", sent);
    const done = await changeFields(call, grant, work, "restore", wanted);
    // What the hook has left out is not missing.
    const isAsSent = isDeepStrictEqual(wanted.filters, filters);
    if (isAsSent && done.ids.length < named) throw noSuchRecord();
    const answer = { message: `${call.model.slug} restored`, data: changedJson(call, "restored", done) };
    return changed(call, call.entry.hooks.after_restore, work, done, answer, wanted.touched);
  },
});

/** `deleted_at: null` says what a restore does anyway; no other value of it makes sense. */
function withoutDeletedAt({ deleted_at, ...data }: ChangeInput["data"]): ChangeInput["data"] {
  if (deleted_at === undefined || deleted_at === null) return data;
  throw new ServiceError("VALIDATION_ERROR", "deleted_at: can only be null", { field: "deleted_at" });
}

import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../../core/errors/index.ts";
import { parseStored } from "../../core/text/index.ts";
import { type Removal, runHook } from "../../hooks/index.ts";
import type { Grant } from "../../models/access/index.ts";
import type { AnyTypes } from "../../models/index.ts";
import { idJson } from "../sql/index.ts";
import { fromHook, readAppRemoval } from "./app-input.ts";
import {
  type Change,
  changeFields,
  changeResultJson,
  changeRows,
  changesAtomically,
  checkData,
  checkedChange,
} from "./change-rows.ts";
import { writeWhere } from "./filters.ts";
import { MatchedRows, recordNotFound, targetOf } from "./matched-rows.ts";
import { type Changed, changed, type MutationScope, mutation, withRows } from "./mutation.ts";
import type { OperationContext } from "./operation-context.ts";
import { presetValues } from "./presets.ts";
import type { ChangeInput, RemovalInput } from "./request-input.ts";

/** Soft-deletes rows if the model supports it, else removes them. */
export const remove = mutation<"delete", RemovalInput>("delete", {
  check: nothingToCheck,
  async execute(call, grant, work, input, text) {
    const wanted = await applyBeforeHook(call, grant, work, "delete", input);
    const kind = call.model.softDelete ? "soft-delete" : "remove";
    const how = { write: { kind }, sees: seenBy.delete, text } as const;
    const removed = await removeRows(call, grant, work, wanted, how);
    const answer = {
      message: `${call.model.slug} deleted`,
      data: changeResultJson(call, "deleted", removed),
    };
    return changed(call, call.entry.hooks.after_delete, work, removed, answer, wanted.matched);
  },
});

/** Removes rows permanently, soft-deleted ones too. */
export const destroy = mutation<"destroy", RemovalInput>("destroy", {
  check: nothingToCheck,
  async execute(call, grant, work, input, text) {
    const wanted = await applyBeforeHook(call, grant, work, "destroy", input);
    const how = { write: { kind: "remove" }, sees: seenBy.destroy, text } as const;
    const removed = await removeRows(call, grant, work, wanted, how);
    const answer = {
      message: `${call.model.slug} destroyed`,
      data: changeResultJson(call, "destroyed", removed),
    };
    return changed(call, call.entry.hooks.after_destroy, work, removed, answer, wanted.matched);
  },
});

const seenBy = { delete: "live", destroy: "all" } as const;

/** Filters and ids were checked when they were read. */
function nothingToCheck(): void {}

/** The rows to remove, and those that the before-hook has read. */
interface Removed {
  readonly input: RemovalInput;
  readonly matched: MatchedRows | null;
}

function removeRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  { input, matched }: Removed,
  how: Pick<Change, "write" | "sees" | "text">,
): Promise<Changed> {
  const { target, values } = targetOf(input);
  const pinned = matched?.pinned(target) ?? null;
  return changeRows(call, grant, work, { target, values, pinned, ...how });
}

async function applyBeforeHook(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  operation: "delete" | "destroy",
  input: RemovalInput,
): Promise<Removed> {
  const { [`before_${operation}` as const]: hook } = call.entry.hooks;
  if (hook === undefined) return { input, matched: null };
  const sent: Removal<AnyTypes> =
    "ids" in input
      ? { ids: input.ids.map((id) => parseStored(idJson(call.model, String(id)))) }
      : { where: writeWhere(input.filters) };
  const { bulkLimit } = call.services;
  const read = (given: unknown) =>
    fromHook(hook, given, (removal, problems) => readAppRemoval(call.model, bulkLimit, removal, problems));
  const matched = new MatchedRows();
  const scope = withRows(call, grant, work, matched, seenBy[operation], () => targetOf(read(sent)));
  return { input: read(await runHook(hook, sent, scope)), matched };
}

/** The input of a restore. */
export interface RestoreInput extends ChangeInput {
  /** The number of ids in the filters; all of them must exist. */
  readonly named?: number;
}

/** Undeletes soft-deleted rows, and updates them if `data` is not empty. */
export const restore = mutation<"restore", RestoreInput>(
  "restore",
  {
    check: (call, { data }) => checkData(call, call.entry.hooks.before_restore, withoutDeletedAt(data)),
    async execute(call, grant, work, { filters, data, named = 0 }, text) {
      const presets = await presetValues(call, grant, work, "change");
      const sent = { filters, data: withoutDeletedAt(data), presets };
      const wanted = await checkedChange(call, grant, work, "restore", sent);
      const done = await changeFields(call, grant, work, "restore", wanted, text);
      // Rows that the hook has excluded are not missing.
      const isAsSent = isDeepStrictEqual(wanted.filters, filters);
      if (isAsSent && done.ids.length < named) throw recordNotFound();
      const answer = {
        message: `${call.model.slug} restored`,
        data: changeResultJson(call, "restored", done),
      };
      return changed(call, call.entry.hooks.after_restore, work, done, answer, wanted.matched);
    },
  },
  changesAtomically,
);

/** `deleted_at: null` is what a restore does anyway; other values make no sense. */
function withoutDeletedAt({ deleted_at, ...data }: ChangeInput["data"]): ChangeInput["data"] {
  if (deleted_at === undefined || deleted_at === null) return data;
  throw new ServiceError("VALIDATION_ERROR", "deleted_at: can only be null", { field: "deleted_at" });
}

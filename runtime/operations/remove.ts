import type { Grant } from "../access/index.ts";
import type { MutationContext } from "../context/index.ts";
import { type AnyTypes, type Hook, type Removal, runHook } from "../hooks/index.ts";
import { idJson } from "../sql/index.ts";
import { type Change, changedJson, changeRows } from "./change.ts";
import type { RemovalInput } from "./input/body-input.ts";
import { fromHook, readHookRemoval } from "./input/hook-input.ts";
import { writeWhere } from "./input/write-where.ts";
import { type Changed, type MutationScope, mutation, performed } from "./mutation.ts";
import type { OperationContext } from "./operation-context.ts";

/** Hides rows on a soft-delete model, removes them on any other (decisions, part 5). */
export const remove = mutation<"delete", RemovalInput>("delete", {
  check: nothingToCheck,
  async perform(call, grant, work, input, text) {
    const { before_delete: before, after_delete: after } = call.entry.hooks;
    const wanted = await applyBeforeHook(call, work, before, input);
    const kind = call.model.softDelete ? "soft-delete" : "remove";
    const removed = await removeRows(call, grant, work, wanted, { write: { kind }, sees: "live", text });
    const answer = { message: `${call.model.slug} deleted`, data: changedJson(call, "deleted", removed) };
    return performed(after, work, removed, answer);
  },
});

/** Removes rows for good, soft-deleted ones too. */
export const destroy = mutation<"destroy", RemovalInput>("destroy", {
  check: nothingToCheck,
  async perform(call, grant, work, input, text) {
    const { before_destroy: before, after_destroy: after } = call.entry.hooks;
    const wanted = await applyBeforeHook(call, work, before, input);
    const removed = await removeRows(call, grant, work, wanted, {
      write: { kind: "remove" },
      sees: "all",
      text,
    });
    const answer = { message: `${call.model.slug} destroyed`, data: changedJson(call, "destroyed", removed) };
    return performed(after, work, removed, answer);
  },
});

/** Filters and ids were checked as they were read. */
function nothingToCheck(): void {}

function removeRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  input: RemovalInput,
  how: Pick<Change, "write" | "sees" | "text">,
): Promise<Changed> {
  if ("ids" in input) {
    const values = [input.ids.map(String), input.ids.length];
    return changeRows(call, grant, work, { target: { by: "ids" }, values, ...how });
  }
  const { filters } = input;
  const values = filters.map((filter) => filter.value);
  return changeRows(call, grant, work, { target: { by: "filters", filters }, values, ...how });
}

/** What is to be removed once the before-hook has seen it. */
async function applyBeforeHook(
  call: OperationContext,
  work: MutationScope,
  hook: Hook<Removal<AnyTypes>, MutationContext> | undefined,
  input: RemovalInput,
): Promise<RemovalInput> {
  if (hook === undefined) return input;
  const sent: Removal<AnyTypes> =
    "ids" in input
      ? { ids: input.ids.map((id) => JSON.parse(idJson(call.model.id, String(id)))) }
      : { where: writeWhere(input.filters) };
  const wanted = await runHook(hook, sent, work);
  const { bulkLimit } = call.services;
  return fromHook(hook, wanted, (given, problems) => readHookRemoval(call.model, bulkLimit, given, problems));
}

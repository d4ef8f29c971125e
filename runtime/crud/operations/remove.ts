import type { Grant } from "../../access/index.ts";
import { type Problem, refuseProblems } from "../../errors/index.ts";
import type { AnyTypes, Hook, Id, MutationContext, Removal } from "../../model/index.ts";
import { runHook } from "../../model/index.ts";
import type { Call } from "../call.ts";
import { type RemovalInput, readIds, readWhere } from "../input/body-input.ts";
import { writeWhere } from "../input/filters.ts";
import type { CrudOperation } from "../route.ts";
import type { Deed } from "../statements/change.ts";
import type { Visibility } from "../statements/where.ts";
import { idJson } from "../values/rows-json.ts";
import { changedJson, changeRows } from "./change.ts";
import { answerAfter, mutate, type Work } from "./mutation.ts";

/** Hides rows on a soft-delete model, removes them on any other (decisions, part 5). */
export const remove: CrudOperation<"delete", RemovalInput> = {
  operation: "delete",
  run(call, grant, input) {
    const { before_delete: before, after_delete: after } = call.entry.hooks;
    return mutate(call, before !== undefined || after !== undefined, async (work) => {
      const deed: Deed = { kind: call.model.softDelete ? "soft-delete" : "remove" };
      const ids = await removeRows(call, grant, work, await asked(call, work, before, input), deed, "live");
      const answer = { message: `${call.model.slug} deleted`, data: changedJson(call, "deleted", ids) };
      return answerAfter(after, work, answer);
    });
  },
};

/** Removes rows for good, soft-deleted ones too. */
export const destroy: CrudOperation<"destroy", RemovalInput> = {
  operation: "destroy",
  run(call, grant, input) {
    const { before_destroy: before, after_destroy: after } = call.entry.hooks;
    return mutate(call, before !== undefined || after !== undefined, async (work) => {
      const wanted = await asked(call, work, before, input);
      const ids = await removeRows(call, grant, work, wanted, { kind: "remove" }, "all");
      const answer = { message: `${call.model.slug} destroyed`, data: changedJson(call, "destroyed", ids) };
      return answerAfter(after, work, answer);
    });
  },
};

function removeRows(
  call: Call,
  grant: Grant,
  work: Work,
  input: RemovalInput,
  deed: Deed,
  sees: Visibility,
): Promise<Id[]> {
  if ("ids" in input) {
    const values = [input.ids.map(String), input.ids.length];
    return changeRows(call, grant, work, { target: { by: "ids" }, deed, sees, values });
  }
  const { filters } = input;
  const values = filters.map((filter) => filter.value);
  return changeRows(call, grant, work, { target: { by: "filters", filters }, deed, sees, values });
}

/** What is to be removed once the before-hook has seen it. */
async function asked(
  call: Call,
  work: Work,
  hook: Hook<Removal<AnyTypes>, MutationContext> | undefined,
  input: RemovalInput,
): Promise<RemovalInput> {
  if (hook === undefined) return input;
  const sent: Removal<AnyTypes> =
    "ids" in input
      ? { ids: input.ids.map((id) => JSON.parse(idJson(call.model.id, String(id)))) }
      : { where: writeWhere(input.filters) };
  const wanted = await runHook(hook, sent, work.context);
  const problems: Problem[] = [];
  const checked =
    "ids" in wanted
      ? { ids: readIds(call.model, wanted.ids, call.services.bulkLimit, problems) }
      : { filters: readWhere(call.model, wanted.where, "where", problems) };
  refuseProblems(problems);
  return checked;
}

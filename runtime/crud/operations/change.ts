import type { Grant } from "../../access/index.ts";
import { type Problem, refuseProblems, ServiceError } from "../../errors/index.ts";
import type { AnyTypes, Hook, Id, MutationContext } from "../../model/index.ts";
import { runHook } from "../../model/index.ts";
import { recordProblems } from "../../validation/index.ts";
import { type Call, planOf, runPlan } from "../call.ts";
import { type ChangeInput, readWhere } from "../input/body-input.ts";
import { type Filter, writeWhere } from "../input/filters.ts";
import { change, type Deed, type Target } from "../statements/change.ts";
import { filtersShape, type Visibility } from "../statements/where.ts";
import type { BindValue } from "../values/kinds.ts";
import { bindFields, type CheckedRecord, storedForm } from "../values/records.ts";
import { idJson } from "../values/rows-json.ts";
import type { Work } from "./mutation.ts";

/** Rows to change, what happens to them, and the values of the statement in its order. */
export interface Change {
  readonly target: Target;
  readonly deed: Deed;
  readonly sees: Visibility;
  readonly values: readonly BindValue[];
}

/**
 * Changes the rows of a target, or none. Errors: 404 `NOT_FOUND` where nothing matches or an id is missing, 403
 * `PERMISSION_DENIED` where a row is out of reach.
 */
export async function changeRows(call: Call, grant: Grant, work: Work, wanted: Change): Promise<Id[]> {
  const { model, services } = call;
  const { target, deed, sees } = wanted;
  const plan = planOf(call, grant, shapeOf(wanted), () =>
    change({ model, models: services.models, target, deed, scope: grant.scope, sees }),
  );
  const rows = await runPlan(call, work.connection, plan, wanted.values);
  const [found = "0", allowed = "t"] = rows[0] ?? [];
  const missing = target.by === "ids" ? Number(wanted.values[1]) - Number(found) : found === "0" ? 1 : 0;
  if (missing > 0) throw new ServiceError("NOT_FOUND", `No such ${model.slug}.`);
  if (allowed !== "t") throw new ServiceError("PERMISSION_DENIED", "Your role may not change these records.");
  const ids: Id[] = rows.flatMap(([, , id]) => (id == null ? [] : [JSON.parse(idJson(model.id, id))]));
  return ids.length > 1 ? ids.sort((a, b) => (a < b ? -1 : 1)) : ids;
}

function shapeOf({ target, deed }: Change): string {
  const fields = "fields" in deed ? deed.fields.join() : "";
  return `${deed.kind} ${target.by === "ids" ? "ids" : filtersShape(target.filters)} ${fields}`;
}

/** `{<done>_count, <done>_ids}`; a role that may not read ids gets none. */
export function changedJson({ view }: Call, done: string, ids: readonly Id[]): string {
  return JSON.stringify({
    [`${done}_count`]: ids.length,
    [`${done}_ids`]: view.unreadable.has("id") ? [] : ids,
  });
}

type WhereAndData = { where: Record<string, unknown>; data: Record<string, unknown> };

/** The filters and the checked data of an update or restore, as the before-hook leaves them. */
export async function checkedChange(
  call: Call,
  work: Work,
  hook: Hook<{ where: AnyTypes["where"]; data: AnyTypes["update"] }, MutationContext> | undefined,
  input: ChangeInput,
): Promise<{ filters: readonly Filter[]; data: CheckedRecord }> {
  const { update } = call.entry.validators;
  refuseProblems(recordProblems(update, input.data, hook === undefined ? "partial" : "types"));
  if (hook === undefined) return { filters: input.filters, data: await hashed(call, input.data) };
  const sent: WhereAndData = { where: writeWhere(input.filters), data: { ...input.data } };
  const { where, data } = await runHook(hook, sent, work.context);
  const problems: Problem[] = recordProblems(update, data, "partial");
  const filters = readWhere(call.model, where, "where", problems);
  refuseProblems(problems);
  return { filters, data: await hashed(call, data) };
}

function hashed(call: Call, data: CheckedRecord): Promise<CheckedRecord> {
  return storedForm(call.model, data, call.services.hashPassword);
}

/** The values of a change by filters: those of the filters, then those of the fields. */
export function changeValues(
  { model }: Call,
  filters: readonly Filter[],
  data: CheckedRecord,
  fields: readonly string[],
): BindValue[] {
  return [...filters.map((filter) => filter.value), ...bindFields(model, data, fields)];
}

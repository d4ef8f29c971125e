import type { JsonObject } from "../../../vocabulary/json.ts";
import { type Awaitable, andThen } from "../../core/concurrency/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { refuseProblems } from "../../core/errors/index.ts";
import { type AnyHooks, runHook } from "../../hooks/index.ts";
import type { Grant } from "../../models/access/index.ts";
import { type Model, readsCallerRow } from "../../models/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import {
  type BindValue,
  bindFields,
  type CheckedRecord,
  change,
  type Filter,
  idJson,
  lockTargets,
  type MutationTarget,
  requireStorable,
  responseValues,
  storedForm,
  storedOnce,
  targetShape,
  type Visibility,
  type WriteKind,
} from "../sql/index.ts";
import { fromHook, readAppChange } from "./app-input.ts";
import { writeWhere } from "./filters.ts";
import { MatchedRows, recordNotFound, targetOf, writeForbidden } from "./matched-rows.ts";
import {
  type Changed,
  lockParents,
  type MutationScope,
  type Returning,
  rowLockLevels,
  withRows,
} from "./mutation.ts";
import { hasherOf, type OperationContext, planOf, runPlan } from "./operation-context.ts";
import { type PresetValues, requirePresets, withPresets } from "./presets.ts";
import type { ChangeInput } from "./request-input.ts";

/** A change of rows, with the bound values of its statement. */
export interface Change {
  readonly target: MutationTarget;
  readonly write: WriteKind;
  readonly sees: Visibility;
  readonly values: readonly BindValue[];
  readonly text?: Returning | undefined;
  /** The ids of the rows that the before-hook has read; null if it has read none. */
  readonly pinned?: readonly string[] | null;
}

/**
 * Changes all matched rows of a target, or none. Errors: 404 `NOT_FOUND` if no row matches or an id is
 * missing, 403 `PERMISSION_DENIED` if the caller may not write a matched row.
 */
export async function changeRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  wanted: Change,
): Promise<Changed> {
  const { model, view, services } = call;
  const { target, write, sees, text, pinned = null } = wanted;
  const { models } = services;
  const shape = { model, models, target, write, scope: grant.scope, fetches: view.fetches, sees };
  const locking = lockParents(call, grant, work, {
    levels: rowLockLevels(call, grant),
    shape: shapeOf(wanted, undefined),
    values: wanted.values,
    pinned,
    plan: (level, locked) => lockTargets({ ...shape, locked }, level),
  });
  const { ids, parents } = locking instanceof Promise ? await locking : locking;
  const locked = ids !== null;
  const values = locked ? [...wanted.values, ids] : wanted.values;
  const plan = planOf(call, grant, shapeOf(wanted, text), () => {
    const textOf = text && ((alias: string) => text.sql(alias, values.length));
    return change({ ...shape, locked, text: textOf });
  });
  const all = text === undefined ? values : [...values, ...text.values];
  const rows = await runPlan(
    call,
    work.connection,
    plan,
    all,
    parents,
    target.by === "filters" ? target : undefined,
  );
  const [found = "0", allowed = "t"] = rows[0] ?? [];
  const missing = target.by === "ids" ? Number(values[1]) - Number(found) : found === "0" ? 1 : 0;
  if (missing > 0) throw recordNotFound();
  if (allowed !== "t") throw writeForbidden();
  return changedRows(model, rows);
}

function changedRows(model: Model, rows: readonly TextRow[]): Changed {
  const changed: { readonly id: string; readonly text: string | null | undefined }[] = [];
  for (const [, , id, text] of rows) if (id != null) changed.push({ id, text });
  const numeric = model.id === "bigint" || model.id === "int64";
  changed.sort((a, b) => (numeric ? Number(BigInt(a.id) - BigInt(b.id)) : a.id < b.id ? -1 : 1));
  return { ids: changed.map(({ id }) => id), rows: changed.flatMap(({ text }) => text ?? []) };
}

function shapeOf({ target, write, pinned = null }: Change, text: Returning | undefined): string {
  const fields = "fields" in write ? write.fields.join() : "";
  const asked = text === undefined ? "" : ` -> ${text.shape}`;
  return `${write.kind} ${targetShape(target)} ${fields}${pinned === null ? "" : " pinned"}${asked}`;
}

/** `{<done>_count, <done>_ids}`; without ids if the role may not read them. */
export function changeResultJson({ model, view }: OperationContext, done: string, { ids }: Changed): string {
  const shown = view.unreadable.has("id") ? [] : ids.map((id) => idJson(model, id));
  return `{"${done}_count":${ids.length},"${done}_ids":[${shown.join()}]}`;
}

/** Validates the data of an update or restore; only the types if a before-hook can still change it. */
export function checkData({ entry }: OperationContext, hook: unknown, data: JsonObject): void {
  const strictness = hook === undefined ? "partial" : "types";
  refuseProblems(recordProblems(entry.validators.update, data, strictness));
}

type WhereAndData = { where: Record<string, unknown>; data: Record<string, unknown> };

/** An update or restore after its before-hook, and the rows that the hook has read. */
interface CheckedChange {
  readonly filters: readonly Filter[];
  readonly data: CheckedRecord;
  readonly matched: MatchedRows | null;
}

/** The input of an update or restore, and the presets of the write. */
interface ChangeWithPresets extends ChangeInput {
  readonly presets: PresetValues;
}

/** Sets the presets of an update or restore, runs its before-hook, and validates its data. */
export function checkedChange(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  kind: "update" | "restore",
  input: ChangeWithPresets,
): Awaitable<CheckedChange> {
  const { model, entry } = call;
  const { filters, data: sent, presets } = input;
  const { [`before_${kind}` as const]: hook } = entry.hooks;
  checkData(call, hook, sent);
  if (hook !== undefined) return changeOfHook(hook, call, grant, work, kind, input);
  requirePresets(call, "change", sent, withPresets(sent, presets));
  const stored = storedOnce(model, sent, hasherOf(call));
  return andThen(stored, (data) => ({ filters, data: withPresets(data, presets), matched: null }));
}

async function changeOfHook(
  hook: NonNullable<AnyHooks[`before_${"update" | "restore"}`]>,
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  kind: "update" | "restore",
  input: ChangeWithPresets,
): Promise<CheckedChange> {
  const { model, entry } = call;
  requireStorable(model, input.data);
  const sent: WhereAndData = {
    where: writeWhere(input.filters),
    data: structuredClone(responseValues(model, withPresets(input.data, input.presets))),
  };
  const read = (given: unknown) =>
    fromHook(hook, given, (change, problems) => readAppChange(model, change, problems));
  const matched = new MatchedRows();
  const target = () => targetOf({ filters: read(sent).filters });
  const given = await runHook(hook, sent, withRows(call, grant, work, matched, seenBy[kind], target));
  const { filters, data } = read(given);
  requirePresets(call, "change", input.data, data);
  refuseProblems(recordProblems(entry.validators.update, data, "partial"));
  return { filters, data: await storedForm(model, data, hasherOf(call)), matched };
}

const seenBy = { update: "live", restore: "deleted" } as const;

/** Whether an update or restore needs a transaction without hooks: it takes more than one statement. */
export function changesAtomically(call: OperationContext, grant: Grant): boolean {
  return readsCallerRow(call.model, "change") || rowLockLevels(call, grant) > 0;
}

/** Updates the rows that match the filters; a restore also undeletes them. */
export function changeFields(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  kind: "update" | "restore",
  { filters, data, matched }: CheckedChange,
  text: Returning | undefined,
): Promise<Changed> {
  const fields = Object.keys(data).sort();
  const { target, values } = targetOf({ filters });
  return changeRows(call, grant, work, {
    target,
    write: { kind, fields },
    sees: seenBy[kind],
    values: [...values, ...bindFields(call.model, data, fields)],
    text,
    pinned: matched?.pinned(target) ?? null,
  });
}

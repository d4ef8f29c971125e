import { isDeepStrictEqual } from "node:util";
import type { Claim } from "../../../vocabulary/conditions/conditions.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Grant } from "../../models/access/index.ts";
import { columnsOf, type PresetField, type PresetMoment, presetsOf } from "../../models/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import { type CheckedRecord, kinds, responseValues, selectCaller } from "../sql/index.ts";
import type { MutationScope } from "./mutation.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";

/** The values of presets in one write, as in the API. NULLs of presets on create are left out. */
export type PresetValues = CheckedRecord;

const none: PresetValues = Object.freeze({});

/**
 * Computes the presets once for all records of a write. If they use columns of the caller, one statement
 * reads the row. A retry of the transaction computes them again.
 */
export function presetValues(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  moment: PresetMoment,
): Awaitable<PresetValues> {
  const presets = presetsOf(call.model)[moment];
  return presets.fields.length === 0 ? none : valuesOf(presets, call, grant, work);
}

type Presets = ReturnType<typeof presetsOf>[PresetMoment];

async function valuesOf(
  { fields, callerColumns }: Presets,
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
): Promise<PresetValues> {
  const ofCaller = await callerRow(callerColumns, call, grant, work);
  const now = new Date().toISOString();
  const entries = fields.flatMap((field): [string, Json][] => {
    const value = presetValue(field, call, ofCaller, now);
    const fitting = value !== null && fits(call, field, value) ? value : null;
    // A write to an existing row replaces the value of the caller before.
    return fitting === null && !field.onWrite ? [] : [[field.name, fitting]];
  });
  // The form that hooks see, so that an unchanged value compares as equal.
  return responseValues(call.model, Object.fromEntries(entries));
}

/** Values by column; empty for a guest and for a caller without a row. */
async function callerRow(
  names: readonly string[],
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
): Promise<ReadonlyMap<string, Json>> {
  const { principal, services } = call;
  if (names.length === 0 || principal.user_id === null) return new Map();
  const users = services.models.get("users");
  if (users === undefined) throw new Error("there are no users");
  const plan = planOf(call, grant, "caller", () => selectCaller(users, names));
  const [row = []] = await runPlan(call, work.connection, plan, []);
  const columns = columnsOf(users);
  return new Map(
    names.flatMap((name, index): [string, Json][] => {
      const [kind, text] = [columns.get(name)?.kind, row[index]];
      return kind === undefined || text == null ? [] : [[name, JSON.parse(kinds[kind].toJson(text))]];
    }),
  );
}

function presetValue(
  { kind, preset }: PresetField,
  { principal }: OperationContext,
  ofCaller: ReadonlyMap<string, Json>,
  now: string,
): Json {
  if ("user" in preset) return ofCaller.get(preset.user) ?? null;
  if (preset.placeholder === "now") return kind === "date" ? now.slice(0, "2026-01-31".length) : now;
  return claimValue(principal[preset.placeholder], kind);
}

/** A claim as a value of a kind; null if it is absent, empty or invalid. */
function claimValue(claim: OperationContext["principal"][Claim], kind: PresetField["kind"]): Json {
  if (claim === null || claim === "") return null;
  const value = kinds[kind].parse(claim);
  return value === undefined ? null : JSON.parse(kinds[kind].toJson(String(value)));
}

/** Whether a caller could send the value: type, enum, bounds, lengths and pattern. */
function fits({ entry }: OperationContext, { name }: PresetField, value: Json): boolean {
  return recordProblems(entry.validators.create, { [name]: value }, "partial").length === 0;
}

/** Adds the presets of fields that were not sent. */
export function withPresets(sent: CheckedRecord, presets: PresetValues): CheckedRecord {
  return presets === none ? sent : { ...presets, ...sent };
}

/**
 * Rejects, as 403 `PERMISSION_DENIED`, a record without a required preset after its hook. A null that the
 * caller may send is validated like any other value.
 */
export function requirePresets(
  { model }: OperationContext,
  moment: PresetMoment,
  sent: CheckedRecord,
  record: CheckedRecord,
): void {
  const missing = presetsOf(model)[moment].fields.find(({ name, required }) => {
    const value = own(record, name);
    // A change without the field keeps the stored value.
    const isNull = moment === "create" ? value == null : value === null;
    return required && isNull && own(sent, name) !== null;
  });
  if (missing === undefined) return;
  const message = `The field ${missing.name} is set from your account, which has no value for it.`;
  throw new ServiceError("PERMISSION_DENIED", message, { field: missing.name });
}

/** A field can be named `constructor`, which every object inherits. */
function own(record: CheckedRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * The presets on create that neither the caller nor the hook changed. An upsert does not write them to an
 * existing row.
 */
export function untouchedPresets(
  { model }: OperationContext,
  presets: PresetValues,
  sent: CheckedRecord,
  record: CheckedRecord,
): ReadonlySet<string> {
  const names = presetsOf(model)
    .create.fields.filter(
      ({ name, onWrite }) =>
        !onWrite &&
        Object.hasOwn(presets, name) &&
        !Object.hasOwn(sent, name) &&
        isDeepStrictEqual(own(record, name), presets[name]),
    )
    .map(({ name }) => name);
  return new Set(names);
}

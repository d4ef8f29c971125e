import { isDeepStrictEqual } from "node:util";
import type { Claim } from "../../../vocabulary/conditions/conditions.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Grant } from "../../models/access/index.ts";
import { columnsOf, type PresetField, presetsOf } from "../../models/index.ts";
import { recordProblems } from "../../models/validation/index.ts";
import { answeredForm, type CheckedRecord, kinds, selectCaller } from "../sql/index.ts";
import type { MutationScope } from "./mutation.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";

/** What the presets of a model come to in one write, as the API has it. Those that are NULL are not there. */
export type PresetValues = CheckedRecord;

const none: PresetValues = Object.freeze({});

/**
 * Finds what the presets of a model come to, once for all records of a write (decisions, part 4). Where some are columns of the
 * caller, one statement reads the row: the transaction may run again, and reads it anew.
 */
export function presetValues(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
): Awaitable<PresetValues> {
  const { fields } = presetsOf(call.model);
  return fields.length === 0 ? none : valuesOf(fields, call, grant, work);
}

async function valuesOf(
  fields: readonly PresetField[],
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
): Promise<PresetValues> {
  const ofCaller = await callerRow(call, grant, work);
  const now = new Date().toISOString();
  const entries = fields.flatMap((field): [string, Json][] => {
    const value = presetValue(field, call, ofCaller, now);
    return value === null || !fits(call, field, value) ? [] : [[field.name, value]];
  });
  // As hooks see them, so that one that a hook leaves is the same afterwards.
  return answeredForm(call.model, Object.fromEntries(entries));
}

/** By name; none for a guest and for a caller without a row. */
async function callerRow(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
): Promise<ReadonlyMap<string, Json>> {
  const { model, principal, services } = call;
  const { callerColumns: names } = presetsOf(model);
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

/** A claim as a value of a kind; null where it is absent, empty or none of it. */
function claimValue(claim: OperationContext["principal"][Claim], kind: PresetField["kind"]): Json {
  if (claim === null || claim === "") return null;
  const value = kinds[kind].parse(claim);
  return value === undefined ? null : JSON.parse(kinds[kind].toJson(String(value)));
}

/** Whether a caller who may send the field could send the value: type, enum, bounds, lengths and pattern. */
function fits({ entry }: OperationContext, { name }: PresetField, value: Json): boolean {
  return recordProblems(entry.validators.create, { [name]: value }, "partial").length === 0;
}

/** A record with the presets of the fields that were not sent; the record itself where there are none. */
export function withPresets(sent: CheckedRecord, presets: PresetValues): CheckedRecord {
  return presets === none ? sent : { ...presets, ...sent };
}

/**
 * Refuses, as 403 `PERMISSION_DENIED`, a record that lacks a required preset once its hook has run. A null that the caller may send,
 * and sent, is checked as any other value.
 */
export function requirePresets(
  { model }: OperationContext,
  sent: CheckedRecord,
  record: CheckedRecord,
): void {
  const missing = presetsOf(model).fields.find(
    ({ name, required }) => required && own(record, name) == null && own(sent, name) !== null,
  );
  if (missing === undefined) return;
  const message = `The field ${missing.name} is set from your account, which has nothing that fits.`;
  throw new ServiceError("PERMISSION_DENIED", message, { field: missing.name });
}

/** Of the fields that a record holds by itself: one may be called `constructor`. */
function own(record: CheckedRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The fields that hold what the server set, and neither the caller nor the hook changed: an upsert leaves them as they are in a row that is there. */
export function untouchedPresets(
  presets: PresetValues,
  sent: CheckedRecord,
  record: CheckedRecord,
): ReadonlySet<string> {
  const names = Object.keys(presets).filter(
    (name) => !Object.hasOwn(sent, name) && isDeepStrictEqual(own(record, name), presets[name]),
  );
  return new Set(names);
}

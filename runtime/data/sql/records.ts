import { parseDatetime } from "../../../vocabulary/fields/dates.ts";
import { elementKindOf, type FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import { exactText, type Json } from "../../../vocabulary/json.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import { invalid } from "../../core/errors/index.ts";
import { oncePer } from "../../core/memo/index.ts";
import { hasAnsweredForm } from "../../models/answered-values.ts";
import { type Column, columnsOf, type Model } from "../../models/index.ts";
import { answeredForm, type CheckedRecord } from "./answered-form.ts";
import type { BindValue } from "./kinds.ts";

/** A value of a checked record, ready to bind. */
export function bindable(column: Column, value: unknown): BindValue {
  if (value === null || value === undefined) return null;
  if (column.kind === "json") return exactText(value);
  if (!Array.isArray(value)) return bindableScalar(column, column.kind, value);
  const kind = elementKindOf(column.kind) ?? column.kind;
  return value.map((element: unknown) => bindableScalar(column, kind, element));
}

function bindableScalar({ name }: Column, kind: FieldKind, value: unknown): string | number | boolean {
  if (typeof value === "string") return kind === "datetime" ? (parseDatetime(value) ?? value) : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw new Error(`${name} holds a value that was not checked`);
}

/** The value of a field in a new record: as sent, else its default, else NULL. */
export function sentOrDefault(model: Model, record: CheckedRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  return Object.hasOwn(model.fields, name) ? model.fields[name]?.default : undefined;
}

/** The values of some fields of a record, in their order. */
export function bindFields(model: Model, record: CheckedRecord, names: readonly string[]): BindValue[] {
  const columns = columnsOf(model);
  return names.map((name) => {
    const column = columns.get(name);
    return column === undefined ? null : bindable(column, sentOrDefault(model, record, name));
  });
}

/** A record as JSON for a bulk statement: time stamps in one form, and each of the given fields. */
export function jsonRecord(
  model: Model,
  record: CheckedRecord,
  names: readonly string[],
): Record<string, Json> {
  const columns = columnsOf(model);
  return Object.fromEntries(
    names.map((name) => {
      const value = sentOrDefault(model, record, name);
      const plain =
        columns.get(name)?.kind === "datetime" && typeof value === "string" ? parseDatetime(value) : value;
      return [name, (plain ?? null) as Json];
    }),
  );
}

/**
 * The record as it will be stored: passwords hashed, exact numbers in their one form. Errors: 400 `VALIDATION_ERROR` for a number in a json field that no
 * double holds, such as 1e999, which would become null.
 */
export async function storedForm(
  model: Model,
  record: CheckedRecord,
  hash: (password: string) => Promise<string>,
): Promise<CheckedRecord> {
  requireStorable(model, record);
  let stored = answeredForm(model, record);
  for (const [name, { kind }] of columnsOf(model)) {
    const value = Object.hasOwn(record, name) ? record[name] : null;
    if (kind === "password" && typeof value === "string") stored = { ...stored, [name]: await hash(value) };
  }
  return stored;
}

/** Refuses a number in a json field that no double holds, such as 1e999. A hook would hand it on as a mistake of its own. */
export function requireStorable(model: Model, record: CheckedRecord): void {
  for (const [name, { kind }] of columnsOf(model))
    if (kind === "json" && Object.hasOwn(record, name) && !isStorable(record[name]))
      throw invalid([{ field: name, message: "holds a number out of range" }]);
}

/** Whether `storedForm` may hash something of a record, which takes its time. */
const hashesPasswords = oncePer((model: Model) => hasKind(model, (kind) => kind === "password"));

/** Whether `storedForm` has anything to do for a record: to hash, to bring into another form, or to refuse. */
const hasStoredForm = oncePer(
  (model: Model) =>
    hashesPasswords(model) || hasKind(model, (kind) => kind === "json" || hasAnsweredForm(kind)),
);

function hasKind(model: Model, isMeant: (kind: FieldKind) => boolean): boolean {
  return [...columnsOf(model).values()].some(({ kind }) => isMeant(kind));
}

/** One record may be sent to two models, which hash different fields of it. */
const storedOf = oncePer((_model: Model) => new WeakMap<CheckedRecord, Promise<CheckedRecord>>());

/** The same, made once for a record that nobody changes: ahead of a transaction, or for all of its attempts. */
export function storedOnce(
  ...[model, record, hash]: Parameters<typeof storedForm>
): Awaitable<CheckedRecord> {
  if (!hasStoredForm(model)) return record;
  const stored = storedOf(model);
  const made = stored.get(record) ?? storedForm(model, record, hash);
  stored.set(record, made);
  return made;
}

function isStorable(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isStorable);
}

import { parseComparedDatetime, parseDatetime } from "../../../vocabulary/fields/dates.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import { exactText, type Json } from "../../../vocabulary/json.ts";
import { type Awaitable, weakMemo } from "../../core/concurrency/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { invalid, type ServiceError, UnsupportedValue } from "../../core/errors/index.ts";
import {
  type Column,
  type Columns,
  columnsOf,
  hasId,
  hasResponseForm,
  type Model,
  responseValue,
} from "../../models/index.ts";
import { idTypeOf, typeOf } from "./column-types.ts";
import type { BindValue } from "./kinds.ts";
import type { Plan } from "./sql.ts";

/** The sent fields with JSON values, after validation. */
export type CheckedRecord = Readonly<Record<string, unknown>>;

/** Columns whose values can be sent in several forms. Most models have none. */
const columnsWithForms = weakMemo((model: Model): readonly Column[] =>
  [...columnsOf(model).values()].filter(({ kind }) => hasResponseForm(kind)),
);

/**
 * Converts exact numbers, times of day and lists to their values in responses. Hooks and app code see these
 * values.
 */
export function responseValues(model: Model, record: CheckedRecord): CheckedRecord {
  const columns = columnsWithForms(model);
  if (columns.length === 0) return record;
  const answered = columns
    .filter(({ name }) => Object.hasOwn(record, name))
    .map((column) => [column.name, responseValue(column, record[column.name])]);
  return { ...record, ...Object.fromEntries(answered) };
}

function bindable(column: Column, value: unknown): BindValue {
  if (value === null || value === undefined) return null;
  if (column.kind === "json") return exactText(value);
  if (!Array.isArray(value)) return bindableScalar(column, column.kind, value);
  const kind = elementKindOf(column.kind) ?? column.kind;
  return value.map((element: unknown) => bindableScalar(column, kind, element));
}

function bindableScalar(column: Column, kind: FieldKind, value: unknown): string | number | boolean {
  if (typeof value === "string") return kind === "datetime" ? storedMoment(column, value) : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw new Error(`${column.name} holds a value that was not checked`);
}

/** Columns that Kirak made hold milliseconds. */
function storedMoment({ dbType }: Column, value: string): string {
  return (dbType === null ? parseDatetime : parseComparedDatetime)(value) ?? value;
}

/** The sent value, or the default, or undefined. */
function sentOrDefault(model: Model, record: CheckedRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  return Object.hasOwn(model.fields, name) ? model.fields[name]?.default : undefined;
}

/** The bound values of some fields, in order. */
export function bindFields(model: Model, record: CheckedRecord, names: readonly string[]): BindValue[] {
  const columns = columnsOf(model);
  return names.map((name) => {
    const column = columns.get(name);
    return column === undefined ? null : bindable(column, sentOrDefault(model, record, name));
  });
}

/** A record for the JSON array of a bulk statement, with normalized timestamps and all given names. */
export function jsonRecord(
  model: Model,
  record: CheckedRecord,
  names: readonly string[],
): Record<string, Json> {
  const columns = columnsOf(model);
  return Object.fromEntries(
    names.map((name) => {
      const value = sentOrDefault(model, record, name);
      const column = columns.get(name);
      const isMoment = column?.kind === "datetime" && typeof value === "string";
      const plain = isMoment ? storedMoment(column, value) : value;
      return [name, (plain ?? null) as Json];
    }),
  );
}

/** The record to store, with hashed passwords and normalized exact numbers. Errors: see `requireStorable`. */
export async function storedForm(
  model: Model,
  record: CheckedRecord,
  hash: (password: string) => Promise<string>,
): Promise<CheckedRecord> {
  requireStorable(model, record);
  let stored = responseValues(model, record);
  for (const [name, { kind }] of columnsOf(model)) {
    const value = Object.hasOwn(record, name) ? record[name] : null;
    if (kind === "password" && typeof value === "string") stored = { ...stored, [name]: await hash(value) };
  }
  return stored;
}

/**
 * Errors: 400 `VALIDATION_ERROR` for a number in a json field that a double cannot hold, such as 1e999. It
 * would become null, and the error would blame a hook that returns it.
 */
export function requireStorable(model: Model, record: CheckedRecord): void {
  for (const [name, { kind }] of columnsOf(model))
    if (kind === "json" && Object.hasOwn(record, name) && !isStorable(record[name]))
      throw invalid([{ field: name, message: "holds a number out of range" }]);
}

/** Whether `storedForm` can hash, which is slow. */
const hashesPasswords = weakMemo((model: Model) => hasKind(model, (kind) => kind === "password"));

/** Whether `storedForm` changes or checks anything in a record. */
const hasStoredForm = weakMemo(
  (model: Model) =>
    hashesPasswords(model) || hasKind(model, (kind) => kind === "json" || hasResponseForm(kind)),
);

function hasKind(model: Model, isMeant: (kind: FieldKind) => boolean): boolean {
  return [...columnsOf(model).values()].some(({ kind }) => isMeant(kind));
}

/** Per model, because one record can be sent to two models. */
const storedOf = weakMemo((_model: Model) => new WeakMap<CheckedRecord, Promise<CheckedRecord>>());

/** Like `storedForm`, but made once per record object: before a transaction, or for all of its attempts. */
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

/** The columns with these names. */
export function pick(columns: Columns, names: readonly string[]): Column[] {
  return names.map((name) => {
    const column = columns.get(name);
    if (column === undefined) throw new Error(`there is no column ${name}`);
    return column;
  });
}

/** Converts a row to JSON text without making an object. */
export type RowWriter = (row: TextRow) => string;

const writers = new WeakMap<Plan, RowWriter>();

/** The writer of a plan's rows, made once. */
export function writerOf(plan: Plan, make: () => RowWriter): RowWriter {
  let writer = writers.get(plan);
  if (writer === undefined) {
    writer = make();
    writers.set(plan, writer);
  }
  return writer;
}

/** A key of the response and the writer of its value; NULL is written as null without it. */
export interface WrittenKey {
  readonly key: string;
  readonly toJson: (text: string) => string;
  /** The field for error logs; default the key. */
  readonly field?: string;
}

/** Names a row in errors. */
interface RowPlace {
  readonly model: string;
  /** The position of the id; null if the row has none. */
  readonly idAt: number | null;
}

/** A writer for rows of a model, whose columns begin at `first`. Errors: `UnsupportedValue`. */
export function rowWriter(model: Model, names: readonly string[], first = 0, idAt?: number): RowWriter {
  const keys = pick(columnsOf(model), names).map((column) => ({
    key: column.name,
    toJson: typeOf(column).toJson,
  }));
  const listed = names.indexOf("id");
  const place = { model: model.key, idAt: idAt ?? (listed < 0 ? null : first + listed) };
  return keysWriter(keys, place, first);
}

/** The names, plus `id` if an error about an unsupported value needs it. */
export function namesWithId(model: Model, names: readonly string[]): readonly string[] {
  const isNeeded = pick(columnsOf(model), names).some((column) => typeOf(column).unsupportedSql !== null);
  return isNeeded && hasId(model) && !names.includes("id") ? [...names, "id"] : names;
}

/** A writer for values in the order of these keys, from `first` on. Errors: `UnsupportedValue`. */
export function keysWriter(keys: readonly WrittenKey[], place: RowPlace, first = 0): RowWriter {
  const parts = keys.map(({ key, toJson }, index) => ({
    key: `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`,
    write: toJson,
  }));
  if (parts.length === 0) return () => "{}";
  return (row) => {
    let text = "";
    let at = first;
    try {
      for (const { key, write } of parts) {
        const value = row[at++];
        text += key;
        text += value == null ? "null" : write(value);
      }
    } catch (error) {
      const failed = keys[at - first - 1];
      throw placedError(error, row, place, failed?.field ?? failed?.key);
    }
    return `${text}}`;
  };
}

/** Adds the place to an `UnsupportedValue`; other errors are returned unchanged. */
export function placedError(
  error: unknown,
  row: TextRow,
  { model, idAt }: RowPlace,
  field: string | undefined,
): unknown {
  if (!(error instanceof UnsupportedValue) || field === undefined) return error;
  return new UnsupportedValue(error.text, { model, field, id: idAt === null ? null : (row[idAt] ?? null) });
}

/** In characters. Many larger pages at the same time would exhaust the memory. */
export const largestPage = 64 * 2 ** 20;

/** A JSON array of rows. Errors: 400 `VALIDATION_ERROR` beyond `most` characters. */
export function rowsJson(rows: readonly TextRow[], write: RowWriter, most = largestPage): string {
  let text = "[";
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row !== undefined) text += i === 0 ? write(row) : `,${write(row)}`;
    if (text.length > most) throw pageTooLarge();
  }
  return `${text}]`;
}

/** 400 `VALIDATION_ERROR` for a page that is too large. */
export function pageTooLarge(): ServiceError {
  return invalid([{ field: "limit", message: "makes the page too large: ask for fewer rows" }]);
}

/** An id in a response. */
export function idJson(model: Model, text: string): string {
  return idTypeOf(model).toJson(text);
}

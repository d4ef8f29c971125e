import { parseDatetime } from "../../../vocabulary/fields/dates.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import { exactText, type Json } from "../../../vocabulary/json.ts";
import { type Awaitable, weakMemo } from "../../core/concurrency/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { invalid, type ServiceError, UnsupportedValue } from "../../core/errors/index.ts";
import {
  answeredValue,
  type Column,
  type Columns,
  columnsOf,
  hasAnsweredForm,
  type Model,
} from "../../models/index.ts";
import { type BindValue, kinds } from "./kinds.ts";
import type { Plan } from "./sql.ts";

/** A validated record: the sent fields, with JSON values. */
export type CheckedRecord = Readonly<Record<string, unknown>>;

/** The columns whose values can be sent in several forms; most models have none. */
const columnsWithForms = weakMemo((model: Model): readonly Column[] =>
  [...columnsOf(model).values()].filter(({ kind }) => hasAnsweredForm(kind)),
);

/**
 * Converts exact numbers, times of day and lists of a record to the form of responses, which hooks and app
 * code see.
 */
export function answeredForm(model: Model, record: CheckedRecord): CheckedRecord {
  const columns = columnsWithForms(model);
  if (columns.length === 0) return record;
  const answered = columns
    .filter(({ name }) => Object.hasOwn(record, name))
    .map(({ name, kind, decimal }) => [name, answeredValue(kind, record[name], decimal)]);
  return { ...record, ...Object.fromEntries(answered) };
}

/** A value of a validated record as a bound value. */
function bindable(column: Column, value: unknown): BindValue {
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
function sentOrDefault(model: Model, record: CheckedRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  return Object.hasOwn(model.fields, name) ? model.fields[name]?.default : undefined;
}

/** The values of some fields of a record, in order. */
export function bindFields(model: Model, record: CheckedRecord, names: readonly string[]): BindValue[] {
  const columns = columnsOf(model);
  return names.map((name) => {
    const column = columns.get(name);
    return column === undefined ? null : bindable(column, sentOrDefault(model, record, name));
  });
}

/** A record as JSON for a bulk statement: with normalized time stamps, and with all given fields. */
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
 * The record to store: with hashed passwords and normalized exact numbers. Errors: 400 `VALIDATION_ERROR` for
 * a number in a json field that a double cannot hold, such as 1e999, which would become null.
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

/**
 * Rejects a number in a json field that a double cannot hold, such as 1e999. Otherwise a hook would return it
 * and be blamed for it.
 */
export function requireStorable(model: Model, record: CheckedRecord): void {
  for (const [name, { kind }] of columnsOf(model))
    if (kind === "json" && Object.hasOwn(record, name) && !isStorable(record[name]))
      throw invalid([{ field: name, message: "holds a number out of range" }]);
}

/** Whether `storedForm` can hash passwords of a record, which is slow. */
const hashesPasswords = weakMemo((model: Model) => hasKind(model, (kind) => kind === "password"));

/** Whether `storedForm` changes or checks anything in a record. */
const hasStoredForm = weakMemo(
  (model: Model) =>
    hashesPasswords(model) || hasKind(model, (kind) => kind === "json" || hasAnsweredForm(kind)),
);

function hasKind(model: Model, isMeant: (kind: FieldKind) => boolean): boolean {
  return [...columnsOf(model).values()].some(({ kind }) => isMeant(kind));
}

/** One record can be sent to two models, which hash different fields. */
const storedOf = weakMemo((_model: Model) => new WeakMap<CheckedRecord, Promise<CheckedRecord>>());

/** The same, made once for a record that does not change: before a transaction, or for all of its attempts. */
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

/** Converts a row of PostgreSQL's text to JSON text without making an object. */
export type RowWriter = (row: TextRow) => string;

const writers = new WeakMap<Plan, RowWriter>();

/** The writer for the rows of a plan, made once. */
export function writerOf(plan: Plan, make: () => RowWriter): RowWriter {
  let writer = writers.get(plan);
  if (writer === undefined) {
    writer = make();
    writers.set(plan, writer);
  }
  return writer;
}

/** A key of the response, and the writer of its value, which is never NULL. */
export interface WrittenKey {
  readonly key: string;
  readonly toJson: (text: string) => string;
  /** The source field, for the log; default the key. */
  readonly field?: string;
}

/** Names the rows of a writer in errors. */
interface RowPlace {
  readonly model: string;
  /** The position of the id; null if the row has none. */
  readonly idAt: number | null;
}

/** A writer for rows of a model, whose columns begin at `first`. Errors: `UnsupportedValue`. */
export function rowWriter(model: Model, names: readonly string[], first = 0, idAt?: number): RowWriter {
  const keys = pick(columnsOf(model), names).map(({ name, kind }) => ({
    key: name,
    toJson: kinds[kind].toJson,
  }));
  const listed = names.indexOf("id");
  const place = { model: model.key, idAt: idAt ?? (listed < 0 ? null : first + listed) };
  return keysWriter(keys, place, first);
}

/** The names of columns, followed by `id` if errors need it to name the row with an unsupported value. */
export function namesWithId(model: Model, names: readonly string[]): readonly string[] {
  const isNeeded = pick(columnsOf(model), names).some(({ kind }) => kinds[kind].unsupportedSql !== null);
  return isNeeded && !names.includes("id") ? [...names, "id"] : names;
}

/** A writer for rows whose values have the order of these keys, from `first` on. Errors: `UnsupportedValue`. */
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

/** An error that names the place of the value. */
export function placedError(
  error: unknown,
  row: TextRow,
  { model, idAt }: RowPlace,
  field: string | undefined,
): unknown {
  if (!(error instanceof UnsupportedValue) || field === undefined) return error;
  return new UnsupportedValue(error.text, { model, field, id: idAt === null ? null : (row[idAt] ?? null) });
}

/** In characters. A larger page is rejected: many of them at the same time would exhaust the memory. */
export const largestPage = 64 * 2 ** 20;

/** A JSON array of rows, of at most 64 Mi characters or `most`; beyond that 400 `VALIDATION_ERROR`. */
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

/** An id in a response: a number or a UUID. */
export function idJson(kind: Column["kind"], text: string): string {
  return kinds[kind].toJson(text);
}

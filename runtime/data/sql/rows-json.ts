import type { TextRow } from "../../core/database/index.ts";
import { invalid, type ServiceError, UnheldValue } from "../../core/errors/index.ts";
import { type Column, type Columns, columnsOf, type Model } from "../../models/index.ts";
import { kinds } from "./kinds.ts";
import type { Plan } from "./sql.ts";

/** The columns with these names. */
export function pick(columns: Columns, names: readonly string[]): Column[] {
  return names.map((name) => {
    const column = columns.get(name);
    if (column === undefined) throw new Error(`there is no column ${name}`);
    return column;
  });
}

/** Turns a row of PostgreSQL's text into JSON text without making an object. */
export type RowWriter = (row: TextRow) => string;

const writers = new WeakMap<Plan, RowWriter>();

/** What writes the rows that a plan gives, made once for it. */
export function writerOf(plan: Plan, make: () => RowWriter): RowWriter {
  let writer = writers.get(plan);
  if (writer === undefined) {
    writer = make();
    writers.set(plan, writer);
  }
  return writer;
}

/** A key of an answer, and what writes its value, which is not NULL. */
export interface WrittenKey {
  readonly key: string;
  readonly toJson: (text: string) => string;
  /** The field that the value comes from, for the log; default the key. */
  readonly field?: string;
}

/** What the rows of a writer are, for errors. */
export interface RowPlace {
  readonly model: string;
  /** Where a row has its id; null where it has none. */
  readonly idAt: number | null;
}

/** A writer of rows of a model in which the columns with these names begin at `first`. Errors: `UnheldValue`. */
export function rowWriter(model: Model, names: readonly string[], first = 0, idAt?: number): RowWriter {
  const keys = pick(columnsOf(model), names).map(({ name, kind }) => ({
    key: name,
    toJson: kinds[kind].toJson,
  }));
  const listed = names.indexOf("id");
  const place = { model: model.key, idAt: idAt ?? (listed < 0 ? null : first + listed) };
  return keysWriter(keys, place, first);
}

/** Names of columns, with `id` behind them where errors need it: it tells which row holds a value that the API does not. */
export function namesWithId(model: Model, names: readonly string[]): readonly string[] {
  const isNeeded = pick(columnsOf(model), names).some(({ kind }) => kinds[kind].unheldSql !== null);
  return isNeeded && !names.includes("id") ? [...names, "id"] : names;
}

/** A writer of rows whose values stand in the order of these keys, from `first` on. Errors: `UnheldValue`. */
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

/** An error that says where the value is that could not be written. */
export function placedError(
  error: unknown,
  row: TextRow,
  { model, idAt }: RowPlace,
  field: string | undefined,
): unknown {
  if (!(error instanceof UnheldValue) || field === undefined) return error;
  return new UnheldValue(error.text, { model, field, id: idAt === null ? null : (row[idAt] ?? null) });
}

/** Characters. A page that is larger is refused: many at once would take the memory of the process. */
export const largestPage = 64 * 2 ** 20;

/** A JSON array of rows, of at most 64 Mi characters or as many as are given; beyond that 400 `VALIDATION_ERROR`. */
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

/** An id as it is answered: a number, or a UUID. */
export function idJson(kind: Column["kind"], text: string): string {
  return kinds[kind].toJson(text);
}

import { isDeepStrictEqual } from "node:util";
import type { Json } from "#vocabulary/json";
import type { AccessCheck } from "../access-check.ts";
import { closedColumns, readableFields } from "../model-access.ts";
import { liveRows, type StoredRow, tableRow } from "../table-rows.ts";
import {
  type Asked,
  type AskedReply,
  type CellVerdict,
  changedByHook,
  failedCell,
  passed,
  recordsIn,
} from "./ask.ts";

/** A read, and what it has to answer. */
export interface AskedRows extends Asked {
  /** The rows that the request asked for. */
  readonly ids: readonly string[];
  /** Those that the rules open. */
  readonly open: readonly string[];
}

/** Compares rows that were answered with what the rules open: the same rows, each with exactly the readable fields. */
export function judgeRows(
  check: AccessCheck,
  asked: AskedRows,
  reply: AskedReply,
  answered: Json,
): CellVerdict {
  const { model, caller, open, ids } = asked;
  const readable = readableFields(model, caller.role);
  const expected = `200 with the rows ${open.join(", ") || "none"}, each with the fields ${readable.join(", ")}`;
  const refuse = (what: string, id = ids[0]) => failedCell(asked, reply, expected, { what, id });
  const changed = (what: string, id?: string) => changedByHook(check, asked, what) ?? refuse(what, id);
  if (reply.status !== 200) return changed(`answered ${reply.status}`);
  const rows = Array.isArray(answered) ? recordsIn(answered) : [];
  const answeredIds = idsOf(check, asked, rows);
  const found = new Set(answeredIds);
  const extra = [...found].find((id) => !open.includes(id));
  if (extra !== undefined) return refuse(`the rules close the row ${extra}`, extra);
  for (const [index, row] of rows.entries()) {
    const leaked = leakIn(check, asked, row, answeredIds[index]);
    if (leaked !== null) return refuse(leaked);
  }
  const missing = open.find((id) => !found.has(id));
  if (missing !== undefined) return changed(`the row ${missing} is missing`, missing);
  for (const row of rows) {
    const other = otherKeys(row, readable);
    if (other !== null) return changed(other);
  }
  return passed;
}

/** The ids of answered rows. Rows without an id are found by their values, those that the rules open first. */
export function idsOf(
  { stored }: AccessCheck,
  { model, caller, open }: Pick<AskedRows, "model" | "caller" | "open">,
  rows: readonly Readonly<Record<string, Json>>[],
): string[] {
  if (model.columns.id !== null) return rows.map(({ id }) => String(id));
  const readable = readableFields(model, caller.role);
  const all = liveRows(stored, model);
  const isOpen = ({ id }: StoredRow) => open.includes(id);
  const left = [...all.filter(isOpen), ...all.filter((row) => !isOpen(row))];
  return rows.map((row) => {
    const index = left.findIndex(({ values }) =>
      readable.every((name) => isDeepStrictEqual(values[name], row[name])),
    );
    const [found] = index < 0 ? [] : left.splice(index, 1);
    return found?.id ?? JSON.stringify(row);
  });
}

/** How the keys of a row differ from the readable fields. Null if they are the same. */
export function otherKeys(row: object, readable: readonly string[]): string | null {
  const absent = readable.find((field) => !Object.hasOwn(row, field));
  if (absent !== undefined) return `the field ${absent} is missing`;
  const more = Object.keys(row).find((name) => !readable.includes(name));
  return more === undefined ? null : `the answer has the additional key ${more}`;
}

/** A closed field, or the value of one, in an answered row. Null without one. */
export function leakIn(
  { stored }: AccessCheck,
  { model, caller }: Asked,
  row: Readonly<Record<string, Json>>,
  id = String(row["id"]),
): string | null {
  const closed = closedColumns(model, caller.role);
  const name = closed.find((field) => Object.hasOwn(row, field));
  if (name !== undefined) return `the caller cannot read the field ${name}`;
  const values = tableRow(stored, model, id)?.values ?? {};
  const open = readableFields(model, caller.role).map((field) => values[field]);
  const text = JSON.stringify(row);
  const shown = model.fields.find(({ name: field, enum: known }) => {
    const value = values[field];
    // A shorter text can be in another field by chance.
    const isTelling = known === null && typeof value === "string" && value.length >= 6;
    return isTelling && closed.includes(field) && !open.includes(value) && text.includes(value);
  });
  return shown === undefined
    ? null
    : `the answer has the value of the field ${shown.name}, which the caller cannot read`;
}

/** Compares the answer to a count or to exists with the number of open rows. */
export function judgeCount(
  check: AccessCheck,
  asked: AskedRows,
  reply: AskedReply,
  answered: Json,
): CellVerdict {
  const { operation, open, ids } = asked;
  const wanted: Json = operation === "exists" ? open.length > 0 : open.length;
  if (reply.status === 200 && answered === wanted) return passed;
  const changed = reply.status === 200 ? null : changedByHook(check, asked, `answered ${reply.status}`);
  return changed ?? failedCell(asked, reply, `200 with ${wanted}`, { id: ids[0] });
}

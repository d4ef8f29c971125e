import type { ModelDefinition } from "#generator/definition/definition";
import type { Json } from "#vocabulary/json";
import { type AccessCheck, changedByHook } from "../access-check.ts";
import type { Front } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";
import { closedColumns, columnNamesOf, readableFields } from "../model-access.ts";
import { tableRow } from "../table-rows.ts";
import {
  type AskedReply,
  type CellVerdict,
  explainLine,
  failedCell,
  isJsonRecord,
  passed,
  type Question,
  recordsIn,
} from "./ask.ts";

/** What a read has to answer. */
export interface ExpectedRows {
  readonly model: ModelDefinition;
  readonly operation: string;
  readonly caller: CheckCaller;
  readonly front: Front;
  readonly question: Question;
  /** The rows that the request asked for. */
  readonly asked: readonly string[];
  /** Those that the rules open. */
  readonly open: readonly string[];
}

/** Compares rows that were answered with what the rules open: the same rows, each with exactly the readable fields. */
export function judgeRows(
  check: AccessCheck,
  expected: ExpectedRows,
  reply: AskedReply,
  data: Json,
): CellVerdict {
  const { model, operation, caller, question, open, asked } = expected;
  const readable = readableFields(model, caller.role);
  const wanted = `200 with the rows ${open.join(", ") || "none"}, each with the fields ${readable.join(", ")}`;
  const refuse = (what: string, id?: string) =>
    failedCell(
      question,
      wanted,
      reply,
      `${what}: ${explainLine(`${model.key}.${operation}`, caller, { id: id ?? asked[0] })}`,
    );
  const changed = (phase: "before" | "after", what: string, id?: string): CellVerdict => {
    const outcome = changedByHook(check, model, operation, phase, expected.front);
    return outcome === null ? refuse(what, id) : { outcome, reason: what };
  };
  if (reply.status !== 200) return changed("before", `answered ${reply.status}`);
  const rows = recordsIn(data);
  const found = new Map(rows.map((row) => [String(row["id"]), row]));
  const extra = [...found.keys()].find((id) => !open.includes(id));
  if (extra !== undefined) return refuse(`the rules close the row ${extra}`, extra);
  const leaked = leakIn(check, expected, rows);
  if (leaked !== null) return refuse(leaked);
  const missing = open.find((id) => !found.has(id));
  if (missing !== undefined) return changed("before", `the row ${missing} is missing`, missing);
  for (const row of rows) {
    const absent = readable.find((field) => !Object.hasOwn(row, field));
    if (absent !== undefined) return changed("after", `the field ${absent} is missing`);
    const more = Object.keys(row).find((name) => !readable.includes(name));
    if (more !== undefined) return changed("after", `the answer has the additional key ${more}`);
  }
  return passed;
}

/** A closed field, or the value of one, in answered rows. Null without one. */
function leakIn(
  check: AccessCheck,
  { model, caller }: Pick<ExpectedRows, "model" | "caller">,
  rows: readonly Readonly<Record<string, Json>>[],
): string | null {
  const closed = closedColumns(model, caller.role);
  for (const row of rows) {
    const name = closed.find((field) => Object.hasOwn(row, field));
    if (name !== undefined) return `the caller cannot read the field ${name}`;
    const values = tableRow(check.stored, model, String(row["id"]))?.values ?? {};
    const open = new Set(
      columnNamesOf(model)
        .filter((field) => !closed.includes(field))
        .map((field) => values[field]),
    );
    const text = JSON.stringify(row);
    const shown = closed.find(
      (field) =>
        isTelling(model, field, values[field]) &&
        !open.has(values[field] ?? null) &&
        text.includes(String(values[field])),
    );
    if (shown !== undefined)
      return `the answer has the value of the field ${shown}, which the caller cannot read`;
  }
  return null;
}

/** Whether a value is too long to be in another field by chance. */
function isTelling(model: ModelDefinition, field: string, value: Json | undefined): boolean {
  const known = model.fields.find(({ name }) => name === field);
  return known !== undefined && known.enum === null && typeof value === "string" && value.length >= 6;
}

/** Compares the answer to a count or to exists with the number of open rows. */
export function judgeCount(
  check: AccessCheck,
  expected: ExpectedRows,
  reply: AskedReply,
  actual: Json,
): CellVerdict {
  const { model, operation, caller, question, open, asked } = expected;
  const wanted: Json = operation === "exists" ? open.length > 0 : open.length;
  if (reply.status === 200 && actual === wanted) return passed;
  const outcome =
    reply.status === 200 ? null : changedByHook(check, model, operation, "before", expected.front);
  if (outcome !== null) return { outcome, reason: `answered ${reply.status}` };
  const explain = explainLine(`${model.key}.${operation}`, caller, { id: asked[0] });
  return failedCell(question, `200 with ${wanted}`, reply, explain);
}

export function jsonMember(value: Json, name: string): Json {
  return isJsonRecord(value) ? (value[name] ?? null) : null;
}

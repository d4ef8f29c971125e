import { isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import { invalid, type Problem } from "../../../core/errors/index.ts";
import { columnsOf, type Model, presetsOf } from "../../../models/index.ts";
import { type BindValue, type Filter, kinds } from "../../sql/index.ts";
import { readFilters, sentFilter } from "./filters.ts";
import { withLongNumbers } from "./long-numbers.ts";

/** One record to create. */
export interface RecordInput {
  readonly data: JsonObject;
  /** What messages call it: `data` unless it is said. */
  readonly label?: string;
}

/** Several records, each checked on its own. */
export interface BulkInput {
  readonly records: readonly unknown[];
  readonly data?: never;
}

/** The rows to change and what they get. */
export interface ChangeInput {
  readonly filters: readonly Filter[];
  readonly data: JsonObject;
}

/** The rows to remove: by filters, or by ids without repetition. */
export type RemovalInput =
  | { readonly filters: readonly Filter[] }
  | { readonly ids: readonly BindValue[]; readonly filters?: never };

const nothing: JsonObject = Object.freeze({});

/** Reports the keys of a body that no operation of this kind knows. A field is told into which of them it belongs. */
export function refuseUnknownKeys(
  model: Model,
  body: JsonObject,
  known: readonly string[],
  problems: Problem[],
): void {
  limitKeys(body, "body");
  for (const key of Object.keys(body)) {
    if (known.includes(key)) continue;
    const message = belonging(model, key, known) ?? `is not one of ${known.join(", ")}`;
    problems.push({ field: key, message });
  }
}

function belonging(model: Model, key: string, known: readonly string[]): string | null {
  if (!columnsOf(model).has(sentFilter(key, null).field)) return null;
  const filters = known.includes("where") && (key === "id" || key.includes("__") || !known.includes("data"));
  const holder = filters ? "where" : "data";
  return known.includes(holder) ? `belongs into ${holder}: {"${holder}": {"${key}": …}}` : null;
}

/** No model has as many fields; the limit keeps the report of what is wrong with each key short. */
const mostKeys = 1_000;

/** Refuses, as 400, an object with more keys than any record could have. */
export function limitKeys(value: object, key: string): void {
  if (Object.keys(value).length > mostKeys)
    throw invalid([{ field: key, message: `has more than ${mostKeys} keys` }]);
}

/** An object of a body that must be there and hold something. */
export function readObject(body: JsonObject, key: string, problems: Problem[]): JsonObject {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  if (isJsonObject(value)) limitKeys(value, key);
  if (isJsonObject(value) && Object.keys(value).length > 0) return value;
  problems.push({
    field: key,
    message: value === undefined ? "is required" : "must be an object that is not empty",
  });
  return isJsonObject(value) ? value : nothing;
}

/** A new record of a body: an object that holds something, but where `{}` may be the whole. */
export function readRecord(model: Model, body: JsonObject, key: string, problems: Problem[]): JsonObject {
  const value = body[key];
  const isWhole = isJsonObject(value) && Object.keys(value).length === 0 && mayBeEmpty(model);
  return isWhole ? value : readFields(model, body, key, problems);
}

/** What rows get: an object of a body that must be there and hold something. */
export function readFields(model: Model, body: JsonObject, key: string, problems: Problem[]): JsonObject {
  return withLongNumbers(model, readObject(body, key, problems));
}

/** Whether a new record may hold nothing of the caller: where there is no field, or the server sets some. */
export function mayBeEmpty(model: Model): boolean {
  return Object.keys(model.fields).length === 0 || presetsOf(model).fields.length > 0;
}

/** A list of records, not empty and of at most `limit`. */
export function readRecords(
  model: Model,
  value: readonly unknown[],
  limit: number,
  problems: Problem[],
): BulkInput {
  if (value.length === 0) problems.push({ field: "data", message: "is empty" });
  if (value.length > limit) problems.push({ field: "data", message: `holds more than ${limit} records` });
  return { records: value.map((record) => (isJsonObject(record) ? withLongNumbers(model, record) : record)) };
}

/** Filters that must be there: a write never reaches a whole table. */
export function readWhere(
  model: Model,
  where: JsonObject,
  key: string,
  problems: Problem[],
): readonly Filter[] {
  const filters = readFilters(model, Object.entries(where), problems);
  return requireNarrowing(filters, key, problems);
}

/** Filters that are there and leave something out. */
export function requireNarrowing(
  filters: readonly Filter[],
  key: string,
  problems: Problem[],
): readonly Filter[] {
  if (!filters.some(narrows) && problems.length === 0)
    problems.push({ field: key, message: "needs at least one filter" });
  return filters;
}

/** Filters that are there. */
export function requireFilters(
  filters: readonly Filter[],
  key: string,
  problems: Problem[],
): readonly Filter[] {
  if (filters.length === 0 && problems.length === 0)
    problems.push({ field: key, message: "needs at least one filter" });
  return filters;
}

/** `not_in` and `contains` of an empty list let every row through: they are empty filters in disguise. */
function narrows({ operator, value }: Filter): boolean {
  const mayBeEmpty = operator === "not_in" || operator === "contains";
  return !mayBeEmpty || !Array.isArray(value) || value.length > 0;
}

/** Ids of a body: a list, not empty and of at most `limit`, in which repeated ones count once. */
export function readIds(
  model: Model,
  value: unknown,
  limit: number,
  problems: Problem[],
): readonly BindValue[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > limit) {
    problems.push({ field: "ids", message: `must be a list of 1 to ${limit} ids` });
    return [];
  }
  const ids = new Set<string>();
  for (const item of value) {
    const id = kinds[model.id].parse(item);
    if (id === undefined)
      problems.push({ field: "ids", message: `must hold ${kinds[model.id].expected} each` });
    else ids.add(String(id));
  }
  return [...ids];
}

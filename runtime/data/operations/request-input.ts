import { doubleOf, numberText } from "../../../vocabulary/fields/exact-numbers.ts";
import { type FieldKind, typeOfKind } from "../../../vocabulary/fields/field-kinds.ts";
import { isOrderable } from "../../../vocabulary/fields/filter-operators.ts";
import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { defaultLimit, type PageTotal, pageTotals } from "../../../vocabulary/operations.ts";
import { weakMemo } from "../../core/concurrency/index.ts";
import { invalid, type Problem } from "../../core/errors/index.ts";
import { type Columns, columnsOf, hasId, type Model, presetsOf } from "../../models/index.ts";
import { type BindValue, type Filter, idTypeOf, searchPattern, soughtText } from "../sql/index.ts";
import { listItems, readFilters, sentFilter } from "./filters.ts";

/** The stored form of an integer beyond 2^53 - 1; null if the column cannot hold it exactly. */
const forms: Readonly<Partial<Record<FieldKind, (whole: bigint) => number | string | null>>> = {
  float: doubleOf,
  int64: String,
  // A JSON number for a decimal has at most 15 significant digits.
  decimal: (whole) => (numberText(Number(whole)) === String(whole) ? String(whole) : null),
};

const numberColumns = weakMemo((model: Model) =>
  [...columnsOf(model).values()].flatMap(({ name, kind }) => {
    const form = forms[elementKindOf(kind) ?? kind];
    return form === undefined ? [] : [{ name, form }];
  }),
);

/**
 * Converts integers beyond 2^53 - 1 to the form that validation accepts for their fields (docs/api.md).
 * Validation rejects the other BigInts, except in json fields.
 */
export function withLongNumbers<Record extends JsonObject>(model: Model, record: Record): Record {
  const changed = numberColumns(model).flatMap(({ name, form }) => {
    const value = Object.hasOwn(record, name) ? record[name] : null;
    const taken = (item: unknown) => (typeof item === "bigint" ? (form(item) ?? item) : item);
    if (Array.isArray(value)) return value.some(isBigInt) ? [[name, value.map(taken)]] : [];
    return isBigInt(value) ? [[name, taken(value)]] : [];
  });
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
}

const isBigInt = (value: unknown): value is bigint => typeof value === "bigint";

/** One record to create. */
export interface RecordInput {
  readonly data: JsonObject;
  /** For messages; default `data`. */
  readonly label?: string;
}

/** Several records, each checked on its own. */
export interface BulkInput {
  readonly records: readonly unknown[];
  readonly data?: never;
}

/** The rows to change and their new values. */
export interface ChangeInput {
  readonly filters: readonly Filter[];
  readonly data: JsonObject;
}

/** The rows to remove: by filters, or by distinct ids. */
export type RemovalInput =
  | { readonly filters: readonly Filter[] }
  | { readonly ids: readonly BindValue[]; readonly filters?: never };

const nothing: JsonObject = Object.freeze({});

/** Reports unknown keys of a body. For a field, the message names the object that it belongs to. */
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
  return known.includes(holder) ? `belongs in ${holder}: {"${holder}": {"${key}": …}}` : null;
}

/** No model has this many fields. It limits the error report. */
const mostKeys = 1_000;

/** Rejects, as 400, an object with more keys than any record can have. */
export function limitKeys(value: object, key: string): void {
  if (Object.keys(value).length > mostKeys)
    throw invalid([{ field: key, message: `has more than ${mostKeys} keys` }]);
}

/** A required, non-empty object of a body. */
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

/** A new record: a non-empty object, unless `{}` is allowed. */
export function readRecord(model: Model, body: JsonObject, key: string, problems: Problem[]): JsonObject {
  const value = body[key];
  const isWhole = isJsonObject(value) && Object.keys(value).length === 0 && mayBeEmpty(model);
  return isWhole ? value : readFields(model, body, key, problems);
}

/** New values of rows: a required, non-empty object. */
export function readFields(model: Model, body: JsonObject, key: string, problems: Problem[]): JsonObject {
  return withLongNumbers(model, readObject(body, key, problems));
}

/** Whether a new record can be `{}`: it has no fields, or the server sets some. */
export function mayBeEmpty(model: Model): boolean {
  return Object.keys(model.fields).length === 0 || presetsOf(model).create.fields.length > 0;
}

/** A non-empty list of at most `limit` records. */
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

/** A write needs filters: it never affects a whole table. */
export function readWhere(
  model: Model,
  where: JsonObject,
  key: string,
  problems: Problem[],
): readonly Filter[] {
  const filters = readFilters(model, Object.entries(where), problems);
  return requireNarrowing(filters, key, problems);
}

/** Requires at least one filter that can exclude rows. */
export function requireNarrowing(
  filters: readonly Filter[],
  key: string,
  problems: Problem[],
): readonly Filter[] {
  if (!filters.some(narrows) && problems.length === 0)
    problems.push({ field: key, message: "needs at least one filter" });
  return filters;
}

export function requireFilters(
  filters: readonly Filter[],
  key: string,
  problems: Problem[],
): readonly Filter[] {
  if (filters.length === 0 && problems.length === 0)
    problems.push({ field: key, message: "needs at least one filter" });
  return filters;
}

/** `not_in` and `contains` with an empty list match every row. */
function narrows({ operator, value }: Filter): boolean {
  const mayBeEmpty = operator === "not_in" || operator === "contains";
  return !mayBeEmpty || !Array.isArray(value) || value.length > 0;
}

/** A non-empty list of at most `limit` ids, without duplicates. */
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
    const { parse, expected } = idTypeOf(model);
    const id = parse(item);
    if (id === undefined) problems.push({ field: "ids", message: `has an element that is not ${expected}` });
    else ids.add(String(id));
  }
  return [...ids];
}

/** The cursor of a request. */
export interface PageCursor {
  readonly parameter: "page__after" | "page__before";
  /** A cursor, or `start` or `end`; its signature is not checked yet. */
  readonly text: string;
}

/** The input of a fetch or search, checked and with defaults (docs/api.md). */
export interface ListInput {
  readonly filters: readonly Filter[];
  readonly limit: number;
  /** As sent. It overrides `offset`. */
  readonly page: number | null;
  readonly offset: number;
  /** Whether the request has `page` or `offset`. The response then has `pagination`. */
  readonly paginated: boolean;
  /** The cursor of the page; null if the page has none. */
  readonly cursor: PageCursor | null;
  /** The total in `pagination`. */
  readonly total: PageTotal;
  readonly order_by: string | null;
  readonly descending: boolean;
  /** Null: all fields that the role may read. */
  readonly select_fields: readonly string[] | null;
  readonly search_term: string | null;
  /** More rows than `max_limit` are an error; `limit` is `max_limit` plus one to detect it. */
  readonly all?: true;
}

export function allOf(model: Model, input: ListInput): ListInput {
  return { ...input, limit: model.maxLimit + 1, all: true };
}

/** The values of a list in the order of its SQL: filters, then the search pattern. */
export function rowValues(input: ListInput, searchIn: readonly string[]): BindValue[] {
  const values = input.filters.map((filter) => filter.value);
  if (searchIn.length > 0) values.push(searchPattern(input.search_term ?? ""));
  return values;
}

type Parameters = ReadonlyMap<string, unknown>;

/** Reads the other parameters of a list operation, by name. */
export function readListInput(
  model: Model,
  filters: readonly Filter[],
  parameters: Parameters,
  problems: Problem[],
): ListInput {
  const limit = Math.min(readCount(parameters, "limit", 1, problems) ?? defaultLimit, model.maxLimit);
  const page = readCount(parameters, "page", 1, problems);
  const offset = readCount(parameters, "offset", 0, problems);
  const pageOffset = page === null ? (offset ?? 0) : (page - 1) * limit;
  const paginated = page !== null || offset !== null;
  const cursor = readCursorParameter(parameters, problems);
  if (cursor !== null && !hasId(model))
    problems.push({ field: cursor.parameter, message: "needs rows with an id: send page or offset" });
  if (cursor !== null && paginated)
    problems.push({ field: cursor.parameter, message: "cannot be combined with page or offset" });
  if (!Number.isSafeInteger(pageOffset))
    problems.push({ field: page === null ? "offset" : "page", message: "is too large" });
  return {
    filters,
    limit,
    page,
    offset: pageOffset,
    paginated,
    cursor,
    total:
      readTotal(parameters.get("page__total"), paginated || cursor !== null, problems) ??
      (cursor === null ? "exact" : "none"),
    order_by: readOrderBy(model, parameters.get("order_by"), problems),
    descending: readDescending(parameters.get("order"), problems),
    select_fields: readSelection(model, parameters.get("select_fields"), problems),
    search_term: readSearchTerm(parameters.get("search_term"), problems),
  };
}

function readCount(parameters: Parameters, name: string, least: number, problems: Problem[]): number | null {
  const value = parameters.get(name);
  if (value === undefined) return null;
  const fits =
    typeof value === "number" ? Number.isInteger(value) : typeof value === "string" && /^\d+$/.test(value);
  const count = Number(value);
  if (fits && count >= least) return count;
  problems.push({ field: name, message: `must be a whole number of at least ${least}` });
  return least;
}

function readCursorParameter(parameters: Parameters, problems: Problem[]): PageCursor | null {
  const sent = (["page__after", "page__before"] as const).flatMap((parameter) => {
    const text = parameters.get(parameter);
    if (text === undefined) return [];
    if (typeof text === "string") return [{ parameter, text }];
    problems.push({ field: parameter, message: "must be a string" });
    return [{ parameter, text: "" }];
  });
  const [cursor, other] = sent;
  if (other !== undefined)
    problems.push({ field: other.parameter, message: "cannot be combined with page__after" });
  return cursor ?? null;
}

function readTotal(value: unknown, isPage: boolean, problems: Problem[]): PageTotal | undefined {
  if (value === undefined) return undefined;
  const total = pageTotals.find((name) => name === value);
  const message = isPage
    ? `must be one of ${pageTotals.join(", ")}`
    : "needs page, offset, page__after or page__before";
  if (total === undefined || !isPage) problems.push({ field: "page__total", message });
  return total;
}

function readOrderBy(model: Model, value: unknown, problems: Problem[]): string | null {
  if (value === undefined) return null;
  const column = typeof value === "string" ? columnsOf(model).get(value) : undefined;
  if (column === undefined) problems.push({ field: "order_by", message: "is not a field" });
  else if (!isOrderable(column))
    problems.push({
      field: "order_by",
      message: `cannot order by a ${column.dbType ?? typeOfKind(column.kind)} field`,
    });
  return column?.name ?? null;
}

function readDescending(value: unknown, problems: Problem[]): boolean {
  if (value === undefined) return false;
  const order = typeof value === "string" ? value.toUpperCase() : "";
  if (order !== "ASC" && order !== "DESC") problems.push({ field: "order", message: "must be ASC or DESC" });
  return order === "DESC";
}

function readSelection(model: Model, value: unknown, problems: Problem[]): readonly string[] | null {
  if (value === undefined) return null;
  const columns = columnsOf(model);
  const names = listItems(value);
  if (names === null || names.length === 0) {
    problems.push({ field: "select_fields", message: "must be a list of field names" });
    return null;
  }
  const known = new Set<string>();
  for (const name of names) {
    const message = selectionProblem(columns, name);
    if (message !== null) problems.push({ field: "select_fields", message });
    if (typeof name === "string") known.add(name);
  }
  return [...columns.keys()].filter((name) => known.has(name));
}

/** Passwords cannot be selected, neither by callers (403) nor by hooks. */
function selectionProblem(columns: Columns, name: unknown): string | null {
  const column = typeof name === "string" ? columns.get(name) : undefined;
  if (column?.kind === "password") return `${column.name} is never returned`;
  return column === undefined
    ? `${typeof name === "string" ? JSON.stringify(name) : "an element"} is not a field`
    : null;
}

function readSearchTerm(value: unknown, problems: Problem[]): string | null {
  return value === undefined ? null : soughtText(value, "search_term", problems);
}

import { isComparableKind, typeOfKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { defaultLimit } from "../../../../vocabulary/operations.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { type Columns, columnsOf, type Model } from "../../../models/index.ts";
import { type Filter, soughtText } from "../../sql/index.ts";
import { listItems } from "./filter-values.ts";

/** What a fetch or search is asked for, checked and with defaults applied (contract: "Pagination, selection, ordering"). */
export interface ListInput {
  readonly filters: readonly Filter[];
  readonly limit: number;
  /** As sent; it wins over a sent offset. */
  readonly page: number | null;
  readonly offset: number;
  /** The request passed `page` or `offset`, so the answer carries `pagination`. */
  readonly paginated: boolean;
  readonly order_by: string | null;
  readonly descending: boolean;
  /** Null: every field that the role may read. */
  readonly select_fields: readonly string[] | null;
  readonly search_term: string | null;
  /** Every row is wanted: more than the model's `max_limit` are an error, and `limit` is one more than that. */
  readonly all?: true;
}

/** The same, but for every row. */
export function allOf(model: Model, input: ListInput): ListInput {
  return { ...input, limit: model.maxLimit + 1, all: true };
}

type Parameters = ReadonlyMap<string, unknown>;

/** Reads what a list operation is asked for: its filters, and its other parameters by name. */
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
  if (!Number.isSafeInteger(pageOffset))
    problems.push({ field: page === null ? "offset" : "page", message: "is too large" });
  return {
    filters,
    limit,
    page,
    offset: pageOffset,
    paginated: page !== null || offset !== null,
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

function readOrderBy(model: Model, value: unknown, problems: Problem[]): string | null {
  if (value === undefined) return null;
  const column = typeof value === "string" ? columnsOf(model).get(value) : undefined;
  if (column === undefined) problems.push({ field: "order_by", message: "is not a field" });
  else if (!isComparableKind(column.kind))
    problems.push({ field: "order_by", message: `cannot order by a ${typeOfKind(column.kind)} field` });
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

/** Nobody gets a password: a caller is told 403, and a hook is held to it too. */
function selectionProblem(columns: Columns, name: unknown): string | null {
  const column = typeof name === "string" ? columns.get(name) : undefined;
  if (column?.kind === "password") return `${column.name} is never answered`;
  return column === undefined
    ? `${typeof name === "string" ? JSON.stringify(name) : "an element"} is not a field`
    : null;
}

function readSearchTerm(value: unknown, problems: Problem[]): string | null {
  return value === undefined ? null : soughtText(value, "search_term", problems);
}

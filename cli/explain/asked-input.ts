import type { Problem } from "#runtime/core/errors/index";
import {
  type ListInput,
  readFilters,
  readListInput,
  readRecord,
  requireNarrowing,
} from "#runtime/data/operations/index";
import type { Filter } from "#runtime/data/sql/index";
import { isJsonObject, type JsonObject } from "#vocabulary/json";
import {
  type fieldOperations,
  listParameters,
  type Operation,
  pageParameters,
  readOperations,
  searchParameters,
} from "#vocabulary/operations";
import { type ExplainRequest, WrongArguments } from "./explanation.ts";
import type { Subject } from "./subject.ts";

/** The input of the request that is explained. */
export interface AskedInput {
  /** Of `--id` or `--where`; null without them. */
  readonly rows: { readonly by: "id" | "where"; readonly filters: readonly Filter[] } | null;
  /** Of `--query`, with the filters of `rows`. */
  readonly list: ListInput;
  /** Of `--data`. */
  readonly data: JsonObject | null;
}

const reads: ReadonlySet<Operation> = new Set(readOperations);
const sending: ReadonlySet<Operation> = new Set<(typeof fieldOperations)[number]>([
  "create",
  "update",
  "upsert",
  "restore",
]);

/** Whether an operation only reads. */
export function isRead(operation: Operation): boolean {
  return reads.has(operation);
}

/** Reads the JSON of the flags. Errors: WrongArguments. */
export function askedInput(subject: Subject, request: ExplainRequest): AskedInput {
  const { operation, model } = subject;
  const { id, where, data, query } = request;
  const fits = (flag: string, given: string | null, isFitting: boolean) => {
    if (given !== null && !isFitting) throw new WrongArguments(`${operation} takes no ${flag}`);
  };
  const named = operation !== "create" && operation !== "upsert";
  fits("--id", id, named);
  fits("--where", where, named);
  fits("--data", data, sending.has(operation));
  fits("--query", query, isRead(operation));
  if (id !== null && where !== null) throw new WrongArguments("--id and --where cannot be combined");
  const problems: Problem[] = [];
  const rows = id !== null ? { id } : where === null ? null : objectOf("--where", where);
  const filters = rows === null ? [] : readFilters(model, Object.entries(rows), problems);
  if (where !== null && !isRead(operation)) requireNarrowing(filters, "where", problems);
  refuse(id === null ? "--where" : "--id", problems);
  const list = listOf(subject, query === null ? {} : objectOf("--query", query), problems);
  refuse("--query", problems);
  const record =
    data === null ? null : readRecord(model, { data: objectOf("--data", data) }, "data", problems);
  refuse("--data", problems);
  return {
    rows: rows === null ? null : { by: id === null ? "where" : "id", filters },
    list: { ...list, filters: [...filters, ...list.filters] },
    data: record,
  };
}

/** Parameters and filters, as in the query string of a fetch. `where` holds filters too. */
function listOf({ model, operation }: Subject, given: JsonObject, problems: Problem[]): ListInput {
  const { where = {}, ...others } = given;
  const known = new Set([...(operation === "search" ? searchParameters : listParameters), ...pageParameters]);
  const isKnown = ([name]: readonly [string, unknown]) => known.has(name);
  const entries = Object.entries(others);
  const filters = [...entries.filter((entry) => !isKnown(entry)), ...Object.entries(where ?? {})];
  return readListInput(
    model,
    readFilters(model, filters, problems),
    new Map(entries.filter(isKnown)),
    problems,
  );
}

/** The JSON object of a flag. Errors: WrongArguments. */
export function objectOf(flag: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new WrongArguments(
      `${flag} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!isJsonObject(value)) throw new WrongArguments(`${flag} must be a JSON object`);
  return value;
}

function refuse(flag: string, [problem]: readonly Problem[]): void {
  if (problem !== undefined) throw new WrongArguments(`${flag}: ${problem.field} ${problem.message}`);
}

import { type Problem, refuseProblems, ServiceError } from "#runtime/core/errors/index";
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

/** Whether an operation only reads. */
export function isRead(operation: Operation): boolean {
  return readOperations.some((one) => one === operation);
}

/** Reads the JSON of the flags. Errors: WrongArguments. */
export function askedInput(subject: Subject, request: ExplainRequest): AskedInput {
  const { operation, model } = subject;
  const { id, where, data, query } = request;
  const isNew = operation === "create" || operation === "upsert";
  const sends = isNew || operation === "update" || operation === "restore";
  const unfit = [
    ["--id", id !== null && isNew],
    ["--where", where !== null && isNew],
    ["--data", data !== null && !sends],
    ["--query", query !== null && !isRead(operation)],
  ].find(([, isUnfit]) => isUnfit);
  if (unfit !== undefined) throw new WrongArguments(`${operation} takes no ${unfit[0]}`);
  if (id !== null && where !== null) throw new WrongArguments("--id and --where cannot be combined");
  const rows = id !== null ? { id } : where === null ? null : objectOf("--where", where);
  const filters = readFlag(id === null ? "--where" : "--id", (problems) => {
    const read = rows === null ? [] : readFilters(model, Object.entries(rows), problems);
    return where === null || isRead(operation) ? read : requireNarrowing(read, "where", problems);
  });
  const parameters = query === null ? {} : objectOf("--query", query);
  const list = readFlag("--query", (problems) => listOf(subject, parameters, problems));
  const record = data === null ? null : { data: objectOf("--data", data) };
  return {
    rows: rows === null ? null : { by: id === null ? "where" : "id", filters },
    list: { ...list, filters: [...filters, ...list.filters] },
    data: record && readFlag("--data", (problems) => readRecord(model, record, "data", problems)),
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

/** Errors: WrongArguments for a problem. */
function readFlag<Value>(flag: string, read: (problems: Problem[]) => Value): Value {
  const problems: Problem[] = [];
  try {
    const value = read(problems);
    refuseProblems(problems);
    return value;
  } catch (error) {
    throw error instanceof ServiceError ? new WrongArguments(`${flag}: ${error.message}`) : error;
  }
}

import { isPlainObject, type JsonObject, jsonText } from "../../../vocabulary/json.ts";
import { listParameters, searchParameters } from "../../../vocabulary/operations.ts";
import type { Problem } from "../../core/errors/index.ts";
import { hookFault } from "../../hooks/index.ts";
import type { Model } from "../../models/index.ts";
import type { Filter } from "../sql/index.ts";
import { readFilter, sentFilter } from "./filters.ts";
import {
  type ListInput,
  type RemovalInput,
  readIds,
  readListInput,
  requireNarrowing,
} from "./request-input.ts";

/**
 * Reads the result of a before-hook. An invalid result is not the caller's fault: 500 `INTERNAL_ERROR`, with
 * the reason in the log. Undefined keys count as missing.
 */
export function fromHook<Value>(
  hook: { readonly name: string },
  given: unknown,
  read: (given: JsonObject, problems: Problem[]) => Value,
): Value {
  if (!isPlainObject(given)) throw hookFault(hook, "a value that is not a plain object");
  const problems: Problem[] = [];
  const value = read(withoutUndefined(given), problems);
  const [first] = problems;
  if (first !== undefined) throw hookFault(hook, `an invalid value: ${first.field} ${first.message}`);
  return value;
}

/** A copy without undefined keys. */
export function withoutUndefined(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The query of a fetch or search. */
export function readAppQuery(
  model: Model,
  operation: "fetch" | "search",
  { where, ...given }: JsonObject,
  problems: Problem[],
): ListInput {
  const known = operation === "search" ? searchParameters : listParameters;
  refuseOthers(given, (key) => known.has(key), problems);
  const filters = readAppWhere(model, where, problems);
  return readListInput(model, filters, new Map(Object.entries(given)), problems);
}

/** The filters and the record of an update or restore. The fields of the record are checked later. */
export function readAppChange(
  model: Model,
  { where, data, ...others }: JsonObject,
  problems: Problem[],
): { readonly filters: readonly Filter[]; readonly data: JsonObject } {
  refuseOthers(others, () => false, problems);
  const filters = requireNarrowing(readAppWhere(model, where, problems), "where", problems);
  if (isPlainObject(data)) return { filters, data: readAppRecord(withoutUndefined(data), problems) };
  problems.push({ field: "data", message: "is not a plain object" });
  return { filters, data: {} };
}

/** The rows of a delete or destroy: filters or ids, not both. */
export function readAppRemoval(
  model: Model,
  bulkLimit: number,
  given: JsonObject,
  problems: Problem[],
): RemovalInput {
  const { where, ids, ...others } = given;
  refuseOthers(others, () => false, problems);
  if (ids === undefined)
    return { filters: requireNarrowing(readAppWhere(model, where, problems), "where", problems) };
  if (where !== undefined) problems.push({ field: "ids", message: "cannot be combined with where" });
  return { ids: readIds(model, ids, bulkLimit, problems) };
}

/** A record. Its fields are checked later. */
export function readAppRecord(given: JsonObject, problems: Problem[]): JsonObject {
  try {
    jsonText(given);
  } catch (error) {
    problems.push({ field: "data", message: error instanceof Error ? error.message : String(error) });
  }
  return given;
}

/** Reads filters like those of a caller, but ignores none. */
export function readAppWhere(model: Model, where: unknown, problems: Problem[]): Filter[] {
  if (!isPlainObject(where)) {
    problems.push({ field: "where", message: "is not a plain object" });
    return [];
  }
  return Object.entries(where).flatMap(
    ([key, value]) => readFilter(model, sentFilter(key, value), problems) ?? [],
  );
}

function refuseOthers(given: JsonObject, isKnown: (key: string) => boolean, problems: Problem[]): void {
  for (const key of Object.keys(given))
    if (!isKnown(key)) problems.push({ field: key, message: "is unknown" });
}

import { isPlainObject, type JsonObject } from "../../../vocabulary/json.ts";
import { invalid, type Problem } from "../../core/errors/index.ts";
import type { Model } from "../../models/index.ts";
import {
  allOf,
  type ChangeInput,
  type ListInput,
  limitKeys,
  mayBeEmpty,
  type RecordInput,
  type RemovalInput,
  readCodeChange,
  readCodeQuery,
  readCodeRecord,
  readCodeRemoval,
  readCodeWhere,
  readListInput,
  withoutUndefined,
} from "../operations/index.ts";

/** What a call of code is given, as it is. */
function plainObject(given: unknown, name: string): JsonObject {
  if (!isPlainObject(given)) throw invalid([{ field: name, message: "must be a plain object" }]);
  limitKeys(given, name);
  return given;
}

/** The same without keys that are undefined. A filter has none: without one it would reach further than meant. */
function definedKeys(given: unknown, name: string): JsonObject {
  return withoutUndefined(plainObject(given, name));
}

/** A page of rows; of a fetch without `limit` all of them. */
export function readQuery(
  model: Model,
  operation: "fetch" | "search",
  sent: unknown,
  problems: Problem[],
): ListInput {
  const { where = {}, ...query } = definedKeys(sent, "query");
  const input = readCodeQuery(model, operation, { where: plainObject(where, "where"), ...query }, problems);
  if (operation === "search" || query["limit"] !== undefined) return input;
  if (query["page"] !== undefined) problems.push({ field: "page", message: "needs a limit" });
  return allOf(model, input);
}

/** The filters of a count. */
export function readFilter(model: Model, where: unknown, problems: Problem[]): ListInput {
  const filters = readCodeWhere(model, plainObject(where, "where"), problems);
  return readListInput(model, filters, new Map(), problems);
}

/** The row with an id. */
export function readId(model: Model, id: unknown, problems: Problem[]): ListInput {
  if (id === null || id === undefined) problems.push({ field: "id", message: "is required" });
  const filters = readCodeWhere(model, { id }, problems);
  return readListInput(model, filters, new Map([["limit", 1]]), problems);
}

/** One record to write. */
export function readNewRecord(model: Model, given: unknown, problems: Problem[]): RecordInput {
  const data = readCodeRecord(definedKeys(given, "data"), problems);
  if (Object.keys(data).length === 0 && !mayBeEmpty(model)) problems.push(emptyData);
  return { data };
}

/** Many records to write, each of which is checked on its own later. */
export function readNewRecords(given: readonly unknown[], problems: Problem[]): readonly unknown[] {
  return given.map((record) =>
    isPlainObject(record) ? readCodeRecord(withoutUndefined(record), problems) : record,
  );
}

/** What an update changes. */
export function readChange(model: Model, given: unknown, problems: Problem[]): ChangeInput {
  const { where, data, ...others } = definedKeys(given, "update");
  const parts = { where: plainObject(where, "where"), data: plainObject(data, "data") };
  const input = readCodeChange(model, { ...others, ...parts }, problems);
  if (Object.keys(input.data).length === 0) problems.push(emptyData);
  return input;
}

const emptyData = { field: "data", message: "must be an object that is not empty" };

/** The rows that a delete, destroy or restore is about. */
export function readTarget(
  model: Model,
  bulkLimit: number,
  given: unknown,
  problems: Problem[],
): RemovalInput {
  const { where, ...others } = definedKeys(given, "target");
  const sent = where === undefined ? others : { ...others, where: plainObject(where, "where") };
  return readCodeRemoval(model, bulkLimit, sent, problems);
}

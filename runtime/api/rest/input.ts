import type { JsonObject } from "../../../vocabulary/json.ts";
import { listParameters, pageParameters, searchParameters } from "../../../vocabulary/operations.ts";
import type { Problem } from "../../core/errors/index.ts";
import { readQueryString } from "../../core/http/index.ts";
import {
  type BulkInput,
  type ChangeInput,
  type ListInput,
  type RecordInput,
  type RemovalInput,
  readFields,
  readFilters,
  readIds,
  readListInput,
  readObject,
  readRecord,
  readRecords,
  readWhere,
  refuseUnknownKeys,
  requireFilters,
  requireNarrowing,
} from "../../data/operations/index.ts";
import type { FieldMentions } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";

export interface RawRequest {
  readonly model: Model;
  readonly parameters: ReadonlyMap<string, string>;
  readonly body: JsonObject | undefined;
  /** The maximum of records or ids. */
  readonly bulkLimit: number;
}

/**
 * Reads the input of an operation. Adds errors to `problems`, because permissions for named fields are
 * checked first: 403 wins over 400.
 */
export interface InputParser<Input extends FieldMentions> {
  readonly body: boolean;
  readonly read: (request: RawRequest, problems: Problem[]) => Input;
}

const exceptions = {
  // Every operation ignores `deleted_at`, with any operator.
  mayRepeat: /^(?:where\[)?deleted_at(?:__|$|\])/,
  mayBeEmpty: /^(?:where\[)?deleted_at(?:__|$|\])|__is_(?:not_)?null\]?$/,
};

/** Reads the query string of a request, as `readQueryString` does. */
export function readParameters(text: string, problems: Problem[]): RawRequest["parameters"] {
  return readQueryString(text, problems, exceptions);
}

/**
 * In a write with a body, filters of the query string would be ignored, and the write would reach more rows
 * than intended.
 */
function refuseParameters(parameters: RawRequest["parameters"], problems: Problem[]): void {
  for (const field of parameters.keys()) problems.push({ field, message: "belongs in the body" });
}

/** Splits a query string into filters, whose names can be in `where[…]`, and the `known` parameters. */
function splitParameters(
  parameters: RawRequest["parameters"],
  known: ReadonlySet<string>,
  problems: Problem[],
): { readonly where: ReadonlyMap<string, string>; readonly others: Map<string, string> } {
  const where = new Map<string, string>();
  const others = new Map<string, string>();
  for (const [name, value] of parameters) {
    const filter = /^where\[(.+)\]$/s.exec(name)?.[1];
    if (filter === undefined && known.has(name)) {
      others.set(name, value);
      continue;
    }
    const key = filter ?? name;
    if (where.has(key) && !exceptions.mayRepeat.test(key))
      problems.push({ field: name, message: "is used more than once" });
    where.set(key, value);
  }
  return { where, others };
}

const noBody: JsonObject = Object.freeze({});

const noPageParameters: ReadonlySet<string> = new Set();

/** `paged`: the parameters of pages that count; others have no effect. */
function listParser(known: ReadonlySet<string>, paged = noPageParameters): InputParser<ListInput> {
  const all = new Set([...known, ...pageParameters]);
  return {
    body: false,
    read: ({ model, parameters }, problems) => {
      const { where, others } = splitParameters(parameters, all, problems);
      for (const name of pageParameters) if (!paged.has(name)) others.delete(name);
      return readListInput(model, readFilters(model, where, problems), others, problems);
    },
  };
}

/** For `count`. */
const filter = listParser(listParameters);

/** For `exists`. */
const requiredFilter: InputParser<ListInput> = {
  body: false,
  read: (request, problems) => {
    const wanted = filter.read(request, problems);
    requireFilters(wanted.filters, "filter", problems);
    return wanted;
  },
};

/** `{data: {…}}` or `{data: [{…}, …]}`. */
const records: InputParser<RecordInput | BulkInput> = {
  body: true,
  read: ({ model, parameters, body = noBody, bulkLimit }, problems) => {
    refuseParameters(parameters, problems);
    refuseUnknownKeys(model, body, ["data"], problems);
    const data = body["data"];
    return Array.isArray(data)
      ? readRecords(model, data, bulkLimit, problems)
      : { data: readRecord(model, body, "data", problems) };
  },
};

/** `{data: {…}}`. */
const record: InputParser<RecordInput> = {
  body: true,
  read: ({ model, parameters, body = noBody }, problems) => {
    refuseParameters(parameters, problems);
    refuseUnknownKeys(model, body, ["data"], problems);
    return { data: readRecord(model, body, "data", problems) };
  },
};

/** `{where: {…}, data: {…}}`, or `{data: [{id, …}, …]}`. */
const changes: InputParser<ChangeInput | BulkInput> = {
  body: true,
  read: (request, problems) => {
    const { model, parameters, body = noBody, bulkLimit } = request;
    const data = body["data"];
    if (!Array.isArray(data)) return readChange(request, problems);
    refuseParameters(parameters, problems);
    refuseUnknownKeys(model, body, ["data"], problems);
    return readRecords(model, data, bulkLimit, problems);
  },
};

/** `{where: {…}, data: {…}}`. */
const restoration: InputParser<ChangeInput> = { body: true, read: readChange };

function readChange({ model, parameters, body = noBody }: RawRequest, problems: Problem[]): ChangeInput {
  refuseParameters(parameters, problems);
  refuseUnknownKeys(model, body, ["where", "data"], problems);
  const data = readFields(model, body, "data", problems);
  return { data, filters: readWhere(model, readObject(body, "where", problems), "where", problems) };
}

const noParameters: ReadonlySet<string> = new Set();

/** `{query: {…}}`, `{where: {…}}`, `{ids: […]}`, or filters in the query string. */
const removal: InputParser<RemovalInput> = {
  body: true,
  read: ({ model, parameters, body, bulkLimit }, problems) => {
    if (body === undefined) {
      const { where } = splitParameters(parameters, noParameters, problems);
      return { filters: requireNarrowing(readFilters(model, where, problems), "query", problems) };
    }
    if (parameters.size > 0)
      problems.push({ field: "query", message: "send the body or the query string, not both" });
    refuseUnknownKeys(model, body, ["query", "where", "ids"], problems);
    const sent = ["query", "where", "ids"].filter((key) => Object.hasOwn(body, key));
    if (sent.length > 1)
      problems.push({ field: sent[1] ?? "query", message: `cannot be combined with ${sent[0]}` });
    if (Object.hasOwn(body, "ids")) return { ids: readIds(model, body["ids"], bulkLimit, problems) };
    const key = sent[0] ?? "query";
    return { filters: readWhere(model, readObject(body, key, problems), key, problems) };
  },
};

export const input = {
  list: listParser(listParameters, pageParameters),
  search: listParser(searchParameters, pageParameters),
  filter,
  requiredFilter,
  records,
  record,
  changes,
  restoration,
  removal,
};

import { isPlainObject, type JsonObject } from "../../../vocabulary/json.ts";
import { invalid, type Problem } from "../../core/errors/index.ts";
import { parseStored } from "../../core/text/index.ts";
import type { IdOf, ModelAccess, ReadAccess, Selected, Target } from "../../hooks/context/index.ts";
import type { AnyTypes, Model } from "../../models/index.ts";
import {
  allOf,
  type ChangeInput,
  createRecords,
  crud,
  type ListInput,
  limitKeys,
  type ModelEntry,
  type MutationResult,
  type MutationScope,
  mayBeEmpty,
  mutate,
  type OperationContext,
  openRows,
  type RecordInput,
  type RemovalInput,
  readAppChange,
  readAppQuery,
  readAppRecord,
  readAppRemoval,
  readAppWhere,
  readFilters,
  readListInput,
  readRecords,
  recordNotFound,
  rowsByIds,
  withoutUndefined,
} from "../operations/index.ts";
import { idJson } from "../sql/index.ts";
import { beginCall, type CallMode, runCall, runWrite } from "./call-mode.ts";

function plainObject(given: unknown, name: string): JsonObject {
  if (!isPlainObject(given)) throw invalid([{ field: name, message: "must be a plain object" }]);
  limitKeys(given, name);
  return given;
}

/**
 * A plain object without its undefined keys. Filters keep them: a missing value is an error there, because
 * the call would reach more rows than intended.
 */
function definedKeys(given: unknown, name: string): JsonObject {
  return withoutUndefined(plainObject(given, name));
}

/** A page of rows; a fetch without `limit` returns all of them. */
function readQuery(
  model: Model,
  operation: "fetch" | "search",
  sent: unknown,
  problems: Problem[],
): ListInput {
  const { where = {}, ...query } = definedKeys(sent, "query");
  const input = readAppQuery(model, operation, { where: plainObject(where, "where"), ...query }, problems);
  if (operation === "search" || query["limit"] !== undefined) return input;
  if (query["page"] !== undefined) problems.push({ field: "page", message: "needs a limit" });
  return allOf(model, input);
}

/** The filters of a count. */
function readFilter(model: Model, where: unknown, problems: Problem[]): ListInput {
  const filters = readAppWhere(model, plainObject(where, "where"), problems);
  return readListInput(model, filters, new Map(), problems);
}

/** The id of one row. */
function readId(model: Model, id: unknown, problems: Problem[]): ListInput {
  if (id === null || id === undefined) problems.push({ field: "id", message: "is required" });
  const filters = readAppWhere(model, { id }, problems);
  return readListInput(model, filters, new Map([["limit", 1]]), problems);
}

/** One record to create. */
function readNewRecord(model: Model, given: unknown, problems: Problem[]): RecordInput {
  const data = readAppRecord(definedKeys(given, "data"), problems);
  if (Object.keys(data).length === 0 && !mayBeEmpty(model)) problems.push(emptyData);
  return { data };
}

/** Records to create. Each is checked later. */
function readNewRecords(given: readonly unknown[], problems: Problem[]): readonly unknown[] {
  return given.map((record) =>
    isPlainObject(record) ? readAppRecord(withoutUndefined(record), problems) : record,
  );
}

/** The record of an update. */
function readChange(model: Model, given: unknown, problems: Problem[]): ChangeInput {
  const { where, data, ...others } = definedKeys(given, "update");
  const parts = { where: plainObject(where, "where"), data: plainObject(data, "data") };
  const input = readAppChange(model, { ...others, ...parts }, problems);
  if (Object.keys(input.data).length === 0) problems.push(emptyData);
  return input;
}

const emptyData = { field: "data", message: "must be an object that is not empty" };

function readTarget(model: Model, bulkLimit: number, given: unknown, problems: Problem[]): RemovalInput {
  const { where, ...others } = definedKeys(given, "target");
  const sent = where === undefined ? others : { ...others, where: plainObject(where, "where") };
  return readAppRemoval(model, bulkLimit, sent, problems);
}

type Reading = "fetch" | "search" | "count" | "exists";
type Row = AnyTypes["row"];

/** The read methods of a model. Each is one operation with one statement. */
export function readAccess(mode: CallMode, entry: ModelEntry): ReadAccess<AnyTypes> {
  /** Runs a read operation. `Data` is the JSON of its response. */
  function ask<Data, Result>(
    operation: Reading,
    read: (model: Model, problems: Problem[]) => ListInput,
    result: (data: Data) => Result,
  ): Promise<Result> {
    return runCall(mode.scope, async () => {
      const { call, grant, input } = beginCall(mode, entry, operation, ({ model }, problems) =>
        read(model, problems),
      );
      // If the read fails, the deferred work of its hooks is dropped.
      const { data } = await call.later.within((later) =>
        crud[operation].run({ ...call, later }, grant, input),
      );
      return result(parseStored(data));
    });
  }
  /** The rows have the selected fields. */
  const list = <Name extends string>(operation: "fetch" | "search", query: unknown) =>
    ask(
      operation,
      (model, problems) => readQuery(model, operation, query, problems),
      (rows: Selected<AnyTypes, Name>[]) => rows,
    );
  return {
    fetch: (query = {}) => list("fetch", query),
    search: (query) => list("search", query),
    count: (where = {}) =>
      ask(
        "count",
        (model, problems) => readFilter(model, where, problems),
        (data: { readonly count: number }) => data.count,
      ),
    exists: (where = {}) =>
      ask(
        "exists",
        (model, problems) => readFilter(model, where, problems),
        (data: { readonly exists: boolean }) => data.exists,
      ),
    get: (id) =>
      ask(
        "fetch",
        (model, problems) => readId(model, id, problems),
        ([row]: Row[]) => row ?? null,
      ),
  };
}

type WriteAccess = Omit<ModelAccess<AnyTypes>, keyof ReadAccess<AnyTypes>>;
type Ids = IdOf<AnyTypes>[];

/** The write methods of a model. */
export function writeAccess(mode: CallMode, entry: ModelEntry): WriteAccess {
  const { scope } = mode;
  function create(given: readonly AnyTypes["create"][]): Promise<Row[]>;
  function create(given: AnyTypes["create"]): Promise<Row>;
  function create(given: AnyTypes["create"] | readonly AnyTypes["create"][]): Promise<Row | Row[]> {
    return runWrite<Row | Row[]>(scope, () =>
      Array.isArray(given) ? createMany(mode, entry, given) : createOne(mode, entry, given),
    );
  }
  return {
    create,
    upsert: (record) => runWrite(scope, () => upsert(mode, entry, record)),
    update: (change) => runWrite(scope, () => update(mode, entry, change)),
    delete: (target) => runWrite(scope, () => remove(mode, entry, "delete", target)),
    destroy: (target) => runWrite(scope, () => remove(mode, entry, "destroy", target)),
    restore: (target) => runWrite(scope, () => restore(mode, entry, target)),
  };
}

async function createOne(mode: CallMode, entry: ModelEntry, record: unknown): Promise<Row> {
  const { call, grant, input } = beginCall(mode, entry, "create", ({ model }, problems) =>
    readNewRecord(model, record, problems),
  );
  const { data } = await crud.create.run(call, grant, input);
  return parseStored(data);
}

/** Creates all records, or none. */
async function createMany(mode: CallMode, entry: ModelEntry, records: readonly unknown[]): Promise<Row[]> {
  if (records.length === 0) return [];
  const { call, grant, input } = beginCall(mode, entry, "create", ({ model, services }, problems) =>
    readRecords(model, readNewRecords(records, problems), services.bulkLimit, problems),
  );
  return mutate(call, true, async (work) => {
    const { ids } = await createRecords(call, grant, work, input.records, "all");
    return visibleRows(call, work, ids, idOnly);
  });
}

async function upsert(mode: CallMode, entry: ModelEntry, record: unknown): Promise<Row> {
  const { call, grant, input } = beginCall(mode, entry, "upsert", ({ model }, problems) =>
    readNewRecord(model, record, problems),
  );
  return mutate(call, true, async (work) => {
    const { ids } = await crud.upsert.execute(call, grant, work, input);
    const [row] = await visibleRows(call, work, ids, idOnly);
    if (row === undefined) throw recordNotFound();
    return row;
  });
}

async function update(mode: CallMode, entry: ModelEntry, change: unknown): Promise<Row[]> {
  const { call, grant, input } = beginCall(mode, entry, "update", ({ model }, problems) =>
    readChange(model, change, problems),
  );
  return mutate(call, true, async (work) => {
    const { ids } = await crud.update.execute(call, grant, work, input);
    return visibleRows(call, work, ids, () => []);
  });
}

/** The written rows. `hidden` replaces those that the caller may not fetch. */
async function visibleRows(
  call: OperationContext,
  { connection }: MutationScope,
  ids: readonly string[],
  hidden: (call: OperationContext, id: string) => Row[],
): Promise<Row[]> {
  const { view } = call;
  if (view.fetches.kind === "all") return rowsByIds(call, connection, view, ids);
  const open = await openRows(call, connection, view.fetches, ids);
  return ids.flatMap((id) => {
    const row = open.get(id);
    return row === undefined ? hidden(call, id) : [row];
  });
}

/** As in REST: the id of a written row, if the caller may read it. */
function idOnly({ model, view }: OperationContext, id: string): Row[] {
  return [view.unreadable.has("id") ? {} : { id: parseStored(idJson(model, id)) }];
}

async function remove(
  mode: CallMode,
  entry: ModelEntry,
  operation: "delete" | "destroy",
  target: Target<AnyTypes>,
): Promise<Ids> {
  if (hasNoIds(target)) return [];
  const { call, grant, input } = beginCall(mode, entry, operation, ({ model, services }, problems) =>
    readTarget(model, services.bulkLimit, target, problems),
  );
  return mutate(call, true, async (work) =>
    idsOf(call, await crud[operation].execute(call, grant, work, input)),
  );
}

async function restore(mode: CallMode, entry: ModelEntry, target: Target<AnyTypes>): Promise<Ids> {
  if (hasNoIds(target)) return [];
  const { call, grant, input } = beginCall(mode, entry, "restore", ({ model, services }, problems) =>
    readTarget(model, services.bulkLimit, target, problems),
  );
  const { model } = call;
  // As in REST, which has no route for such a model.
  if (!model.softDelete) throw recordNotFound();
  const filters = "ids" in input ? readFilters(model, [["id__in", input.ids]], []) : input.filters;
  return mutate(call, true, async (work) => {
    const named = "ids" in input ? input.ids.length : 0;
    return idsOf(call, await crud.restore.execute(call, grant, work, { filters, data: {}, named }));
  });
}

/** An empty list of ids is not an error: no row is missing. */
function hasNoIds(target: Target<AnyTypes>): boolean {
  return "ids" in target && !("where" in target) && Array.isArray(target.ids) && target.ids.length === 0;
}

/** Empty if the caller may not read ids. */
function idsOf({ model, view }: OperationContext, { ids }: MutationResult): Ids {
  return view.unreadable.has("id") ? [] : ids.map((id) => parseStored(idJson(model, id)));
}

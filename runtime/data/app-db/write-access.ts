import { parseStored } from "../../core/text/index.ts";
import type { IdOf, ModelAccess, ReadAccess, Target } from "../../hooks/context/index.ts";
import type { AnyTypes } from "../../models/index.ts";
import {
  createRecords,
  crud,
  type ModelEntry,
  type MutationResult,
  type MutationScope,
  mutate,
  noSuchRecord,
  type OperationContext,
  openRows,
  readFilters,
  readRecords,
  rowsByIds,
} from "../operations/index.ts";
import { idJson } from "../sql/index.ts";
import { readChange, readNewRecord, readNewRecords, readTarget } from "./code-values.ts";
import { beginCall, runWrite } from "./run-call.ts";
import type { Standing } from "./standing.ts";

type WriteAccess = Omit<ModelAccess<AnyTypes>, keyof ReadAccess<AnyTypes>>;
type Row = AnyTypes["row"];
type Ids = IdOf<AnyTypes>[];

/** The methods of a model that write. */
export function writeAccess(standing: Standing, entry: ModelEntry): WriteAccess {
  const { scope } = standing;
  function create(given: readonly AnyTypes["create"][]): Promise<Row[]>;
  function create(given: AnyTypes["create"]): Promise<Row>;
  function create(given: AnyTypes["create"] | readonly AnyTypes["create"][]): Promise<Row | Row[]> {
    return runWrite<Row | Row[]>(scope, () =>
      Array.isArray(given) ? createMany(standing, entry, given) : createOne(standing, entry, given),
    );
  }
  return {
    create,
    upsert: (record) => runWrite(scope, () => upsert(standing, entry, record)),
    update: (change) => runWrite(scope, () => update(standing, entry, change)),
    delete: (target) => runWrite(scope, () => remove(standing, entry, "delete", target)),
    destroy: (target) => runWrite(scope, () => remove(standing, entry, "destroy", target)),
    restore: (target) => runWrite(scope, () => restore(standing, entry, target)),
  };
}

async function createOne(standing: Standing, entry: ModelEntry, record: unknown): Promise<Row> {
  const { call, grant, input } = beginCall(standing, entry, "create", ({ model }, problems) =>
    readNewRecord(model, record, problems),
  );
  const { data } = await crud.create.run(call, grant, input);
  return parseStored(data);
}

/** All of the records, or none. */
async function createMany(
  standing: Standing,
  entry: ModelEntry,
  records: readonly unknown[],
): Promise<Row[]> {
  if (records.length === 0) return [];
  const { call, grant, input } = beginCall(standing, entry, "create", ({ model, services }, problems) =>
    readRecords(model, readNewRecords(records, problems), services.bulkLimit, problems),
  );
  return mutate(call, true, async (work) => {
    const { ids } = await createRecords(call, grant, work, input.records, "all");
    return rowsTold(call, work, ids, named);
  });
}

async function upsert(standing: Standing, entry: ModelEntry, record: unknown): Promise<Row> {
  const { call, grant, input } = beginCall(standing, entry, "upsert", ({ model }, problems) =>
    readNewRecord(model, record, problems),
  );
  return mutate(call, true, async (work) => {
    const { ids } = await crud.upsert.perform(call, grant, work, input);
    const [row] = await rowsTold(call, work, ids, named);
    if (row === undefined) throw noSuchRecord();
    return row;
  });
}

async function update(standing: Standing, entry: ModelEntry, change: unknown): Promise<Row[]> {
  const { call, grant, input } = beginCall(standing, entry, "update", ({ model }, problems) =>
    readChange(model, change, problems),
  );
  return mutate(call, true, async (work) => {
    const { ids } = await crud.update.perform(call, grant, work, input);
    return rowsTold(call, work, ids, () => []);
  });
}

/** The rows that a write wrote. `hidden` tells of those that the caller may not fetch. */
async function rowsTold(
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

/** What REST tells of a row that is written: its id, to whoever may read that. */
function named({ model, view }: OperationContext, id: string): Row[] {
  return [view.unreadable.has("id") ? {} : { id: parseStored(idJson(model.id, id)) }];
}

async function remove(
  standing: Standing,
  entry: ModelEntry,
  operation: "delete" | "destroy",
  target: Target<AnyTypes>,
): Promise<Ids> {
  if (namesNothing(target)) return [];
  const { call, grant, input } = beginCall(standing, entry, operation, ({ model, services }, problems) =>
    readTarget(model, services.bulkLimit, target, problems),
  );
  return mutate(call, true, async (work) =>
    idsOf(call, await crud[operation].perform(call, grant, work, input)),
  );
}

async function restore(standing: Standing, entry: ModelEntry, target: Target<AnyTypes>): Promise<Ids> {
  if (namesNothing(target)) return [];
  const { call, grant, input } = beginCall(standing, entry, "restore", ({ model, services }, problems) =>
    readTarget(model, services.bulkLimit, target, problems),
  );
  const { model } = call;
  // As over REST, where such a model has no route for it.
  if (!model.softDelete) throw noSuchRecord();
  const filters = "ids" in input ? readFilters(model, [["id__in", input.ids]], []) : input.filters;
  return mutate(call, true, async (work) => {
    const named = "ids" in input ? input.ids.length : 0;
    return idsOf(call, await crud.restore.perform(call, grant, work, { filters, data: {}, named }));
  });
}

/** No ids at all name no row, which is none that is missing. */
function namesNothing(target: Target<AnyTypes>): boolean {
  return "ids" in target && !("where" in target) && Array.isArray(target.ids) && target.ids.length === 0;
}

/** A caller who may not read ids is told none. */
function idsOf({ model, view }: OperationContext, { ids }: MutationResult): Ids {
  return view.unreadable.has("id") ? [] : ids.map((id) => parseStored(idJson(model.id, id)));
}

import type { ModelDefinition, RelationDefinition } from "#generator/definition/definition";
import type { Json } from "#vocabulary/json";
import { type AccessCheck, changedByHook, modelOf } from "../access-check.ts";
import type { CheckCaller } from "../check-callers.ts";
import { readableFields, readsField, rulesFor } from "../model-access.ts";
import { liveRows, sentId, tableRow } from "../table-rows.ts";
import {
  type AskedReply,
  ask,
  atPrefix,
  type CellVerdict,
  explainLine,
  failedCell,
  isDenied,
  isJsonRecord,
  notTried,
  passed,
  queryOf,
  recordsIn,
  rootOf,
} from "./ask.ts";
import { idList } from "./ask-reads.ts";

const mostParents = 50;
const mostChildren = 20;

/** Asks each join of a model over GraphQL: the fetch rules and the gates of the joined model hold. */
export async function askJoins(check: AccessCheck, model: ModelDefinition): Promise<void> {
  if (!check.operations.has("fetch")) return;
  for (const relation of model.relations)
    for (const caller of check.callers) {
      const rules = rulesFor(model.access.operations.fetch, caller.role);
      if (rules.length === 0) continue;
      const verdict = await askJoin(check, model, relation, caller);
      if (verdict === null) continue;
      const cell = { model: model.key, operation: "fetch", caller: caller.name, front: "graphql" as const };
      check.add({ ...cell, rows: `join ${relation.name}`, ...verdict });
    }
}

/** Null for a caller who reaches no row. */
async function askJoin(
  check: AccessCheck,
  model: ModelDefinition,
  relation: RelationDefinition,
  caller: CheckCaller,
): Promise<CellVerdict | null> {
  if (!readsField(model, "id", caller.role)) return notTried("the caller cannot read id");
  const ids = liveRows(check.stored, model).map(({ id }) => id);
  const open = await check.expectations.open(
    model,
    rulesFor(model.access.operations.fetch, caller.role),
    caller,
    ids,
  );
  const parents = [...open].slice(0, mostParents);
  if (parents.length === 0) return null;
  const joined = modelOf(check, relation.model);
  const readable = readableFields(joined, caller.role);
  const isClosed =
    !readsField(model, relation.field, caller.role) || readable.length === 0 || !reaches(joined, caller);
  const limit = relation.kind === "has_many" ? `(limit: ${mostChildren})` : "";
  const document = `query ($ids: ${idList(model)}) { ${model.key}(id: { in: $ids }, limit: ${parents.length}) { id ${relation.name}${limit} { ${readable.join(" ") || "id"} } } }`;
  const question = atPrefix(check, queryOf(document, { ids: parents.map((id) => sentId(model, id)) }));
  const reply = await ask(check, caller, question);
  const explain = explainLine(`${joined.key}.fetch`, caller);
  if (isClosed)
    return isDenied(reply) ? passed : failedCell(question, "403 PERMISSION_DENIED", reply, explain);
  const expected = await joinedRows(check, model, relation, joined, caller, parents);
  return judge(check, { model, relation, readable, expected, parents }, reply, (what) =>
    failedCell(
      question,
      `200 with the joined rows ${JSON.stringify(Object.fromEntries(expected))}`,
      reply,
      `${what}: ${explain}`,
    ),
  );
}

/** An internal model has no fetch rules that joins obey. */
function reaches(joined: ModelDefinition, { role }: CheckCaller): boolean {
  return joined.internal || joined.builtIn || rulesFor(joined.access.operations.fetch, role).length > 0;
}

/** The ids of the rows that a join answers, by the id of its parent. */
async function joinedRows(
  check: AccessCheck,
  model: ModelDefinition,
  relation: RelationDefinition,
  joined: ModelDefinition,
  caller: CheckCaller,
  parents: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = liveRows(check.stored, joined);
  const rules = rulesFor(joined.access.operations.fetch, caller.role);
  const ids = rows.map(({ id }) => id);
  const open =
    joined.internal || joined.builtIn
      ? new Set(ids)
      : await check.expectations.open(joined, rules, caller, ids);
  const most = relation.kind === "has_many" ? mostChildren : 1;
  return new Map(
    parents.map((parent) => {
      const value = tableRow(check.stored, model, parent)?.values[relation.field] ?? null;
      const matching = rows.filter(
        ({ id, values }) => value !== null && values[relation.references] === value && open.has(id),
      );
      return [parent, matching.map(({ id }) => id).slice(0, most)];
    }),
  );
}

interface ExpectedJoin {
  readonly model: ModelDefinition;
  readonly relation: RelationDefinition;
  readonly readable: readonly string[];
  readonly expected: ReadonlyMap<string, readonly string[]>;
  readonly parents: readonly string[];
}

function judge(
  check: AccessCheck,
  { model, relation, readable, expected, parents }: ExpectedJoin,
  reply: AskedReply,
  refuse: (what: string) => CellVerdict,
): CellVerdict {
  const hook = changedByHook(check, model, "fetch", "after", "graphql");
  const rows = new Map(recordsIn(rootOf(reply, model.key)).map((row) => [String(row["id"]), row]));
  for (const parent of parents) {
    const row = rows.get(parent);
    const wanted = expected.get(parent) ?? [];
    const children = row === undefined ? [] : childrenIn(row[relation.name] ?? null);
    const extra =
      children.length > wanted.length
        ? children
        : children.filter(({ id }) => id !== undefined && !wanted.includes(String(id)));
    if (extra.length > 0)
      return refuse(`the row ${parent} has the joined row ${JSON.stringify(extra.at(-1))}`);
    if (children.length === wanted.length) continue;
    if (hook !== null) return { outcome: hook, reason: `joined rows of ${parent} are missing` };
    return refuse(row === undefined ? `answered ${reply.status}` : `the row ${parent} lacks joined rows`);
  }
  const [child] = [...rows.values()].flatMap((row) => childrenIn(row[relation.name] ?? null));
  const more = Object.keys(child ?? {}).find((name) => !readable.includes(name));
  return more === undefined ? passed : refuse(`a joined row has the field ${more}`);
}

function childrenIn(value: Json): Readonly<Record<string, Json>>[] {
  return isJsonRecord(value) ? [value] : recordsIn(value);
}

import type { ModelDefinition, RelationDefinition } from "#generator/definition/definition";
import { type AccessCheck, modelOf } from "../access-check.ts";
import type { CheckCaller } from "../check-callers.ts";
import { readableFields, readsField, rulesFor } from "../model-access.ts";
import { liveRows, tableRow } from "../table-rows.ts";
import { idsOf } from "./answered-rows.ts";
import {
  type Asked,
  addCell,
  ask,
  type CellVerdict,
  changedByHook,
  deniedCell,
  failedCell,
  notTried,
  passed,
  recordsIn,
  rootOf,
} from "./ask.ts";
import { cannotName, idsQuestion, readFieldsOf } from "./ask-reads.ts";

const mostParents = 50;
const mostChildren = 20;

/** Asks each join of a model over GraphQL: the fetch rules and the gates of the joined model hold. */
export async function askJoins(check: AccessCheck, model: ModelDefinition): Promise<void> {
  if (!check.operations.has("fetch")) return;
  for (const relation of model.relations)
    for (const caller of check.callers) {
      const asked = { model, operation: "fetch", caller, front: "graphql" } as const;
      const verdict = await askJoin(check, asked, relation);
      if (verdict !== null) addCell(check, asked, `join ${relation.name}`, verdict);
    }
}

/** Null for a caller who reaches no row. */
async function askJoin(
  check: AccessCheck,
  asked: Asked,
  relation: RelationDefinition,
): Promise<CellVerdict | null> {
  const { model, caller } = asked;
  const parents = (await openRows(check, model, caller)).slice(0, mostParents);
  if (parents.length === 0) return null;
  const problem = cannotName(check, asked);
  if (problem !== null) return notTried(problem);
  const joined = modelOf(check, relation.model);
  const readable = readableFields(joined, caller.role);
  const limit = relation.kind === "has_many" ? `(limit: ${mostChildren})` : "";
  const join = `${relation.name}${limit} { ${readable.join(" ") || "id"} }`;
  const own = model.columns.id === null ? readFieldsOf(model, caller) : "id";
  const root = (filter: string, most: number) => `${model.key}(${filter}, limit: ${most}) { ${own} ${join} }`;
  const reply = await ask(check, caller, idsQuestion(model, caller, parents, root));
  const explained = { ...asked, model: joined };
  const isClosed = !readsField(model, relation.field, caller.role) || readable.length === 0;
  if (isClosed || !reaches(joined, caller)) return deniedCell(explained, reply);
  const expected = await joinedRows(check, asked, relation, joined, parents);
  const refuse = (what: string) =>
    failedCell(explained, reply, `200 with the joined rows ${JSON.stringify(Object.fromEntries(expected))}`, {
      what,
    });
  const answered = recordsIn(rootOf(reply, model.key));
  const answeredIds = idsOf(check, { model, caller, open: parents }, answered);
  const rows = new Map(answeredIds.map((id, index) => [id, answered[index]]));
  for (const [parent, wanted] of expected) {
    const children = recordsIn(rows.get(parent)?.[relation.name]);
    const extra = children.filter(({ id }) => id !== undefined && !wanted.includes(String(id)));
    if (extra.length > 0 || children.length > wanted.length)
      return refuse(
        `the row ${parent} has the joined row ${JSON.stringify(extra.at(-1) ?? children.at(-1))}`,
      );
    const what = rows.has(parent) ? `the row ${parent} lacks joined rows` : `answered ${reply.status}`;
    if (children.length < wanted.length) return changedByHook(check, asked, what) ?? refuse(what);
    const more = children.flatMap((child) => Object.keys(child)).find((name) => !readable.includes(name));
    if (more !== undefined) return refuse(`a joined row has the field ${more}`);
  }
  return passed;
}

/** An internal model has no fetch rules that joins obey. */
function reaches(joined: ModelDefinition, { role }: CheckCaller): boolean {
  return joined.internal || joined.builtIn || rulesFor(joined, "fetch", role).length > 0;
}

/** The ids of the live rows that a caller can fetch. */
async function openRows(check: AccessCheck, model: ModelDefinition, caller: CheckCaller): Promise<string[]> {
  const ids = liveRows(check.stored, model).map(({ id }) => id);
  const rules = rulesFor(model, "fetch", caller.role);
  return [...(await check.expectations.open({ model, rules, caller }, ids))];
}

/** The ids of the rows that a join answers, by the id of its parent. */
async function joinedRows(
  check: AccessCheck,
  { model, caller }: Asked,
  { kind, field, references }: RelationDefinition,
  joined: ModelDefinition,
  parents: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const isUnruled = joined.internal || joined.builtIn;
  const open = isUnruled ? null : new Set(await openRows(check, joined, caller));
  const rows = liveRows(check.stored, joined).filter(({ id }) => open === null || open.has(id));
  const most = kind === "has_many" ? mostChildren : 1;
  return new Map(
    parents.map((parent) => {
      const value = tableRow(check.stored, model, parent)?.values[field] ?? null;
      const matching = rows.filter(({ values }) => value !== null && values[references] === value);
      return [parent, matching.map(({ id }) => id).slice(0, most)];
    }),
  );
}

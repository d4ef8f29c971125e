import type { ModelDefinition } from "#generator/definition/definition";
import { idKinds } from "#generator/definition/stored";
import { fieldKinds } from "#vocabulary/fields/field-kinds";
import type { Json } from "#vocabulary/json";
import { operationMethods, readOperations } from "#vocabulary/operations";
import type { AccessCheck } from "../access-check.ts";
import type { CheckCaller } from "../check-callers.ts";
import { readableFields, readsField, rulesFor } from "../model-access.ts";
import { liveRows, type StoredRow, sentId } from "../table-rows.ts";
import { type AskedRows, judgeCount, judgeRows } from "./answered-rows.ts";
import {
  type AskedReply,
  addCell,
  ask,
  type CellVerdict,
  denial,
  deniedCell,
  failedCell,
  isDenied,
  jsonMember,
  notTried,
  noUuid,
  passed,
  type Question,
  queryOf,
  recordsIn,
  rootOf,
  worstOf,
} from "./ask.ts";

/** A read over one of the public APIs. */
interface Read {
  readonly operation: (typeof readOperations)[number];
  readonly front: "rest" | "graphql";
  /** Text before the row set in reports. */
  readonly label: string;
  question(model: ModelDefinition, caller: CheckCaller, ids: readonly string[]): Question;
  /** The answered rows, or their number. */
  answered(reply: AskedReply, model: ModelDefinition): Json;
}

const isCount = ({ operation, label }: Read) =>
  operation === "count" || operation === "exists" || label === "aggregate of ";

const restReads: readonly Read[] = readOperations.map((operation) => {
  const hasRows = operation === "fetch" || operation === "search";
  return {
    operation,
    front: "rest",
    label: "",
    question: ({ slug, maxLimit }, _, ids) => ({
      method: operationMethods[operation],
      path: `${slug}/${operation}?id__in=${encodeURIComponent(ids.join())}${hasRows ? `&limit=${maxLimit}` : ""}`,
    }),
    answered: ({ body: { data } }) => (hasRows ? data : jsonMember(data, operation)),
  };
});

const fieldsOf = (model: ModelDefinition, { role }: CheckCaller) =>
  readableFields(model, role).join(" ") || "id";

/** A question about ids. `root` is a root field of GraphQL, `limit` the number of ids. */
function idsQuestion(model: ModelDefinition, ids: readonly string[], root: (limit: number) => string) {
  const variables = { ids: ids.map((id) => sentId(model, id)) };
  return queryOf(`query ($ids: ${idList(model)}) { ${root(ids.length || 1)} }`, variables);
}

const graphqlReads: readonly Read[] = [
  {
    operation: "fetch",
    front: "graphql",
    label: "",
    question: (model, caller, ids) =>
      idsQuestion(
        model,
        ids,
        (limit) => `${model.key}(id: { in: $ids }, limit: ${limit}) { ${fieldsOf(model, caller)} }`,
      ),
    answered: (reply, { key }) => rootOf(reply, key),
  },
  {
    operation: "fetch",
    front: "graphql",
    label: "page of ",
    question: (model, caller, ids) =>
      idsQuestion(
        model,
        ids,
        (limit) =>
          `${model.key}_page(where: { id: { in: $ids } }, limit: ${limit}) { rows { ${fieldsOf(model, caller)} } }`,
      ),
    answered: (reply, { key }) => jsonMember(rootOf(reply, `${key}_page`), "rows"),
  },
  {
    operation: "search",
    front: "graphql",
    label: "aggregate of ",
    question: (model, _, ids) =>
      idsQuestion(model, ids, () => `${model.key}_aggregate(id: { in: $ids }) { count }`),
    answered(reply, { key }) {
      const groups = rootOf(reply, `${key}_aggregate`);
      return jsonMember(Array.isArray(groups) ? groups[0] : null, "count");
    },
  },
];

export function idList({ idType }: ModelDefinition): string {
  return `[${fieldKinds[idKinds[idType]].graphql.value}!]`;
}

/** A request has a URL, and GraphQL limits the ids of a document. */
const mostIds = 100;

/** Asks each read of a model as each caller: for open rows, and for closed ones. */
export async function askReads(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const read of [...restReads, ...graphqlReads])
    if (check.operations.has(read.operation))
      for (const caller of check.callers) await askRead(check, model, read, caller);
}

async function askRead(
  check: AccessCheck,
  model: ModelDefinition,
  read: Read,
  caller: CheckCaller,
): Promise<void> {
  const { operation, front, label } = read;
  const asked = { model, operation, caller, front };
  const add = (rows: string, verdict: CellVerdict) => addCell(check, asked, `${label}${rows}`, verdict);
  const rules = rulesFor(model, operation, caller.role);
  const ids = liveRows(check.stored, model).map(({ id }) => id);
  if (rules.length === 0 || (label === "" && operation === "search" && !searches(model, caller))) {
    const some = ids[0] ?? (model.idType === "uuid" ? noUuid : "1");
    return add("denied", deniedCell(asked, await ask(check, caller, read.question(model, caller, [some]))));
  }
  if (ids.length === 0) return add("in", notTried("the table has no row"));
  if (!readsField(model, "id", caller.role)) return add("in", notTried("the caller cannot read id"));
  const open = await check.expectations.open({ model, rules, caller }, ids);
  for (const rows of ["in", "out"]) {
    const verdicts: CellVerdict[] = [];
    const wanted = ids.filter((id) => open.has(id) === (rows === "in"));
    for (const chunk of chunksOf(wanted, Math.min(model.maxLimit, mostIds))) {
      const expected: AskedRows = { ...asked, ids: chunk, open: rows === "in" ? chunk : [] };
      const reply = await ask(check, caller, read.question(model, caller, chunk));
      const judge = isCount(read) ? judgeCount : judgeRows;
      verdicts.push(judge(check, expected, reply, read.answered(reply, model)));
    }
    if (verdicts.length > 0) add(rows, worstOf(verdicts));
  }
}

/** A search needs a searchable field that the caller can read. */
function searches(model: ModelDefinition, { role }: CheckCaller): boolean {
  return model.fields.some(({ name, searchable }) => searchable && readsField(model, name, role));
}

/**
 * Searches for a text of each searchable field. The answer has only rows that the search rules open, and only
 * because of fields that the caller can read.
 */
export async function askSearchTexts(check: AccessCheck, model: ModelDefinition): Promise<void> {
  if (!check.operations.has("search")) return;
  for (const caller of check.callers)
    for (const { name, searchable } of model.fields)
      if (searchable && readsField(model, "id", caller.role)) await askSearchText(check, model, caller, name);
}

async function askSearchText(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: string,
): Promise<void> {
  const rows = liveRows(check.stored, model);
  const rules = rulesFor(model, "search", caller.role);
  const ids = rows.map(({ id }) => id);
  const open = await check.expectations.open({ model, rules, caller }, ids);
  const names = model.fields.filter(({ searchable }) => searchable).map(({ name }) => name);
  const readable = names.filter((name) => readsField(model, name, caller.role));
  // A text of a closed row, if the caller can read the field.
  const withText = rows.filter(({ values }) => values[field]);
  const row = (readable.includes(field) && withText.find(({ id }) => !open.has(id))) || withText[0];
  if (row === undefined) return;
  const term = String(row.values[field]).slice(0, 256);
  const contains = (value: Json = "") => String(value).toLowerCase().includes(term.toLowerCase());
  const matches = ({ values }: StoredRow) => readable.some((name) => contains(values[name]));
  const found = new Set(rows.filter((one) => open.has(one.id) && matches(one)).map(({ id }) => id));
  const { key, slug, maxLimit } = model;
  const path = `${slug}/search?search_term=${encodeURIComponent(term)}&limit=${maxLimit}`;
  const document = `query ($term: String) { ${key}(search: $term, limit: ${maxLimit}) { id } }`;
  for (const front of ["rest", "graphql"] as const) {
    const asked = { model, operation: "search", caller, front };
    const reply = await ask(
      check,
      caller,
      front === "rest" ? { method: "GET", path } : queryOf(document, { term }),
    );
    const answered = recordsIn(front === "rest" ? reply.body.data : rootOf(reply, key));
    const extra = answered.map(({ id }) => String(id)).find((id) => !found.has(id));
    const isOpen = rules.length > 0 && readable.length > 0;
    const isRight = isOpen ? reply.status === 200 && extra === undefined : isDenied(reply);
    const expected = isOpen ? "200 with rows that have the text in a field that the caller can read" : denial;
    const verdict = isRight ? passed : failedCell(asked, reply, expected, { id: extra });
    addCell(check, asked, `text of ${field}`, verdict);
  }
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

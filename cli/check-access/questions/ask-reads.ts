import type { ModelDefinition } from "#generator/definition/definition";
import { idKinds } from "#generator/definition/stored";
import { fieldKinds } from "#vocabulary/fields/field-kinds";
import { isOrderable } from "#vocabulary/fields/filter-operators";
import type { Json } from "#vocabulary/json";
import { mostToolRows } from "#vocabulary/mcp/tool-schemas";
import { operationMethods, readOperations } from "#vocabulary/operations";
import type { AccessCheck } from "../access-check.ts";
import type { Front } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";
import { readableFields, readsField, rulesFor } from "../model-access.ts";
import { liveRows, type StoredRow, sentId } from "../table-rows.ts";
import { type AskedRows, idsOf, judgeCount, judgeRows } from "./answered-rows.ts";
import {
  type Asked,
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
import { toolQuestion } from "./ask-tool.ts";

/** A read over one of the public APIs. */
interface Read {
  readonly operation: (typeof readOperations)[number];
  readonly front: Front;
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
    question(model, { role }, ids) {
      const some = `id__in=${encodeURIComponent(ids.join())}`;
      const rows = model.columns.id === null ? `${commonField(model, role)}__is_not_null=true` : some;
      const limit = hasRows ? `&limit=${model.maxLimit}` : "";
      return { method: operationMethods[operation], path: `${model.slug}/${operation}?${rows}${limit}` };
    },
    answered: ({ body: { data } }) => (hasRows ? data : jsonMember(data, operation)),
  };
});

const toolReads: readonly Read[] = readOperations.map((operation) => {
  const hasRows = operation === "fetch" || operation === "search";
  return {
    operation,
    front: "mcp",
    label: "",
    question(model, _, ids) {
      const where = { id: { in: ids.map((id) => sentId(model, id)) } };
      const limit = Math.min(model.maxLimit, mostToolRows);
      return toolQuestion(model, operation, hasRows ? { where, limit } : { where });
    },
    answered: ({ body: { data } }) => jsonMember(data, hasRows ? "rows" : operation),
  };
});

/** Whether a model has a read: pages and tools need rows with an id. */
function hasRead({ columns, mcp }: ModelDefinition, { operation, front, label }: Read): boolean {
  const isTool = front === "mcp";
  return (columns.id !== null || !(isTool || label === "page of ")) && (!isTool || mcp.includes(operation));
}

export const readFieldsOf = (model: ModelDefinition, { role }: CheckCaller) =>
  readableFields(model, role).join(" ") || "id";

/** The field by which rows without an id are asked for: all rows that have a value. */
function commonField(model: ModelDefinition, role: string): string {
  const fits = model.fields.filter((field) => isOrderable(field) && readsField(model, field.name, role));
  return fits[0]?.name ?? "id";
}

/** A question about ids. `root` is a root field of GraphQL with a filter, `limit` the number of ids. */
export function idsQuestion(
  model: ModelDefinition,
  { role }: CheckCaller,
  ids: readonly string[],
  root: (filter: string, limit: number) => string,
): Question {
  if (model.columns.id === null)
    return queryOf(`{ ${root(`${commonField(model, role)}: { is_null: false }`, model.maxLimit)} }`);
  const named = root("id: { in: $ids }", ids.length || 1);
  return queryOf(`query ($ids: ${idList(model)}) { ${named} }`, { ids: ids.map((id) => sentId(model, id)) });
}

type Root = (model: ModelDefinition, filter: string, limit: number, fields: string) => string;

function graphqlRead(
  operation: Read["operation"],
  label: string,
  root: Root,
  answered: Read["answered"],
): Read {
  const question: Read["question"] = (model, caller, ids) =>
    idsQuestion(model, caller, ids, (filter, limit) =>
      root(model, filter, limit, readFieldsOf(model, caller)),
    );
  return { operation, front: "graphql", label, question, answered };
}

// biome-ignore format: one case a line
const graphqlReads: readonly Read[] = [
  graphqlRead("fetch", "",
    ({ key }, filter, limit, fields) => `${key}(${filter}, limit: ${limit}) { ${fields} }`,
    (reply, { key }) => rootOf(reply, key)),
  graphqlRead("fetch", "page of ",
    ({ key }, filter, limit, fields) => `${key}_page(where: { ${filter} }, limit: ${limit}) { rows { ${fields} } }`,
    (reply, { key }) => jsonMember(rootOf(reply, `${key}_page`), "rows")),
  graphqlRead("search", "aggregate of ",
    ({ key }, filter) => `${key}_aggregate(${filter}) { count }`,
    (reply, { key }) => jsonMember(recordsIn(rootOf(reply, `${key}_aggregate`))[0], "count")),
];

export function idList({ idType }: ModelDefinition): string {
  return `[${fieldKinds[idKinds[idType]].graphql.value}!]`;
}

/** A request has a URL, and GraphQL limits the ids of a document. */
const mostIds = 100;

/** Asks each read of a model as each caller: for open rows, and for closed ones. */
export async function askReads(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const read of [...restReads, ...graphqlReads, ...toolReads])
    if (check.operations.has(read.operation) && hasRead(model, read))
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
  const problem = cannotName(check, asked);
  if (problem !== null) return add("in", notTried(problem));
  const open = await check.expectations.open({ model, rules, caller }, ids);
  if (model.columns.id === null) return add("all", await askAll(check, asked, read, open));
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

/** Why a caller cannot ask for rows of a model. Null if it can. */
export function cannotName(
  { stored }: AccessCheck,
  { model, caller: { role } }: Pick<Asked, "model" | "caller">,
): string | null {
  if (model.columns.id !== null) return readsField(model, "id", role) ? null : "the caller cannot read id";
  if (commonField(model, role) === "id") return "the caller can read no field that orders rows";
  return liveRows(stored, model).length > model.maxLimit ? "the table has more rows than a page" : null;
}

/** Asks for all rows without an id at once. */
async function askAll(
  check: AccessCheck,
  asked: Asked,
  read: Read,
  open: ReadonlySet<string>,
): Promise<CellVerdict> {
  const { model, caller } = asked;
  const common = commonField(model, caller.role);
  const rows = liveRows(check.stored, model).filter(({ values }) => values[common] != null);
  const ids = rows.map(({ id }) => id);
  const reply = await ask(check, caller, read.question(model, caller, []));
  const judge = isCount(read) ? judgeCount : judgeRows;
  const expected = { ...asked, ids, open: ids.filter((id) => open.has(id)) };
  return judge(check, expected, reply, read.answered(reply, model));
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
      if (searchable && cannotName(check, { model, caller }) === null)
        await askSearchText(check, model, caller, name);
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
  const document = `query ($term: String) { ${key}(search: $term, limit: ${maxLimit}) { ${readFieldsOf(model, caller)} } }`;
  for (const front of ["rest", "graphql"] as const) {
    const asked = { model, operation: "search", caller, front };
    const reply = await ask(
      check,
      caller,
      front === "rest" ? { method: "GET", path } : queryOf(document, { term }),
    );
    const answered = recordsIn(front === "rest" ? reply.body.data : rootOf(reply, key));
    const extra = idsOf(check, { model, caller, open: [...found] }, answered).find((id) => !found.has(id));
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

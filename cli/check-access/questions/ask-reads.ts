import type { ModelDefinition } from "#generator/definition/definition";
import { idKinds } from "#generator/definition/stored";
import { fieldKinds } from "#vocabulary/fields/field-kinds";
import type { Json } from "#vocabulary/json";
import { operationMethods, readOperations } from "#vocabulary/operations";
import type { AccessCheck } from "../access-check.ts";
import type { CheckCaller } from "../check-callers.ts";
import { readableFields, readsField, rulesFor, rulesOf } from "../model-access.ts";
import { liveRows, sentId } from "../table-rows.ts";
import { type ExpectedRows, jsonMember, judgeCount, judgeRows } from "./answered-rows.ts";
import {
  type AskedReply,
  answerText,
  ask,
  atPrefix,
  type CellVerdict,
  explainLine,
  failedCell,
  isDenied,
  notTried,
  noUuid,
  passed,
  type Question,
  queryOf,
  rootOf,
  worstOf,
} from "./ask.ts";

type ReadOperation = (typeof readOperations)[number];

/** A read over one of the public APIs. */
interface Read {
  readonly operation: ReadOperation;
  readonly front: "rest" | "graphql";
  /** Text before the row set in reports. */
  readonly label: string;
  question(model: ModelDefinition, caller: CheckCaller, ids: readonly string[]): Question;
  judge(check: AccessCheck, expected: ExpectedRows, reply: AskedReply): CellVerdict;
}

const restReads: readonly Read[] = readOperations.map((operation) => ({
  operation,
  front: "rest",
  label: "",
  question: (model, _, ids) => ({
    method: operationMethods[operation],
    path: restPath(model, operation, ids),
  }),
  judge(check, expected, reply) {
    const { data } = reply.body;
    if (operation === "fetch" || operation === "search") return judgeRows(check, expected, reply, data);
    return judgeCount(check, expected, reply, jsonMember(data, operation));
  },
}));

const graphqlReads: readonly Read[] = [
  {
    operation: "fetch",
    front: "graphql",
    label: "",
    question: (model, caller, ids) => {
      const fields = readableFields(model, caller.role).join(" ") || "id";
      return queryOf(
        `query ($ids: ${idList(model)}) { ${model.key}(id: { in: $ids }, limit: ${ids.length || 1}) { ${fields} } }`,
        {
          ids: sentIds(model, ids),
        },
      );
    },
    judge: (check, expected, reply) => judgeRows(check, expected, reply, rootOf(reply, expected.model.key)),
  },
  {
    operation: "search",
    front: "graphql",
    label: "aggregate of ",
    question: (model, _, ids) =>
      queryOf(`query ($ids: ${idList(model)}) { ${model.key}_aggregate(id: { in: $ids }) { count } }`, {
        ids: sentIds(model, ids),
      }),
    judge(check, expected, reply) {
      const groups = rootOf(reply, `${expected.model.key}_aggregate`);
      return judgeCount(
        check,
        expected,
        reply,
        jsonMember(Array.isArray(groups) ? (groups[0] ?? null) : null, "count"),
      );
    },
  },
];

export function idList({ idType }: ModelDefinition): string {
  return `[${fieldKinds[idKinds[idType]].graphql.value}!]`;
}

function sentIds(model: ModelDefinition, ids: readonly string[]): Json {
  return ids.map((id) => sentId(model, id));
}

function restPath(
  { slug, maxLimit }: ModelDefinition,
  operation: ReadOperation,
  ids: readonly string[],
): string {
  const limit = operation === "count" || operation === "exists" ? "" : `&limit=${maxLimit}`;
  return `${slug}/${operation}?id__in=${ids.join(",")}${limit}`;
}

/** A request has a URL, and GraphQL limits the ids of a document. */
const mostIds = 100;

/** Asks each read of a model as each caller: for open rows, and for closed ones. */
export async function askReads(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const read of [...restReads, ...graphqlReads]) {
    if (!check.operations.has(read.operation)) continue;
    for (const caller of check.callers) await askRead(check, model, read, caller);
  }
}

async function askRead(
  check: AccessCheck,
  model: ModelDefinition,
  read: Read,
  caller: CheckCaller,
): Promise<void> {
  const { operation, front, label } = read;
  const cell = { model: model.key, operation, caller: caller.name, front };
  const rules = rulesFor(rulesOf(model, operation), caller.role);
  const ids = liveRows(check.stored, model).map(({ id }) => id);
  if (rules.length === 0 || (read.label === "" && operation === "search" && !searches(model, caller))) {
    const verdict = await askDenied(check, model, read, caller, ids.slice(0, 1));
    return check.add({ ...cell, rows: `${label}denied`, ...verdict });
  }
  if (ids.length === 0)
    return check.add({ ...cell, rows: `${label}in`, ...notTried("the table has no row") });
  if (!readsField(model, "id", caller.role))
    return check.add({ ...cell, rows: `${label}in`, ...notTried("the caller cannot read id") });
  const open = await check.expectations.open(model, rules, caller, ids);
  const sets = [
    ["in", ids.filter((id) => open.has(id))] as const,
    ["out", ids.filter((id) => !open.has(id))] as const,
  ];
  for (const [rows, asked] of sets) {
    if (asked.length === 0) continue;
    const verdicts: CellVerdict[] = [];
    for (const chunk of chunksOf(asked, Math.min(model.maxLimit, mostIds))) {
      const question = atPrefix(check, read.question(model, caller, chunk));
      const expected = {
        model,
        operation,
        caller,
        front,
        question,
        asked: chunk,
        open: rows === "in" ? chunk : [],
      };
      verdicts.push(read.judge(check, expected, await ask(check, caller, question)));
    }
    check.add({ ...cell, rows: `${label}${rows}`, ...worstOf(verdicts) });
  }
}

/** A search needs a searchable field that the caller can read. */
function searches(model: ModelDefinition, { role }: CheckCaller): boolean {
  return model.fields.some(({ name, searchable }) => searchable && readsField(model, name, role));
}

async function askDenied(
  check: AccessCheck,
  model: ModelDefinition,
  read: Read,
  caller: CheckCaller,
  ids: readonly string[],
): Promise<CellVerdict> {
  const some = ids.length > 0 ? ids : [model.idType === "uuid" ? noUuid : "1"];
  const question = atPrefix(check, read.question(model, caller, some));
  const reply = await ask(check, caller, question);
  if (isDenied(reply)) return passed;
  return failedCell(
    question,
    "403 PERMISSION_DENIED",
    reply,
    explainLine(`${model.key}.${read.operation}`, caller),
  );
}

/** Internal models have no routes. */
export async function askInternal(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const { operation, question: questionOf } of restReads) {
    if (!check.operations.has(operation)) continue;
    for (const caller of check.callers) {
      const question = atPrefix(check, questionOf(model, caller, ["1"]));
      const reply = await ask(check, caller, question);
      const verdict =
        reply.status === 404 ? passed : failedCell(question, "404 NOT_FOUND", reply, answerText(reply));
      check.add({
        model: model.key,
        operation,
        caller: caller.name,
        front: "rest",
        rows: "denied",
        ...verdict,
      });
    }
  }
}

export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

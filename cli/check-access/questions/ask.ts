import type { ModelDefinition } from "#generator/definition/definition";
import type { TestReply } from "#runtime/testing/index";
import type { Json } from "#vocabulary/json";
import type { AccessCheck } from "../access-check.ts";
import { type Front, outcomes } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";
import { toolPath, toolReply } from "./ask-tool.ts";

/** A request of the check. Builders give paths below `service_prefix`, without a leading slash. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, with its question at the whole path. */
export interface AskedReply extends TestReply<Json> {
  readonly question: Question;
}

/** What a cell is about. */
export interface Asked {
  readonly model: ModelDefinition;
  readonly operation: string;
  readonly caller: CheckCaller;
  readonly front: Front;
}

/** The result of one question. */
export interface CellVerdict {
  readonly outcome: string;
  readonly reason?: string;
  readonly request?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The id of no row. */
export const noUuid = "00000000-0000-4000-8000-000000000000";

export const passed: CellVerdict = { outcome: outcomes.passed };

export function notTried(reason: string): CellVerdict {
  return { outcome: outcomes.notTried, reason };
}

export async function ask(
  { service, definition, hooks }: AccessCheck,
  { as }: CheckCaller,
  { method, path: below, body, headers = {} }: Question,
): Promise<AskedReply> {
  hooks.clear();
  const path = `${definition.servicePrefix}/${below}`;
  const sent = body === undefined ? {} : { body };
  const reply = await service.request<Json>(path, { method, as, headers, ...sent });
  return { ...(below === toolPath ? toolReply(reply) : reply), question: { method, path, ...sent } };
}

/** Asks, and reverts what the answer has changed. */
export async function askAndRevert(
  check: AccessCheck,
  caller: CheckCaller,
  question: Question,
): Promise<AskedReply> {
  const reply = await ask(check, caller, question);
  await check.service.settled();
  await check.journal.revert();
  return reply;
}

export function queryOf(query: string, variables: Json = {}): Question {
  return { method: "POST", path: "graphql", body: { query, variables } };
}

/** The answer to a root field of GraphQL. */
export function rootOf({ body }: AskedReply, name: string): Json {
  return jsonMember(body.data, name);
}

export function jsonMember(value: Json | undefined, name: string): Json {
  return isJsonRecord(value) ? (value[name] ?? null) : null;
}

export function isJsonRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The records of a list, or a record as a list. */
export function recordsIn(value: unknown): Readonly<Record<string, Json>>[] {
  return (Array.isArray(value) ? value : [value]).filter(isJsonRecord);
}

export function isDenied({ status, body }: AskedReply): boolean {
  return status === 403 && body.error === "PERMISSION_DENIED";
}

export const denial = "403 PERMISSION_DENIED";

/** Whether a question that has to be refused was refused. */
export function deniedCell(asked: Asked, reply: AskedReply, expected = denial): CellVerdict {
  return isDenied(reply) ? passed : failedCell(asked, reply, expected);
}

const longest = 1_000;

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function answerText({ status, body, text }: AskedReply): string {
  return status === 200
    ? `200 ${shortened(text)}`
    : `${status} ${body.error ?? ""}: ${body.message ?? shortened(text)}`;
}

/** What is wrong, the row or the record that it is about, and another text for the answer. */
interface FailureParts {
  readonly what?: string;
  readonly id?: string | undefined;
  readonly data?: Json;
  readonly actual?: string;
}

/** A failed question, with the command that explains it. */
export function failedCell(
  { model, operation, caller }: Asked,
  reply: AskedReply,
  expected: string,
  { what, id, data, actual = answerText(reply) }: FailureParts = {},
): CellVerdict {
  const { method, path, body } = reply.question;
  const request = shortened(`${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`);
  const who = caller.principal.user_id === null ? caller.role : `user:${caller.principal.user_id}`;
  const row = id === undefined ? "" : ` --id ${/^[\w-]+$/.test(id) ? id : shellText(id)}`;
  const record = data === undefined ? "" : ` --data ${shellText(JSON.stringify(data))}`;
  const explain = `kirak explain ${model.key}.${operation} --as ${who}${row}${record}`;
  const reason = what === undefined ? explain : `${what}: ${explain}`;
  return { outcome: outcomes.failed, reason, request, expected, actual };
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The verdict if a hook of the operation caused a difference from the rules. Null if no hook did. */
export function changedByHook(
  { hooks }: AccessCheck,
  { model, operation, front }: Asked,
  reason: string,
): CellVerdict | null {
  const own = hooks.effectOf(model.key, operation);
  if (own !== null) return { outcome: `changed by ${own} of ${model.key}`, reason };
  const ofGraphql = front === "graphql" ? hooks.effectOf("graphql", "graphql") : null;
  return ofGraphql === null ? null : { outcome: `changed by ${ofGraphql} of graphql`, reason };
}

/** The verdict about a row set: the worst of its questions. A set with one asked question was tried. */
export function worstOf(verdicts: readonly CellVerdict[]): CellVerdict {
  const of = (outcome: string) => verdicts.find((verdict) => verdict.outcome === outcome);
  const changed = verdicts.find(({ outcome }) => outcome.startsWith("changed"));
  return of(outcomes.failed) ?? changed ?? of(outcomes.passed) ?? verdicts[0] ?? notTried("no row");
}

/** Adds the cell of a verdict to the report. */
export function addCell(
  { add }: AccessCheck,
  { model, operation, caller, front }: Asked,
  rows: string,
  verdict: CellVerdict,
): void {
  add({ model: model.key, operation, caller: caller.name, front, rows, ...verdict });
}

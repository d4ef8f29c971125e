import type { TestReply } from "#runtime/testing/index";
import type { Json } from "#vocabulary/json";
import type { AccessCheck } from "../access-check.ts";
import { outcomes } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";

/** A request of the check. Builders give paths below `service_prefix`, without a leading slash. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
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

export type AskedReply = TestReply<Json>;

export function ask({ service }: AccessCheck, { as }: CheckCaller, question: Question): Promise<AskedReply> {
  const { method, path, body } = question;
  return service.request<Json>(path, { method, as, ...(body !== undefined && { body }) });
}

/** The question at its whole path. */
export function atPrefix({ definition }: AccessCheck, question: Question): Question {
  return { ...question, path: `${definition.servicePrefix}/${question.path}` };
}

export function queryOf(query: string, variables: Json = {}): Question {
  return { method: "POST", path: "graphql", body: { query, variables } };
}

/** The rows of the answer to a root field. */
export function rootOf(reply: AskedReply, name: string): Json {
  const { data } = reply.body;
  return isJsonRecord(data) ? (data[name] ?? null) : null;
}

export function isJsonRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function recordsIn(value: unknown): Readonly<Record<string, Json>>[] {
  return Array.isArray(value) ? value.filter(isJsonRecord) : [];
}

/** The code of a refusal, such as `403 PERMISSION_DENIED`. */
export function answerText({ status, body, text }: AskedReply): string {
  if (status === 200) return `200 ${shortened(text)}`;
  return `${status} ${body.error ?? ""}: ${body.message ?? shortened(text)}`;
}

export function isDenied({ status, body }: AskedReply): boolean {
  return status === 403 && body.error === "PERMISSION_DENIED";
}

const longest = 1_000;

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function questionText({ method, path, body }: Question): string {
  return shortened(`${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`);
}

/** A failed question, with the command that explains it. */
export function failedCell(
  question: Question,
  expected: string,
  reply: AskedReply | string,
  reason: string,
): CellVerdict {
  return {
    outcome: outcomes.failed,
    reason,
    request: questionText(question),
    expected,
    actual: typeof reply === "string" ? reply : answerText(reply),
  };
}

/** The command that explains an answer. */
export function explainLine(
  operation: string,
  caller: CheckCaller,
  words: { readonly id?: string | undefined; readonly data?: Json | undefined } = {},
): string {
  const who = caller.principal.user_id === null ? caller.role : `user:${caller.principal.user_id}`;
  const id = words.id === undefined ? "" : ` --id ${words.id}`;
  const data =
    words.data === undefined ? "" : ` --data '${JSON.stringify(words.data).replaceAll("'", `'\\''`)}'`;
  return `kirak explain ${operation} --as ${who}${id}${data}`;
}

/** The verdict about a row set: the worst of its questions. A set with one asked question was tried. */
export function worstOf(verdicts: readonly CellVerdict[]): CellVerdict {
  const of = (outcome: string) => verdicts.find((verdict) => verdict.outcome === outcome);
  const changed = verdicts.find(({ outcome }) => outcome.startsWith("changed"));
  return of(outcomes.failed) ?? changed ?? of(outcomes.passed) ?? verdicts[0] ?? notTried("no row");
}

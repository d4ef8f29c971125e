import { exactText, isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { invalid, ServiceError } from "../../core/errors/index.ts";
import { parseStored } from "../../core/text/index.ts";
import type { FailedRecord } from "../../hooks/index.ts";
import type { Grant, Scope } from "../../models/access/index.ts";
import { columnsOf } from "../../models/index.ts";
import { dependsOnOwnModel, idJson } from "../sql/index.ts";
import { databaseProblem, sentValues, withInvalidField } from "./database-problem.ts";
import type { MutationScope } from "./mutation.ts";
import { hookLog, type OperationContext } from "./operation-context.ts";
import { limitKeys } from "./request-input.ts";

const mostPasswords = 64;

/** A record that passed its checks, and its position in the request. */
export interface Candidate<Value> {
  readonly index: number;
  readonly value: Value;
  /** For the fields that the record sends. */
  readonly grant: Grant;
}

/** The ids of the written records, and the failures. */
export interface Outcome<Done = string> {
  readonly done: Done[];
  readonly failed: FailedRecord[];
}

/** The steps of a bulk operation. */
export interface BulkSteps<Value> {
  /** For names in the report: `inserted_count`, `inserted_ids`. */
  readonly done: "inserted" | "updated";
  readonly runsHooks: boolean;
  /** Makes the check of one record, hooks included. Each attempt at all records has its own. */
  readonly checker: () => (record: JsonObject) => Promise<Omit<Candidate<Value>, "index">>;
  /** Writes checked records with one statement. It also applies the rules, unless the grant is null. */
  readonly write: (candidates: readonly Candidate<Value>[], grant: Grant | null) => Promise<Outcome>;
  /** Applies the rules to checked records with one statement that writes nothing. */
  readonly authorize: (
    candidates: readonly Candidate<Value>[],
    grant: Grant,
  ) => Promise<Outcome<Candidate<Value>>>;
  /** The rows that the rules of a grant open to the operation. */
  readonly scopeOf: (grant: Grant) => Scope;
}

/** `any` writes the valid records and reports the others; `all` writes all or none. */
export type BulkMode = "any" | "all";

/** The report as JSON, and the ids in the order of the records. */
export interface Written {
  readonly report: string;
  readonly ids: readonly string[];
}

/** Writes the records that can be written, and reports the others (docs/api.md). */
export async function runBulk<Value>(
  call: OperationContext,
  work: MutationScope,
  records: readonly unknown[],
  wanted: BulkMode,
  steps: BulkSteps<Value>,
): Promise<Written> {
  limitPasswords(call, records);
  const written = await writeRecords(call, work, [...records.entries()], steps);
  const failed = written.failed.sort((a, b) => a.index - b.index);
  if (failed.length === records.length || (wanted === "all" && failed.length > 0)) {
    const text =
      failed.length === records.length
        ? "None of the records could be written."
        : `None of the records was written, because ${failed.length} of ${records.length} failed.`;
    throw new ServiceError("VALIDATION_ERROR", text, { failed_records: failed });
  }
  const { model, view } = call;
  const report = exactText({
    [`${steps.done}_count`]: written.done.length,
    [`${steps.done}_ids`]: view.unreadable.has("id")
      ? []
      : written.done.map((id) => parseStored(idJson(model, id))),
    failed_count: failed.length,
    failed_records: failed,
    total_attempted: records.length,
  });
  return { report, ids: written.done };
}

/** The entry of a failure in `failed_records`. Throws overload and errors that are not a `ServiceError`. */
export function failure(index: number, error: unknown): FailedRecord {
  if (!(error instanceof ServiceError) || (error.code === "HTTP_ERROR" && error.status === 503)) throw error;
  const { field, check } = error.details ?? {};
  return {
    ...{ index, error: error.code, message: error.message },
    ...(typeof field === "string" && { field }),
    ...(typeof check === "string" && { check }),
  };
}

/** Hashing is slow on purpose: a request with many passwords would delay all other callers. */
function limitPasswords({ model }: OperationContext, records: readonly unknown[]): void {
  const names = [...columnsOf(model).values()]
    .filter(({ kind }) => kind === "password")
    .map(({ name }) => name);
  const carries = (record: unknown) =>
    isJsonObject(record) && names.some((name) => Object.hasOwn(record, name));
  if (names.length > 0 && records.filter(carries).length > mostPasswords) {
    throw invalid([{ field: "data", message: `holds more than ${mostPasswords} records with a password` }]);
  }
}

type Entries = readonly (readonly [index: number, record: unknown])[];

/** The database rejected records whose hooks have already had side effects. */
class RejectedAfterHooks extends Error {
  readonly failed: readonly FailedRecord[];

  constructor(failed: readonly FailedRecord[]) {
    super("records were rejected after their hooks had side effects");
    this.failed = failed;
  }
}

/**
 * Checks and writes the records. A record that is not written must have no side effects. If its hook had side
 * effects, the whole request is rolled back, and runs again without the rejected records.
 */
async function writeRecords<Value>(
  call: OperationContext,
  work: MutationScope,
  entries: Entries,
  steps: BulkSteps<Value>,
): Promise<Outcome> {
  const attempt = () => attemptAll(call, work, entries, steps);
  if (!steps.runsHooks) return attempt();
  try {
    return await isolated(work, attempt);
  } catch (error) {
    if (!(error instanceof RejectedAfterHooks)) throw error;
    const refused = new Set(error.failed.map(({ index }) => index));
    const left = entries.filter(([index]) => !refused.has(index));
    const { done, failed } = await writeRecords(call, work, left, steps);
    return { done, failed: [...failed, ...error.failed] };
  }
}

async function attemptAll<Value>(
  call: OperationContext,
  work: MutationScope,
  entries: Entries,
  steps: BulkSteps<Value>,
): Promise<Outcome> {
  const { candidates, failed, leaving } = await checkEach(call, work, entries, steps);
  const written = await writeAll(call, work, candidates, steps);
  if (written.failed.some(({ index }) => leaving.has(index))) throw new RejectedAfterHooks(written.failed);
  return { done: written.done, failed: [...failed, ...written.failed] };
}

/**
 * Checks each record. A `ServiceError` fails only its record, also if it comes from a statement of a hook.
 */
async function checkEach<Value>(
  call: OperationContext,
  work: MutationScope,
  entries: Entries,
  { runsHooks, checker }: BulkSteps<Value>,
): Promise<{ candidates: Candidate<Value>[]; failed: FailedRecord[]; leaving: Set<number> }> {
  const { model, services } = call;
  const candidates: Candidate<Value>[] = [];
  const failed: FailedRecord[] = [];
  /** Records whose hooks had side effects, which a rejection must undo. */
  const leaving = new Set<number>();
  const check = checker();
  for (const [index, record] of entries) {
    const checked = async () => {
      const candidate = await check(requireObject(record));
      if (runsHooks && work.transaction?.currentSavepoint.hasSideEffects) leaving.add(index);
      return candidate;
    };
    try {
      candidates.push({ index, ...(runsHooks ? await isolated(work, checked) : await checked()) });
    } catch (error) {
      const problem = databaseProblem(error, model);
      failed.push(failure(index, problem));
      if (runsHooks && isFault(problem))
        hookLog(services, call, model.key).error({ err: problem.cause, index }, "a hook failed");
    }
  }
  return { candidates, failed, leaving };
}

/** Elements of a bulk request can be any JSON value. */
function requireObject(record: unknown): JsonObject {
  if (isJsonObject(record)) {
    limitKeys(record, "data");
    return record;
  }
  throw new ServiceError("VALIDATION_ERROR", "A record must be an object.");
}

/** An error whose reason the caller does not get, such as a bug in a hook. */
function isFault(problem: unknown): problem is ServiceError {
  return problem instanceof ServiceError && problem.code === "INTERNAL_ERROR";
}

/**
 * Writes the candidates with one statement. If the database rejects it, they are written in parts, and each
 * part would see the rows of the previous one. So if records can depend on each other, or have different
 * rules, the rules are applied to all of them first.
 */
async function writeAll<Value>(
  call: OperationContext,
  work: MutationScope,
  candidates: readonly Candidate<Value>[],
  { write, authorize, scopeOf }: BulkSteps<Value>,
): Promise<Outcome> {
  const grants = [...new Set(candidates.map(({ grant }) => grant))];
  const [grant, ...others] = grants;
  if (grant === undefined) return { done: [], failed: [] };
  if (others.length === 0) {
    if (!dependsOnOwnModel(scopeOf(grant), call.model, call.services.models))
      return bisect(call, work, candidates, (part) => write(part, grant));
    try {
      return await isolated(work, () => write(candidates, grant));
    } catch (error) {
      refusalOf(call, error);
    }
  }
  const authorized: Outcome<Candidate<Value>> = { done: [], failed: [] };
  for (const each of grants) {
    const group = candidates.filter((candidate) => candidate.grant === each);
    const { done, failed } = await bisect(call, work, group, (part) => authorize(part, each));
    authorized.done.push(...done);
    authorized.failed.push(...failed);
  }
  authorized.done.sort((a, b) => a.index - b.index);
  const written = await bisect(call, work, authorized.done, (part) => write(part, null));
  return { done: written.done, failed: [...authorized.failed, ...written.failed] };
}

/**
 * Runs an action with all candidates. If the database rejects it, each half is tried, down to single records,
 * so that all valid records are written.
 */
async function bisect<Value, Done>(
  call: OperationContext,
  work: MutationScope,
  candidates: readonly Candidate<Value>[],
  act: (part: readonly Candidate<Value>[]) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  if (candidates.length === 0) return { done: [], failed: [] };
  try {
    return await isolated(work, () => act(candidates));
  } catch (error) {
    const problem = refusalOf(call, error);
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1)
      return {
        done: [],
        failed: [failure(only.index, withInvalidField(problem, sentValues(call.model, only.value)))],
      };
    const middle = candidates.length >> 1;
    const first = await bisect(call, work, candidates.slice(0, middle), act);
    const second = await bisect(call, work, candidates.slice(middle), act);
    return { done: [...first.done, ...second.done], failed: [...first.failed, ...second.failed] };
  }
}

/** The error of a record. Throws errors that are not about the record. */
function refusalOf({ model }: OperationContext, error: unknown): ServiceError {
  const problem = databaseProblem(error, model);
  if (!(problem instanceof ServiceError) || problem.status >= 500) throw problem;
  return problem;
}

/** In a transaction, a failed statement aborts all later ones unless it runs in a savepoint. */
function isolated<Result>(work: MutationScope, act: () => Promise<Result>): Promise<Result> {
  return work.transaction === null ? act() : work.transaction.savepoint(act);
}

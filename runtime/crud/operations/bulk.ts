import { ServiceError } from "../../http/errors.ts";
import type { FailedRecord, Model } from "../../model/index.ts";
import { databaseProblem } from "../database-problem.ts";
import type { Work } from "./mutation.ts";

/** A record of a bulk request that passed its checks, and where it stood. */
export interface Candidate<Value> {
  readonly index: number;
  readonly value: Value;
}

/** What became of the records of a bulk request. */
export interface Outcome<Result> {
  readonly done: Result[];
  readonly failed: FailedRecord[];
}

/** How a failure stands in `failed_records` (decisions, part 5). An error that is not the record's fault is thrown on. */
export function failure(index: number, error: unknown): FailedRecord {
  if (!(error instanceof ServiceError) || error.code === "DATABASE_ERROR" || error.status === 503)
    throw error;
  const field = error.details?.["field"];
  return { index, error: error.code, message: error.message, ...(typeof field === "string" && { field }) };
}

/** Checks each record on its own; one that throws a `ServiceError` fails alone. Hooks may run statements that fail. */
export async function checkEach<Value>(
  model: Model,
  work: Work,
  records: readonly unknown[],
  runsHooks: boolean,
  check: (record: unknown) => Promise<Value>,
): Promise<{ candidates: Candidate<Value>[]; failed: FailedRecord[] }> {
  const candidates: Candidate<Value>[] = [];
  const failed: FailedRecord[] = [];
  for (const [index, record] of records.entries()) {
    try {
      const value = runsHooks ? await isolated(work, () => check(record)) : await check(record);
      candidates.push({ index, value });
    } catch (error) {
      const problem = databaseProblem(error, model);
      failed.push(failure(index, problem));
      if (runsHooks && isFault(problem))
        work.context().log.error({ err: problem.cause, index }, "a hook failed");
    }
  }
  return { candidates, failed };
}

/** A throw of a hook that the caller is told nothing of. */
function isFault(problem: unknown): problem is ServiceError {
  return problem instanceof ServiceError && problem.code === "INTERNAL_ERROR";
}

/**
 * Writes the candidates with one statement. When the database refuses, the half that is to blame is searched for: each
 * half is tried on its own, down to the single record, so good records are written whatever the bad ones do.
 */
export async function writeAll<Value, Result>(
  model: Model,
  work: Work,
  candidates: readonly Candidate<Value>[],
  write: (candidates: readonly Candidate<Value>[]) => Promise<Outcome<Result>>,
): Promise<Outcome<Result>> {
  if (candidates.length === 0) return { done: [], failed: [] };
  try {
    return await isolated(work, () => write(candidates));
  } catch (error) {
    const problem = databaseProblem(error, model);
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1)
      return { done: [], failed: [failure(only.index, problem)] };
    if (!(problem instanceof ServiceError) || problem.status >= 500) throw problem;
    const middle = candidates.length >> 1;
    const first = await writeAll(model, work, candidates.slice(0, middle), write);
    const second = await writeAll(model, work, candidates.slice(middle), write);
    return { done: [...first.done, ...second.done], failed: [...first.failed, ...second.failed] };
  }
}

/** Inside a transaction a failed statement spoils all later ones, unless a savepoint stands before it. */
function isolated<Result>(work: Work, act: () => Promise<Result>): Promise<Result> {
  return work.transaction === null ? act() : work.transaction.savepoint(act);
}

/** A report without a single success is an error (contract: "CRUD", rule 4). */
export function refuseTotalFailure(failed: readonly FailedRecord[], attempted: number): void {
  if (failed.length === attempted) {
    throw new ServiceError("VALIDATION_ERROR", "None of the records could be written.", {
      failed_records: failed,
    });
  }
}

export function byIndex(failed: readonly FailedRecord[]): FailedRecord[] {
  return [...failed].sort((a, b) => a.index - b.index);
}

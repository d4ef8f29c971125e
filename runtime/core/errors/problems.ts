import { ServiceError } from "./service-error.ts";

/** One thing that is wrong with a request. `field` is the name that the caller sent. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** 400 `VALIDATION_ERROR` for what a function or trigger of the database refused. Its own words are not answered. */
export function refusedByDatabase(cause: unknown): ServiceError {
  const message = "A rule of the database does not allow this.";
  return new ServiceError("VALIDATION_ERROR", message, undefined, { cause });
}

const reportedProblems = 50;

/** A `VALIDATION_ERROR` over one or several fields: `details.field`, and `details.errors` where several fail. */
export function invalid(problems: readonly [Problem, ...Problem[]]): ServiceError {
  const [first] = problems;
  const details =
    problems.length === 1
      ? { field: first.field }
      : { field: first.field, errors: problems.slice(0, reportedProblems) };
  return new ServiceError("VALIDATION_ERROR", `${first.field}: ${first.message}`, details);
}

/** Throws when there are problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw invalid([first, ...rest]);
}

import {
  type ContractCode,
  type DeclaredErrors,
  errorCodes,
  isContractCode,
} from "../../../vocabulary/error-codes.ts";
import { suggestion } from "../../../vocabulary/nearest.ts";

/**
 * What an app has: its `generated/app.ts` adds to it, so that what is imported from `kirak` knows the app's models, errors and so on
 * without being told.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it
export interface Register {}

/** What the app adds under a key, else the fallback. */
export type Registered<Key extends string, Fallback> = Register extends {
  readonly [Name in Key]: infer Value;
}
  ? Value
  : Fallback;

/** A code of the contract, or one that `models/errors.json` of the app declares. */
export type ErrorCode = ContractCode | Registered<"errors", never>;

export interface ErrorOptions {
  /** For `HTTP_ERROR`, whose status varies. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What really happened: for the log, never for the caller. */
  readonly cause?: unknown;
}

/**
 * An error that the caller is told about, in the error envelope. Hooks throw it too. Status and default message of a code of the
 * app's own are those of the service whose code throws it, and known from then on.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message?: string,
    details?: Readonly<Record<string, unknown>>,
    options: ErrorOptions = {},
  ) {
    const known = isContractCode(code) ? errorCodes[code] : { status: 500, message: String(code) };
    super(message ?? known.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? known.status;
    this.details = details;
    this.headers = options.headers ?? {};
  }
}

/**
 * What code of one's own threw, as its service declares it: the same error, with status and default message. A code that nobody
 * declares is 500 `INTERNAL_ERROR`, and the log says so. The error itself stays as it is: two services of a process may share one, and
 * declare its code differently.
 */
export function asDeclared(error: ServiceError, declared: DeclaredErrors): ServiceError {
  if (isContractCode(error.code)) return error;
  const code = String(error.code);
  const own = Object.hasOwn(declared, code) ? declared[code] : undefined;
  if (own === undefined) return undeclared(code, error, declared);
  const { details, headers, cause } = error;
  const message = error.message === code ? own.description : error.message;
  return new ServiceError(error.code, message, details, { status: own.status, headers, cause });
}

function undeclared(code: string, error: ServiceError, declared: DeclaredErrors): ServiceError {
  const known = suggestion(code, [...Object.keys(declared), ...Object.keys(errorCodes)]);
  const reason = `"${code}" is no error of the service, and models/errors.json does not declare it${known}`;
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(reason, { cause: error }),
  });
}

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

/** For whoever is turned away while something that the service stands on is silent (decisions, part 1). In seconds. */
export const retryLater = { "Retry-After": "5" } as const;

/** 503 `HTTP_ERROR`: the database is silent, or its connections are all taken. The cause goes to the log alone. */
function noAnswer(cause: unknown): ServiceError {
  const options = { status: 503, headers: retryLater, cause };
  return new ServiceError("HTTP_ERROR", "The database does not answer right now.", undefined, options);
}

/** 503 `HTTP_ERROR` without `Retry-After`: the request may have been carried out, so a client must not simply repeat it. */
function lostAnswer(cause: unknown): ServiceError {
  const message = "The database did not answer in time. The request may have been carried out.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503, cause });
}

/** For whoever is turned away since there is much to do at this moment. In seconds. */
export const retrySoon = { "Retry-After": "1" } as const;

/** 503 `HTTP_ERROR`: more arrives than can be done. One for all: while there is too much to do, each refusal must cost little. */
export const tooMuchToDo = new ServiceError(
  "HTTP_ERROR",
  "The service has more to do than it can right now.",
  undefined,
  { status: 503, headers: retrySoon },
);

/** What is answered where the database could not be had, by the kind of its failure; null: that is not what has failed. */
export function notNow(kind: string | undefined, cause: unknown): ServiceError | null {
  if (kind === "too_many") return tooMuchToDo;
  if (kind === "lost_answer") return lostAnswer(cause);
  return kind === "no_answer" ? noAnswer(cause) : null;
}

/** What a failure is once something was carried out: not one after which the same request is to be sent again. */
export function afterWrite(error: unknown): unknown {
  const isRefusal = error === tooMuchToDo || (error instanceof ServiceError && error.headers === retryLater);
  return isRefusal ? lostAnswer(error) : error;
}

/** Where a stored value was read, as far as that is known. */
export interface ValuePlace {
  readonly model?: string;
  readonly field?: string;
  readonly id?: string | null;
}

/**
 * 500 `DATABASE_ERROR` for a stored value that the API has no form for, such as infinity (docs/api.md#values-out-of-range). The log
 * says where it is.
 */
export class UnheldValue extends ServiceError {
  readonly text: string;

  constructor(text: string, { model, field, id = null }: ValuePlace = {}) {
    const column = [model, field].filter((part) => part !== undefined).join(".");
    const row = id === null ? "" : ` of the row with the id ${id}`;
    const place = column === "" ? "a column" : `${column}${row}`;
    const cause = new Error(`${place} holds ${text}, which the API cannot answer`);
    super("DATABASE_ERROR", undefined, undefined, { cause });
    this.text = text;
  }
}

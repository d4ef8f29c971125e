import {
  type BuiltInErrorCode,
  type DeclaredErrors,
  errorCodes,
  isBuiltInErrorCode,
} from "../../../vocabulary/error-codes.ts";
import { suggestion } from "../../../vocabulary/nearest.ts";

/**
 * The types of an app, which `generated/app.ts` adds, so that imports from `kirak` know the app's models,
 * errors and so on.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it
export interface Register {}

/** The type that the app adds under a key, else the fallback. */
export type Registered<Key extends string, Fallback> = Register extends {
  readonly [Name in Key]: infer Value;
}
  ? Value
  : Fallback;

/** One of Kirak's error codes, or one that `models/errors.json` of the app declares. */
export type ErrorCode = BuiltInErrorCode | Registered<"errors", never>;

export interface ErrorOptions {
  /** For `HTTP_ERROR`, whose status varies. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The real reason, for the log only. */
  readonly cause?: unknown;
}

/**
 * An error that becomes the response. Hooks can throw it too. The status and default message of an app's code
 * are those that the service declares.
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
    const known = isBuiltInErrorCode(code) ? errorCodes[code] : { status: 500, message: String(code) };
    super(message ?? known.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? known.status;
    this.details = details;
    this.headers = options.headers ?? {};
  }
}

/**
 * Gives an error of app code the status and default message that the service declares. An undeclared code
 * becomes 500 `INTERNAL_ERROR`, with the reason in the log. Returns a new error, because two services of a
 * process can declare a code differently.
 */
export function asDeclared(error: ServiceError, declared: DeclaredErrors): ServiceError {
  if (isBuiltInErrorCode(error.code)) return error;
  const code = String(error.code);
  const own = Object.hasOwn(declared, code) ? declared[code] : undefined;
  if (own === undefined) return undeclared(code, error, declared);
  const { details, headers, cause } = error;
  const message = error.message === code ? own.description : error.message;
  return new ServiceError(error.code, message, details, { status: own.status, headers, cause });
}

function undeclared(code: string, error: ServiceError, declared: DeclaredErrors): ServiceError {
  const known = suggestion(code, [...Object.keys(declared), ...Object.keys(errorCodes)]);
  const reason = `"${code}" is not an error code of Kirak, and models/errors.json does not declare it${known}`;
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(reason, { cause: error }),
  });
}

/** One invalid field of a request, by the name that the caller sent. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** 400 `VALIDATION_ERROR` for an error of a function or trigger in the database, by default without its message. */
export function refusedByDatabase(
  cause: unknown,
  message = "A rule of the database does not allow this.",
): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message, undefined, { cause });
}

const reportedProblems = 50;

/** A `VALIDATION_ERROR` with `details.field`, and `details.errors` for several fields. */
export function invalid(problems: readonly [Problem, ...Problem[]]): ServiceError {
  const [first] = problems;
  const details =
    problems.length === 1
      ? { field: first.field }
      : { field: first.field, errors: problems.slice(0, reportedProblems) };
  return new ServiceError("VALIDATION_ERROR", `${first.field}: ${first.message}`, details);
}

/** Throws if there are problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw invalid([first, ...rest]);
}

/** In seconds; for the time in which a dependency does not respond. */
export const retryLater = { "Retry-After": "5" } as const;

/** 503 `HTTP_ERROR`: the database does not respond, or no connection is free. */
function noAnswer(cause: unknown): ServiceError {
  const options = { status: 503, headers: retryLater, cause };
  return new ServiceError("HTTP_ERROR", "The database does not answer right now.", undefined, options);
}

/**
 * 503 `HTTP_ERROR` without `Retry-After`: the request can have been executed, so a client must not simply
 * repeat it.
 */
function lostAnswer(cause: unknown): ServiceError {
  const message = "The request was interrupted. The service may have carried it out, or a part of it.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503, cause });
}

/** In seconds; under overload. */
export const retrySoon = { "Retry-After": "1" } as const;

/** 503 `HTTP_ERROR`. The error is shared, because a rejection must be cheap under load. */
export const overloadError = new ServiceError(
  "HTTP_ERROR",
  "The service is overloaded right now.",
  undefined,
  { status: 503, headers: retrySoon },
);

/** The response if the database was unavailable, by the kind of its failure; null for other failures. */
export function databaseUnavailable(kind: string | undefined, cause: unknown): ServiceError | null {
  if (kind === "too_many") return overloadError;
  if (kind === "lost_answer") return lostAnswer(cause);
  return kind === "no_answer" ? noAnswer(cause) : null;
}

/**
 * The error of a request that can have written: it must not tell the client to repeat the request. App code
 * that sets its own `Retry-After` knows what it wrote.
 */
export function afterWrite(error: unknown): unknown {
  const isRefusal =
    error instanceof ServiceError && (error.headers === retryLater || error.headers === retrySoon);
  return isRefusal ? lostAnswer(error) : error;
}

/** The place of a stored value, as far as known. */
export interface ValuePlace {
  readonly model?: string;
  readonly field?: string;
  readonly id?: string | null;
}

/**
 * 500 `DATABASE_ERROR` for a stored value that the API does not support, such as infinity
 * (docs/api.md#values-out-of-range). The log has its place.
 */
export class UnsupportedValue extends ServiceError {
  readonly text: string;

  constructor(text: string, { model, field, id = null }: ValuePlace = {}) {
    const column = [model, field].filter((part) => part !== undefined).join(".");
    const row = id === null ? "" : ` of the row with the id ${id}`;
    const place = column === "" ? "a column" : `${column}${row}`;
    const cause = new Error(`${place} holds ${text}, which the API cannot return`);
    super("DATABASE_ERROR", undefined, undefined, { cause });
    this.text = text;
  }
}

// Errors of a generated client. The app's part adds the codes of the service to `ErrorTable`.

/** What an error has by its code. The status is 0 where no answer was received. */
export interface ErrorTable {
  NETWORK_ERROR: { status: 0; details?: undefined; retryAfter?: undefined };
  TIMEOUT: { status: 0; details?: undefined; retryAfter?: undefined };
  ABORTED: { status: 0; details?: undefined; retryAfter?: undefined };
  UNEXPECTED_ANSWER: { status: number; details?: undefined; retryAfter?: number };
}

export type ErrorCode = keyof ErrorTable;

/** Codes that every call can fail with. */
export type ClientCode = "NETWORK_ERROR" | "TIMEOUT" | "ABORTED" | "UNEXPECTED_ANSWER";

/** A failed call. `error` is stable; the message is for people. `details` and `retryAfter` are in `Failure`, by code. */
export class ApiError extends Error {
  declare readonly error: ErrorCode;
  declare readonly status: number;
  declare readonly requestId: string | null;

  constructor(error: string, message: string, facts?: ErrorFacts) {
    super(message, facts);
    // The service can be newer than this file, and have codes that it does not know.
    Object.assign(this, { name: "ApiError", error, status: 0, requestId: null }, facts);
  }
}

export interface ErrorFacts {
  status?: number;
  requestId?: string | null;
  cause?: unknown;
  details?: unknown;
  /** Seconds. */
  retryAfter?: number | undefined;
}

export function isApiError(thrown: unknown): thrown is Failure {
  return thrown instanceof ApiError;
}

export type Failure<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? ApiError & { readonly error: Code } & Readonly<ErrorTable[Code]>
  : never;

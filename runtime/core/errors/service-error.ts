import { type ContractCode, errorCodes, isContractCode } from "../../../vocabulary/error-codes.ts";
import type { Registered } from "../register/index.ts";

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

import { ServiceError } from "../../core/errors/index.ts";

/** What a caller is told of a failing provider: 500 `STORAGE_ERROR`. What it said is for the log. */
export function storageError(cause: unknown): ServiceError {
  return cause instanceof ServiceError
    ? cause
    : new ServiceError("STORAGE_ERROR", undefined, undefined, { cause });
}

/** The same work, whose failures callers are told as `STORAGE_ERROR`. */
export async function ofStore<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw storageError(error);
  }
}

import { ServiceError } from "../../core/errors/index.ts";

/** 500 `STORAGE_ERROR` of a failing provider. Only the log gets the cause. */
export function storageError(cause: unknown): ServiceError {
  return cause instanceof ServiceError
    ? cause
    : new ServiceError("STORAGE_ERROR", undefined, undefined, { cause });
}

/** Maps failures of the work to `STORAGE_ERROR`. */
export async function withStorageErrors<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw storageError(error);
  }
}

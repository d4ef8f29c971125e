import type { Precondition } from "../database/index.ts";

/**
 * Whether the credential of a caller still holds, where that was not asked yet: the first statement of the request carries the question
 * with it, and is run only where it does (contract: "Request authentication rules", 6).
 */
export interface CredentialCheck {
  /** For a statement that is run before it is known; null once it is. */
  condition(): Precondition | null;
  /** Asks, unless it is known. Errors: 401 `TOKEN_REVOKED`, 503 `AUTH_UNAVAILABLE`. */
  settle(): Promise<void>;
  readonly isSettled: boolean;
}

/** A caller, as far as it has a credential that may not hold. */
export interface Claiming {
  /** Null where all is known. */
  readonly credential: CredentialCheck | null;
}

/** Asks whether the credential of a caller holds: before whatever cannot be undone, and is no statement. Errors: those of the credential. */
export function settled({ credential }: Claiming): Promise<void> | undefined {
  return credential === null || credential.isSettled ? undefined : credential.settle();
}

/**
 * Does the work of a caller and gives what comes of it once it is known that the credential holds. Where it does not, that is the error,
 * whatever else there was to say.
 */
export function whereCredentialHolds<Result>(caller: Claiming, work: () => Promise<Result>): Promise<Result> {
  return caller.credential === null ? work() : whereItHolds(caller.credential, work);
}

async function whereItHolds<Result>(
  credential: CredentialCheck,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    if (!credential.isSettled) await credential.settle();
  }
}

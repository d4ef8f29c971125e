import { ServiceError } from "../../../core/errors/index.ts";
import type { UserRow } from "../users/users-table.ts";

/**
 * A passkey that was not accepted: 401 `PASSKEY_FAILED`, with one message for all reasons. `reason` is for
 * the log and holds no secret.
 */
export class PasskeyRefusal extends ServiceError {
  readonly reason: string;
  /** The owner of the passkey, or the user who registers one; null if not known. */
  readonly userId: string | null;
  /** The owner, if the counter shows that the passkey was copied. */
  readonly copiedFrom: UserRow | null;

  constructor(
    reason: string,
    { userId = null, copiedFrom = null }: Partial<Pick<PasskeyRefusal, "userId" | "copiedFrom">> = {},
  ) {
    super("PASSKEY_FAILED");
    this.reason = reason.slice(0, 200);
    this.userId = userId;
    this.copiedFrom = copiedFrom;
  }
}

/**
 * Runs checks of a passkey. Returns a refusal, so that the transaction commits and the challenge is used up.
 */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T | PasskeyRefusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PasskeyRefusal) return error;
    throw error;
  }
}

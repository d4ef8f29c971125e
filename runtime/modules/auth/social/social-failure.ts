/** Why a sign-in failed, in `details.reason` of the error (docs/social.md#routes). */
export type FailureReason = "cancelled" | "unavailable" | "refused";

/**
 * A failed sign-in: the user or the provider refused, the provider is down, or its response is not trusted.
 * The caller gets `SOCIAL_AUTH_FAILED` with the reason. The message is for the log and holds no secret.
 */
export class SocialFailure extends Error {
  override readonly name = "SocialFailure";
  readonly reason: FailureReason;

  constructor(message: string, reason: FailureReason = "refused") {
    super(message);
    this.reason = reason;
  }
}

/** Returns the failure for a status that is not 2xx: `unavailable` for 5xx, otherwise `refused`. */
export function statusFailure(who: string, status: number, where = ""): SocialFailure {
  return new SocialFailure(`${who} answered ${status}${where}`, status >= 500 ? "unavailable" : "refused");
}

/** Why a sign-in failed, as the caller reads it in `details.reason` (docs/social.md#routes). */
export type FailureReason = "cancelled" | "unavailable" | "refused";

/**
 * A sign-in that did not come about: the user or the provider said no, the provider is down, or its answer cannot be trusted.
 * The caller gets `SOCIAL_AUTH_FAILED` with the reason. The message is for the log, and holds no token, code or secret.
 */
export class SocialFailure extends Error {
  override readonly name = "SocialFailure";
  readonly reason: FailureReason;

  constructor(message: string, reason: FailureReason = "refused") {
    super(message);
    this.reason = reason;
  }
}

/** The failure of a call by the status of its answer. With a 5xx the provider gave no answer. */
export function statusFailure(who: string, status: number, where = ""): SocialFailure {
  return new SocialFailure(`${who} answered ${status}${where}`, status >= 500 ? "unavailable" : "refused");
}

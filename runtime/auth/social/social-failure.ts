/**
 * A sign-in that did not come about: the provider refused, is down, or said what cannot be trusted. Who called is told
 * `SOCIAL_AUTH_FAILED` and nothing else; the reason is for the log, and holds no token, code or secret.
 */
export class SocialFailure extends Error {
  override readonly name = "SocialFailure";
}

/** A caller whose access token may have been revoked. */
export interface Identified {
  /**
   * Looks up whether the caller's token is revoked; all calls share one look-up. Null where nothing has to be looked up. What has effects
   * waits for it: a write, a hook, a counter. Reads travel with it: see `readsOf`. Errors: 401 `TOKEN_REVOKED`, 503 `AUTH_UNAVAILABLE`.
   */
  readonly ensureNotRevoked: (() => Promise<void>) | null;
}

import { ApiError, type Failure } from "./errors.ts";
import type { ApiRequest, Success } from "./request.ts";
import { isRefusal, notify, type SessionKeeper, turnsOf } from "./session.ts";
import type { ClientOptions, Session } from "./types.ts";

/**
 * The session of a client whose tokens are in cookies, which no script reads. The client knows only when the access token ends, so
 * a session has empty tokens.
 */
export function keepCookies(
  { url }: ClientOptions,
  refresh: (body: object) => Promise<Success>,
): SessionKeeper {
  const signIn = { cookie_only: true };
  const inTurn = turnsOf(url);
  const listeners = new Set<(session: Session | null) => void>();
  /** Undefined until the first refresh. */
  let session: Session | null | undefined;
  /** The session with which a request began. */
  const begun = new WeakMap<ApiRequest, Session | null>();
  let refreshing: Promise<unknown> | null = null;

  const set = async (next: Session | null) => {
    const before = session;
    session = next && { accessToken: "", refreshToken: "", expiresAt: next.expiresAt };
    if (before || next) for (const listener of listeners) notify(listener, session);
  };
  const keep = async (success: Success) => {
    const { expiresIn } = (success.data ?? {}) as { expiresIn?: number };
    if (expiresIn) await set({ accessToken: "", refreshToken: "", expiresAt: Date.now() + expiresIn * 1000 });
    return success;
  };
  const use: SessionKeeper["use"] = (exchange, given, ends) =>
    inTurn(async () => {
      let isOver = ends;
      const send = async () => exchange(null);
      try {
        return await keep(
          await send().catch((thrown) => {
            // Another tab can have renewed the cookie.
            if (ends === undefined && isRefusal(thrown)) return send();
            throw thrown;
          }),
        );
      } catch (thrown) {
        isOver ??= isRefusal(thrown);
        throw thrown;
      } finally {
        if (isOver && given === undefined) await set(null);
      }
    });
  /** Fails with `refused` if the service refuses the cookie. */
  const renewed = async (refused: (cause: unknown) => unknown) => {
    refreshing ??= use(() => refresh(signIn)).finally(() => {
      refreshing = null;
    });
    try {
      await refreshing;
    } catch (thrown) {
      throw isRefusal(thrown) ? refused(thrown) : thrown;
    }
  };
  const expired = (cause: unknown) =>
    new ApiError("TOKEN_EXPIRED", "The session has ended.", { status: 401, cause });
  return {
    get: async () => session ?? null,
    set,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    keep,
    use,
    signIn,
    async bearer(request) {
      const isEnding = session && session.expiresAt - Date.now() < 10_000;
      if (!request.open && (isEnding || session === undefined))
        await renewed(expired).catch((thrown) => {
          // Without a session from the start, the caller is a guest.
          if (isEnding || session !== null) throw thrown;
        });
      begun.set(request, session ?? null);
      return null;
    },
    async renew(request, _, failure) {
      if (!/^(TOKEN|MISSING)_/.test((Object(failure) as Failure).error)) throw failure;
      const before = begun.get(request) ?? null;
      const refused = before ? expired : () => failure;
      // Another call can have renewed or ended it.
      if (before === session) await renewed(refused);
      if (!session) throw refused(failure);
      return null;
    },
  };
}

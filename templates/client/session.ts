import { ApiError, type Failure } from "./errors.ts";
import type { ApiRequest, Success } from "./request.ts";
import type { ClientOptions, Session, SessionStore, Sessions } from "./types.ts";

/** Keeps the session in `localStorage`, for all tabs; in memory where that does not exist or is closed. */
export function browserStorage(key: string): SessionStore {
  let kept: Session | null = null;
  return {
    get() {
      try {
        return kept ?? JSON.parse(localStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    set(session) {
      kept = null;
      try {
        if (session) localStorage.setItem(key, JSON.stringify(session));
        else localStorage.removeItem(key);
      } catch {
        kept = session;
      }
    },
  };
}

/** The parts of an answer that make a session. */
interface AnsweredTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
}

export interface SessionKeeper extends Sessions {
  /** The token for a request. It is renewed if it is about to end, unless the route takes no session. */
  bearer(request: ApiRequest): Promise<string | null | undefined>;
  /** A newer token than `used`, with which the request failed. Throws the failure if a newer token cannot help. */
  renew(request: ApiRequest, used: string | null | undefined, failure: unknown): Promise<string | null>;
  /** Stores the tokens of an answer, if it has any. */
  keep(success: Success): Promise<Success>;
  /**
   * Refreshes or ends the session: runs while no other tab and no other call uses its refresh token. `given` is the token in place of
   * that of the session, and `ends` whether the session ends in any case. If undefined, it ends if the service refuses the token.
   */
  use(
    exchange: (session: Session | null) => Promise<Success> | Success,
    given?: unknown,
    ends?: boolean,
  ): Promise<Success>;
  /** What the body of a sign-in has in addition. */
  signIn?: object;
}

/** The session of a client. `refresh` sends a body to the route that renews tokens. */
export function keepSession(
  client: ClientOptions,
  refresh: (body: object) => Promise<Success>,
): SessionKeeper {
  const { token, apiKey, credentials, storage, url } = client;
  const listeners = new Set<(session: Session | null) => void>();
  /** A session that the store does not have yet, or has refused; undefined: that of the store. */
  let kept: Session | null | undefined;
  const inTurn = turnsOf(url);
  let refreshing: Promise<unknown> | null = null;

  const get = async () => (storage && kept === undefined ? storage.get() : (kept ?? null));
  const set = async (session: Session | null) => {
    kept = session;
    for (const listener of listeners) notify(listener, session);
    if (!storage) return;
    await storage.set(session);
    if (kept === session) kept = undefined;
  };
  const keep = async (success: Success) => {
    const { accessToken, refreshToken, expiresIn } = Object(success.data) as AnsweredTokens;
    if (refreshToken) await set({ accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 });
    return success;
  };
  const use: SessionKeeper["use"] = (exchange, given, ends) =>
    inTurn(async () => {
      const before = await get();
      const sent = before?.refreshToken;
      let isOver = ends;
      try {
        const success = await exchange(before);
        // Another tab or call can have changed the session. A store that fails must not lose the new tokens.
        if ((await get().catch(() => before))?.refreshToken === sent) await keep(success);
        return success;
      } catch (thrown) {
        isOver ??= isRefusal(thrown);
        throw thrown;
      } finally {
        if (isOver && (await get())?.refreshToken === (given ?? sent)) await set(null);
      }
    });
  const renewed = async (used: string) => {
    // Another tab or call can have renewed it.
    refreshing ??= use((session) =>
      session?.accessToken === used ? refresh({ refreshToken: session.refreshToken }) : { data: null },
    ).finally(() => {
      refreshing = null;
    });
    const cause = await refreshing.then(
      () => {},
      (thrown) => {
        if (isRefusal(thrown)) return thrown;
        throw thrown;
      },
    );
    const session = await get();
    if (session) return session.accessToken;
    throw new ApiError("TOKEN_EXPIRED", "The session has ended.", { status: 401, cause });
  };
  return {
    get,
    set,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    keep,
    use,
    async bearer({ open }) {
      if (token !== undefined) return typeof token === "function" ? token() : token;
      const session = apiKey || (credentials ?? "omit") !== "omit" ? null : await get();
      const isEnding = session && !open && session.expiresAt - Date.now() < 10_000;
      return isEnding ? renewed(session.accessToken) : session?.accessToken;
    },
    async renew(_, used, failure) {
      // An administrator can revoke access tokens of a session that goes on.
      const isEnded = /^TOKEN_/.test((Object(failure) as Failure).error);
      if (!used || !isEnded || token !== undefined) throw failure;
      return renewed(used);
    },
  };
}

/** A function that runs others in turn: also with other tabs, where they have locks. */
export function turnsOf(url: string): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let turns: Promise<unknown> = Promise.resolve();
  return async (run) => {
    const locks = globalThis.navigator?.locks;
    // Without `await`, TypeScript 5.9 takes it for a promise of a promise.
    if (locks) return await locks.request(`kirak ${url}`, run);
    const result = turns.then(run);
    turns = result.catch(() => {});
    return result;
  };
}

/** Calls a function of the app apart from the work of the client, so that its error is its own. */
export function notify<Value>(listener: (value: Value) => void, value: Value): void {
  void Promise.resolve(value).then(listener);
}

/** Whether the service has refused a refresh token. */
export function isRefusal(thrown: unknown): boolean {
  const { status, error } = Object(thrown) as Failure;
  return [400, 401, 403].includes(status) && error !== "UNEXPECTED_ANSWER";
}

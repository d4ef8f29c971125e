import { ApiError } from "./errors.ts";
import type { Success } from "./request.ts";
import type { ClientOptions, Session, SessionStore, Sessions } from "./types.ts";

/** Keeps the session in `localStorage`, for all tabs; in memory where that does not exist or is closed. */
export function browserStorage(key: string): SessionStore {
  let kept: Session | null = null;
  return {
    get() {
      if (kept) return kept;
      try {
        return JSON.parse(localStorage.getItem(key) ?? "null");
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

function memoryStorage(): SessionStore {
  let kept: Session | null = null;
  return {
    get: () => kept,
    set(session) {
      kept = session;
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
  /** The token of a request, renewed if it is about to end. */
  bearer(open: boolean | undefined): Promise<string | null | undefined>;
  /** A newer token than this one, or null for a client whose tokens are not renewed here. */
  renew(used: string): Promise<string> | null;
  /** Stores the tokens of an answer, if it has any. */
  keep(success: Success): Promise<unknown>;
}

/** The session of a client. `exchangeToken` sends a refresh token. */
export function keepSession(
  client: ClientOptions,
  exchangeToken: (refreshToken: string) => Promise<Success>,
): SessionKeeper {
  const store = client.storage ?? memoryStorage();
  const listeners = new Set<(session: Session | null) => void>();
  const isRenewing = !(client.token ?? client.apiKey ?? client.credentials);
  let refreshing: Promise<string> | null = null;

  const set = async (session: Session | null) => {
    await store.set(session);
    // Apart, so that the error of a listener is its own.
    for (const listener of listeners) void Promise.resolve(session).then(listener);
  };
  const keep = async ({ data }: Success) => {
    const { accessToken, refreshToken, expiresIn } = (data ?? {}) as AnsweredTokens;
    if (accessToken && refreshToken)
      await set({ accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 });
    return accessToken;
  };
  /** Reads the store before and after the request, because another tab can have renewed or ended the session. */
  const refresh = async (used: string): Promise<string> => {
    const before = await store.get();
    if (before && before.accessToken !== used) return before.accessToken;
    let success: Success | undefined;
    let cause: unknown;
    if (before)
      try {
        success = await exchangeToken(before.refreshToken);
      } catch (thrown) {
        cause = thrown;
      }
    const after = await store.get();
    if (after && after.refreshToken !== before?.refreshToken) return after.accessToken;
    if (after && success) return keep(success);
    const { status, error } = (cause ?? { status: 401 }) as ApiError;
    if (!/^40[013]$/.test(`${status}`) || error === "UNEXPECTED_ANSWER") throw cause;
    if (after) await set(null);
    throw new ApiError("TOKEN_EXPIRED", "The session has ended.", { status: 401, cause });
  };
  /** Tabs refresh in turns. */
  const inTurns = async (refreshed: () => Promise<string>): Promise<string> => {
    const locks = globalThis.navigator?.locks;
    // Without `await`, TypeScript 5.9 takes it for a promise of a promise.
    return locks ? await locks.request(`kirak ${client.url}`, refreshed) : refreshed();
  };
  const renew = (used: string) => {
    if (!isRenewing) return null;
    refreshing ??= inTurns(() => refresh(used)).finally(() => {
      refreshing = null;
    });
    return refreshing;
  };
  return {
    get: async () => store.get(),
    set,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    keep,
    renew,
    async bearer(open) {
      const { token } = client;
      if (token !== undefined) return typeof token === "function" ? token() : token;
      const session = await store.get();
      if (!session) return null;
      const isEnding = session.expiresAt - Date.now() < 10_000;
      return (isEnding && !open && renew(session.accessToken)) || session.accessToken;
    },
  };
}

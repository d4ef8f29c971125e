import type { Request, Response } from "express";
import { type Awaitable, andThen } from "../core/concurrency/index.ts";
import type { Caller } from "../data/operations/index.ts";
import type { Authenticator, Identity } from "../modules/auth/index.ts";
import type { RateLimits } from "../modules/rate-limit/index.ts";

/** How REST, GraphQL and custom routes get the caller. Errors: those of the credential. */
export interface CallerReaders {
  /** After the check for revoked tokens, for routes with side effects. */
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  /**
   * Runs the work of a request for its caller. The check for revoked tokens runs before the work if `first`,
   * otherwise in parallel. If it fails, the result of the work is dropped. Operations wait for it before they
   * write.
   */
  readonly asCaller: <Result>(
    request: Request,
    response: Response,
    first: boolean,
    work: (caller: Caller) => Promise<Result>,
  ) => Promise<Result>;
}

export function callerReaders(
  authenticator: Authenticator,
  addressOf: RateLimits["addressOf"],
): CallerReaders {
  const identify = (request: Request, response: Response): Awaitable<Caller> => {
    const { context } = request;
    const { id, trace, later } = context;
    const identity = authenticator.identify(request, ({ user_id, role }) => {
      context.userId = user_id;
      context.role = role;
      // Shared caches only know the header `Authorization`. Middleware outside the service can have responded
      // before, for example after a timeout.
      if (user_id !== null && !response.headersSent) response.setHeader("Cache-Control", "no-store");
    });
    const address = addressOf(request);
    // Without a spread, which takes three times as long as the rest.
    const callerFrom = ({ principal, ensureNotRevoked }: Identity): Caller => ({
      principal,
      ensureNotRevoked,
      requestId: id,
      address,
      trace,
      later,
    });
    return andThen(identity, callerFrom);
  };
  const identifyFirst = async (request: Request, response: Response): Promise<Caller> => {
    const caller = await identify(request, response);
    await caller.ensureNotRevoked?.();
    return { ...caller, ensureNotRevoked: null };
  };
  /** Records the step `auth`. */
  const timed = (find: typeof identify) => (request: Request, response: Response) => {
    const { trace } = request.context;
    const step = trace.begin("auth");
    const found = find(request, response);
    if (found instanceof Promise) return found.finally(() => trace.end(step));
    trace.end(step);
    return found;
  };
  const [atOnce, afterLookUp] = [timed(identify), timed(identifyFirst)];
  return {
    callerOf: async (request, response) => afterLookUp(request, response),
    async asCaller(request, response, first, work) {
      const found = (first ? afterLookUp : atOnce)(request, response);
      const caller = found instanceof Promise ? await found : found;
      if (caller.ensureNotRevoked === null) return work(caller);
      try {
        return await work(caller);
      } finally {
        await caller.ensureNotRevoked();
      }
    },
  };
}

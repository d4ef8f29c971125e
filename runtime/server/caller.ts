import type { Request, Response } from "express";
import { type Awaitable, andThen } from "../core/concurrency/index.ts";
import type { Caller } from "../data/operations/index.ts";
import type { Authenticator, Identity } from "../modules/auth/index.ts";
import type { RateLimits } from "../modules/rate-limit/index.ts";

/** How a front gets the caller of a request. Errors: those of the credential. */
export interface CallerReaders {
  /** A caller whose token is known to be good: for fronts whose work has effects of its own. */
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  /**
   * Does the work of a request for its caller. Unless `first`, the look-up of the token can still be under way while the work reads; then
   * what the work gives or throws is dropped where the token is revoked. Operations wait for the look-up before they write.
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
      // What one caller may see is nothing for a shared cache. Of other headers than `Authorization` caches know nothing.
      // Whoever stands around the service may have answered meanwhile, such as that it takes too long.
      if (user_id !== null && !response.headersSent) response.setHeader("Cache-Control", "no-store");
    });
    const address = addressOf(request);
    // Written out: to spread an object takes three times as long as the rest of it.
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
  /** With the step `auth` of the trace. */
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

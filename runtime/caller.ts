import type { Request, Response } from "express";
import type { Authenticator, Claimant } from "./auth/index.ts";
import { type Awaitable, andThen } from "./concurrency/index.ts";
import { type Caller, settled } from "./operations/index.ts";
import type { RateLimits } from "./rate-limit/index.ts";

/** Tells who sends a request. Errors: those of the credential. */
type CallerOf = (request: Request, response: Response) => Promise<Caller>;

/** What each front begins with: the credential of a request, and what is due once its user is known. */
export interface CallerReaders {
  readonly callerOf: CallerOf;
  /**
   * For fronts that go on while nobody has asked yet whether the token was revoked; at once where nothing has to be asked for more. Nothing is
   * answered before that is known.
   */
  readonly claimantOf: (request: Request, response: Response) => Awaitable<Caller>;
}

export function callerReaders(
  authenticator: Authenticator,
  addressOf: RateLimits["addressOf"],
): CallerReaders {
  const find: CallerReaders["claimantOf"] = (request, response) => {
    const { context } = request;
    const { id, trace, later } = context;
    const claimant = authenticator.claimant(request, ({ user_id, role }) => {
      context.userId = user_id;
      context.role = role;
      // What one caller may see is nothing for a shared cache. Of other headers than `Authorization` caches know nothing.
      // Whoever stands around the service may have answered meanwhile, such as that it takes too long.
      if (user_id !== null && !response.headersSent) response.setHeader("Cache-Control", "no-store");
    });
    const address = addressOf(request);
    // Written out: to spread an object takes three times as long as the rest of it.
    const callerFrom = ({ principal, credential }: Claimant): Caller => ({
      principal,
      credential,
      requestId: id,
      address,
      trace,
      later,
    });
    return andThen(claimant, callerFrom);
  };
  return {
    claimantOf(request, response) {
      const { trace } = request.context;
      const step = trace.begin("auth");
      const found = find(request, response);
      if (found instanceof Promise) return found.finally(() => trace.end(step));
      trace.end(step);
      return found;
    },
    async callerOf(request, response) {
      const { trace } = request.context;
      const step = trace.begin("auth");
      const caller = await find(request, response);
      await settled(caller);
      trace.end(step);
      return { ...caller, credential: null };
    },
  };
}

import type { Request, Response } from "express";
import type { Authenticator } from "./auth/index.ts";
import type { Caller } from "./operations/index.ts";
import type { RateLimits } from "./rate-limit/index.ts";

/** Tells who sends a request. Errors: those of the credential. */
type CallerOf = (request: Request, response: Response) => Promise<Caller>;

/** What each front begins with: the credential of a request, and what is due once its user is known. */
export function callerReader(authenticator: Authenticator, addressOf: RateLimits["addressOf"]): CallerOf {
  return async (request, response) => {
    const { id, trace, later } = request.context;
    const step = trace.begin("auth");
    const principal = await authenticator.principal(request);
    trace.end(step);
    request.context.userId = principal.user_id;
    request.context.role = principal.role;
    // What one caller may see is nothing for a shared cache. Of other headers than `Authorization` caches know nothing.
    if (principal.user_id !== null) response.setHeader("Cache-Control", "no-store");
    return { principal, requestId: id, address: addressOf(request), trace, later };
  };
}

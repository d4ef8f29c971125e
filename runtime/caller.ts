import type { Request, Response } from "express";
import type { Authenticator } from "./auth/index.ts";
import { type Caller, settled } from "./operations/index.ts";
import type { RateLimits } from "./rate-limit/index.ts";

/** Tells who sends a request. Errors: those of the credential. */
type CallerOf = (request: Request, response: Response) => Promise<Caller>;

/** What each front begins with: the credential of a request, and what is due once its user is known. */
export interface CallerReaders {
  readonly callerOf: CallerOf;
  /** For fronts that go on while nobody has asked yet whether the token was revoked. Nothing is answered before it is known. */
  readonly claimantOf: CallerOf;
}

export function callerReaders(
  authenticator: Authenticator,
  addressOf: RateLimits["addressOf"],
): CallerReaders {
  const claimantOf: CallerOf = async (request, response) => {
    const { context } = request;
    const { id, trace, later } = context;
    const { principal, credential } = await authenticator.claimant(request, ({ user_id, role }) => {
      context.userId = user_id;
      context.role = role;
      // What one caller may see is nothing for a shared cache. Of other headers than `Authorization` caches know nothing.
      if (user_id !== null) response.setHeader("Cache-Control", "no-store");
    });
    return { principal, credential, requestId: id, address: addressOf(request), trace, later };
  };
  return {
    claimantOf: (request, response) => timed(request, claimantOf(request, response)),
    callerOf: (request, response) => timed(request, settledCaller(claimantOf(request, response))),
  };
}

async function settledCaller(claimant: Promise<Caller>): Promise<Caller> {
  const caller = await claimant;
  await settled(caller);
  return { ...caller, credential: null };
}

/** A step that is never ended, since it failed, lasts until the request is over. */
async function timed({ context: { trace } }: Request, caller: Promise<Caller>): Promise<Caller> {
  const step = trace.begin("auth");
  const found = await caller;
  trace.end(step);
  return found;
}

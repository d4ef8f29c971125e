import type { Request } from "express";
import type { AccountCounter } from "../../../vocabulary/built-in-routes.ts";
import { accountCounterKey } from "../../../vocabulary/counter-keys.ts";
import type { Quota, RateLimits } from "../../rate-limit/index.ts";

/** Counts requests by whom it finds in what is known of them by then. */
export interface RouteCounter<Known, By extends AccountCounter = AccountCounter> {
  readonly by: By;
  readonly whom: (known: Known) => string;
}

/** What is known of a request before its body is read. */
export interface Arrived {
  readonly request: Request;
  readonly services: { readonly limits: RateLimits };
}

export const perAddress: RouteCounter<Arrived, "ip"> = {
  by: "ip",
  whom: ({ request, services }) => services.limits.addressOf(request),
};

/** By a body that was checked, and so in the canonical form. */
export const perEmail: RouteCounter<{ readonly email: string }, "email"> = {
  by: "email",
  whom: ({ email }) => email,
};

/** By a body that was checked, and so in the canonical form. */
export const perPhone: RouteCounter<{ readonly phone_number: string }, "phone"> = {
  by: "phone",
  whom: ({ phone_number }) => phone_number,
};

/** Counts a request to a route, with the manifest's default limit. Null where nobody can tell, or nothing counts. */
export function take<Known>(
  { limiter, defaultLimit }: RateLimits,
  path: string,
  counter: RouteCounter<Known> | null,
  known: Known,
): Promise<Quota | null> | null {
  if (limiter === null || counter === null) return null;
  const { by, whom } = counter;
  return limiter.take(accountCounterKey(path, by, whom(known)), defaultLimit);
}

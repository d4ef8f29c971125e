import type { Request } from "express";
import type { Quota, RateLimits } from "../../rate-limit/index.ts";

/** What requests may be counted by (contract: "Rate limiting (CRUD and auth)"). */
export type CountedBy = "ip" | "email" | "phone";

/** What a route with such bodies is counted by. */
export interface Counted<Body> {
  readonly by: CountedBy;
  /** Finds it in a body that was checked, in its canonical form; null where the body is not needed. */
  readonly inBody: ((body: Body) => string) | null;
}

export const perAddress: Counted<unknown> = { by: "ip", inBody: null };

export const perEmail: Counted<{ readonly email: string }> = { by: "email", inBody: ({ email }) => email };

export const perPhone: Counted<{ readonly phone_number: string }> = {
  by: "phone",
  inBody: ({ phone_number }) => phone_number,
};

/** What the counters of one request say; null where nobody can tell. */
export type Quotas = readonly (Quota | null)[];

const uncounted: Quotas = [];

/** The counters of one route, all with the manifest's default limit. Keys are `auth:<route>:<by>:<whom>`. */
export class RouteCounters<Body> {
  readonly #name: string;
  readonly #counted: readonly Counted<Body>[];

  constructor(path: string, counted: readonly Counted<Body>[]) {
    this.#name = `auth:${path.slice(1)}`;
    this.#counted = counted;
  }

  /** Counts a request by where it comes from: before its body is read. */
  takeAddress(limits: RateLimits, request: Request): Promise<Quotas> | Quotas {
    return this.#take(limits, ({ inBody }) => (inBody === null ? limits.addressOf(request) : null));
  }

  /** Counts a request by what its body says. */
  takeBody(limits: RateLimits, body: Body): Promise<Quotas> | Quotas {
    return this.#take(limits, ({ inBody }) => (inBody === null ? null : inBody(body)));
  }

  /** Counts by those for which there is somebody. */
  #take(
    { limiter, defaultLimit }: RateLimits,
    whom: (counted: Counted<Body>) => string | null,
  ): Promise<Quotas> | Quotas {
    if (limiter === null) return uncounted;
    return Promise.all(
      this.#counted.flatMap((counted) => {
        const found = whom(counted);
        return found === null ? [] : [limiter.take(`${this.#name}:${counted.by}:${found}`, defaultLimit)];
      }),
    );
  }
}

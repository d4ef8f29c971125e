import type { Limit } from "./model-limits.ts";

/** Requests that want to be counted under one key. */
export interface Hit {
  readonly key: string;
  readonly requests: number;
  readonly limit: Limit;
}

/** What a store says to a hit. Moments are milliseconds of the store's own clock. */
export interface Count {
  /** How many of the requests are let through, and counted. */
  readonly granted: number;
  /** Requests in the window after these. */
  readonly used: number;
  /** When the next request leaves the window; with a fixed window, all of them. */
  readonly resetAt: number;
  readonly now: number;
}

/** A counter as administrators see it. */
export interface Counter {
  readonly key: string;
  readonly count: number;
  readonly maxRequests: number;
  readonly windowSeconds: number;
  /** As of `Count`. */
  readonly resetAt: number;
}

/** Counters that are asked for in one call. */
export const mostAtOnce = 500;

/** Where the processes of a service keep their counters. All methods reject when it cannot be reached. */
export interface CounterStore {
  /** Counts hits, whose keys differ, in one atomic step each, and answers them in their order. */
  count(hits: readonly Hit[]): Promise<readonly Count[]>;
  /** Counters whose keys begin with `prefix`, in the order of their keys; no more than `limit`. */
  list(prefix: string, limit: number): Promise<readonly Counter[]>;
  /** Null where nothing is counted under the key. */
  find(key: string): Promise<Counter | null>;
  /** Forgets a counter; false where there is none. */
  reset(key: string): Promise<boolean>;
}

import type { Window } from "../../records/reads.ts";

/** Moments from the first up to the last, which is not within. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A window holds its end, and not its begin. */
export function spanOf({ now, windowSeconds }: Window): Span {
  const to = Math.floor(now) + 1;
  return { from: to - windowSeconds * 1000, to };
}

/** The span of the same length before. */
export function before({ from, to }: Span): Span {
  return { from: from - (to - from), to: from };
}

/** What an answer says of a moment. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Share of nothing is 0. */
export function share(part: number, all: number): number {
  return all === 0 ? 0 : part / all;
}

/** What an answer says of a duration. */
export function ms(us: number): number {
  return us / 1000;
}

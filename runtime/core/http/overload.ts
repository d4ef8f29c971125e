import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";
import { overloadError } from "../errors/index.ts";

export interface OverloadOptions {
  readonly maxEventLoopDelayMs: number;
  /** Whether the queue for database connections is full. */
  readonly isDatabaseFull: () => boolean;
  /** Default: the delay of this process. */
  readonly eventLoopDelayMs?: (() => number) | undefined;
}

/**
 * Rejects requests while the process or its database is overloaded, except below `/monitoring`: 503
 * `HTTP_ERROR` with `Retry-After`.
 */
export function refuseOverload(options: OverloadOptions): RequestHandler {
  const { maxEventLoopDelayMs, isDatabaseFull, eventLoopDelayMs = delayOfProcess } = options;
  return (request, _response, next) => {
    const isTooMuch = eventLoopDelayMs() > maxEventLoopDelayMs || isDatabaseFull();
    next(isTooMuch && !isForOperators(request.url) ? overloadError : undefined);
  };
}

function isForOperators(url: string): boolean {
  if (!url.startsWith(fixedPaths.monitoring)) return false;
  const next = url[fixedPaths.monitoring.length];
  return next === undefined || next === "/" || next === "?";
}

const resolutionMs = 10;
const windowMs = 1_000;

/**
 * Returns a function for the mean delay of the event loop in milliseconds, over at least a second. The
 * longest delay is left out: one slow turn, or a frozen process, is not an overload.
 */
export function measureEventLoopDelay(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let meanMs = 0;
  let since = performance.now();
  return () => {
    const now = performance.now();
    if (now - since < windowMs) return meanMs;
    // Reading `mean` walks over the whole histogram.
    const { count, mean, max } = histogram;
    if (count > 2) {
      // The histogram has the time between two timers, in nanoseconds.
      meanMs = (mean * count - max) / (count - 1) / 1e6 - resolutionMs;
      histogram.reset();
      since = now;
    }
    return meanMs;
  };
}

let measured: (() => number) | undefined;

/** One for all applications of a process: its timer fires 100 times a second. */
function delayOfProcess(): number {
  measured ??= measureEventLoopDelay();
  return measured();
}

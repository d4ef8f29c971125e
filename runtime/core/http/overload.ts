import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";
import { overloadError } from "../errors/index.ts";

export interface OverloadOptions {
  /** Milliseconds. */
  readonly maxEventLoopDelayMs: number;
  /** Whether as many requests wait for a database connection as can. */
  readonly isDatabaseFull: () => boolean;
  /** The delay of the event loop in milliseconds. */
  readonly eventLoopDelayMs?: (() => number) | undefined;
}

/**
 * Rejects requests while the process or its database is overloaded: 503 `HTTP_ERROR` with `Retry-After`.
 * Requests below `/monitoring` are served.
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
 * Returns a function that gives the mean delay of the event loop over the last second, or since its last call,
 * in milliseconds. The longest delay is left out: one slow turn, or a frozen process, is not an overload.
 */
export function measureEventLoopDelay(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let meanMs = 0;
  let since = performance.now();
  return () => {
    const now = performance.now();
    if (now - since < windowMs) return meanMs;
    // A read of `mean` walks over the whole histogram.
    const { count, mean, max } = histogram;
    if (count > 2) {
      // The histogram has the whole time between two of its timers, in nanoseconds.
      meanMs = (mean * count - max) / (count - 1) / 1e6 - resolutionMs;
      histogram.reset();
      since = now;
    }
    return meanMs;
  };
}

let measured: (() => number) | undefined;

/** One measurement for all applications of a process: each would have a timer that fires 100 times a second. */
function delayOfProcess(): number {
  measured ??= measureEventLoopDelay();
  return measured();
}

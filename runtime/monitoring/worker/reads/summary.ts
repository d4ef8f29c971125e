import type { Summary, Window } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { before, spanOf } from "./span.ts";
import { figuresOf } from "./totals.ts";

/** Figures of a window, and how they differ from those of the one before. */
export function summary(database: Database, asked: Window): Summary {
  const span = spanOf(asked);
  const now = figuresOf(database, { span, series: null });
  const previous = figuresOf(database, { span: before(span), series: null });
  const p95 = now.duration_ms.p95;
  const p95Before = previous.duration_ms.p95;
  return {
    window_seconds: asked.windowSeconds,
    ...now,
    previous,
    delta: {
      requests: now.requests - previous.requests,
      request_rate: now.request_rate - previous.request_rate,
      error_rate_4xx: now.error_rate_4xx - previous.error_rate_4xx,
      error_rate_5xx: now.error_rate_5xx - previous.error_rate_5xx,
      p95: p95 === null || p95Before === null ? null : p95 - p95Before,
    },
  };
}

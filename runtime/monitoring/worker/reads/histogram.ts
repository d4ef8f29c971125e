import { latencyEdgesMs } from "../../records/latency-edges.ts";
import type { Histogram, Window } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { edgeOf, noCounts } from "../figures/edge-counts.ts";
import { visitNumbers } from "./requests-in.ts";
import { type Span, spanOf } from "./span.ts";
import { partsOf } from "./totals.ts";

/** How many requests took about how long. */
export function histogram(database: Database, asked: Window): Histogram {
  const counts = noCounts();
  const count = (edge: number, requests: number) => {
    counts[edge] = (counts[edge] ?? 0) + requests;
  };
  const { minutes, edges } = partsOf(spanOf(asked));
  const ofMinutes = database
    .prepare<[Span], string>("select histogram from request_minutes where minute >= @from and minute < @to")
    .pluck();
  for (const text of ofMinutes.iterate(minutes)) {
    const numbers: number[] = JSON.parse(text);
    for (const [edge, requests] of numbers.entries()) count(edge, requests);
  }
  for (const span of edges) {
    visitNumbers(database, { span, series: null }, "duration_us", (numbers) => {
      for (const us of numbers) count(edgeOf(us), 1);
    });
  }
  return { edges_ms: latencyEdgesMs, counts, total: counts.reduce((total, one) => total + one, 0) };
}

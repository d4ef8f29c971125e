import type { RouteFigures, Window } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { RequestCount } from "../figures/request-count.ts";
import { visitNumbers } from "./requests-in.ts";
import { iso, ms, type Span, spanOf } from "./span.ts";

/** What requests of one route share. */
interface Series {
  readonly id: number;
  readonly method: string;
  readonly route: string;
  readonly model: string | null;
  readonly operation: string | null;
}

class SeriesCount extends RequestCount {
  lastAt = 0;
}

/** Figures of each route, most requested first. */
export function routes(database: Database, asked: Window): { routes: RouteFigures[] } {
  const counts = countsBySeries(database, spanOf(asked));
  const series = database
    .prepare<[], Series>("select id, method, route, model, operation from request_series")
    .all()
    .map(({ id, ...names }) => routeFigures(names, counts.get(id)))
    .filter((figures) => figures !== null);
  return { routes: series.sort((a, b) => b.requests - a.requests || (nameOf(a) < nameOf(b) ? -1 : 1)) };
}

function nameOf({ route, method, operation }: RouteFigures): string {
  return `${route} ${method} ${operation}`;
}

function routeFigures(names: Omit<Series, "id">, count: SeriesCount | undefined): RouteFigures | null {
  if (count === undefined) return null;
  return {
    ...names,
    requests: count.requests,
    errors_4xx: count.errors4xx,
    errors_5xx: count.errors5xx,
    avg_ms: count.avgMs,
    p50_ms: count.percentileMs(0.5),
    p95_ms: count.percentileMs(0.95),
    p99_ms: count.percentileMs(0.99),
    max_ms: ms(count.maxUs),
    last_at: iso(count.lastAt),
  };
}

/** In one go over the index: SQLite would sort all rows to group them. */
function countsBySeries(database: Database, span: Span): Map<number, SeriesCount> {
  const counts = new Map<number, SeriesCount>();
  const columns = `((at - ${span.from}) * 8 + status / 100) || ',' || series_id || ',' || duration_us`;
  visitNumbers(database, { span, series: null }, columns, (numbers) => {
    for (let index = 0; index < numbers.length; index += 3) {
      const [packed = 0, series = 0, us = 0] = [numbers[index], numbers[index + 1], numbers[index + 2]];
      let count = counts.get(series);
      if (count === undefined) {
        count = new SeriesCount();
        counts.set(series, count);
      }
      count.add(packed % 8, us);
      count.lastAt = Math.max(count.lastAt, span.from + Math.floor(packed / 8));
    }
  });
  return counts;
}

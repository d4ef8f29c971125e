import type { Window, WindowFigures } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { Durations, maxExact, Sketch } from "../figures.ts";
import { minuteMs } from "../rows/request-minutes.ts";

/** Sums over requests. */
export interface Totals {
  readonly requests: number;
  readonly errors_4xx: number;
  readonly errors_5xx: number;
  readonly duration_us: number;
  readonly max_us: number;
}

/** A span as whole minutes, numbered since 1970, and the spans before and after them. */
interface MinuteSplit {
  readonly minutes: Span;
  readonly edges: readonly Span[];
}

/** Exact sums of a span: from `request_minutes` for whole minutes, from rows for the rest or by series. */
export function totalsOf(database: Database, requests: RequestFilter): Totals {
  if (requests.series !== null) return totalsOfRows(database, requests);
  const { minutes, edges } = splitByMinutes(requests.span);
  const all = edges.map((span) => totalsOfRows(database, { span, series: null }));
  all.push(totalsOfMinutes(database, minutes));
  return {
    requests: sum(all, "requests"),
    errors_4xx: sum(all, "errors_4xx"),
    errors_5xx: sum(all, "errors_5xx"),
    duration_us: sum(all, "duration_us"),
    max_us: Math.max(...all.map((one) => one.max_us)),
  };
}

/** Percentiles in milliseconds. `share` is from 0 to 1. */
export interface Percentiles {
  percentileMs(share: number): number;
}

/** Exact up to `maxExact` requests. Above, from the minutes' sketches or, by series, a sketch of the rows. */
export function percentilesOf(database: Database, requests: RequestFilter, count: number): Percentiles {
  if (requests.series !== null || count <= maxExact) return readDurations(database, requests);
  const { minutes, edges } = splitByMinutes(requests.span);
  const sketch = new Sketch();
  const blobs = database
    .prepare<[Span], Uint8Array>("select sketch from request_minutes where minute >= @from and minute < @to")
    .pluck();
  for (const blob of blobs.iterate(minutes)) sketch.addEncoded(blob);
  for (const span of edges) {
    visitNumbers(database, { span, series: null }, "duration_us", (numbers) => {
      for (const us of numbers) sketch.add(us);
    });
  }
  return { percentileMs: (share) => ms(sketch.percentile(share)) };
}

/** All figures of one window. */
export function figuresOf(database: Database, requests: RequestFilter): WindowFigures {
  const totals = totalsOf(database, requests);
  const { from, to } = requests.span;
  return {
    requests: totals.requests,
    request_rate: (totals.requests / (to - from)) * 1000,
    errors_4xx: totals.errors_4xx,
    errors_5xx: totals.errors_5xx,
    error_rate_4xx: share(totals.errors_4xx, totals.requests),
    error_rate_5xx: share(totals.errors_5xx, totals.requests),
    duration_ms: totals.requests === 0 ? noDurations : durationsOf(database, requests, totals),
  };
}

const noDurations = { avg: null, p50: null, p95: null, p99: null, max: null };

function durationsOf(
  database: Database,
  requests: RequestFilter,
  { requests: count, duration_us, max_us }: Totals,
) {
  const percentiles = percentilesOf(database, requests, count);
  const largest = ms(max_us);
  // The value of a bin can be larger than the largest duration in it.
  const percentile = (share: number) => Math.min(largest, percentiles.percentileMs(share));
  return {
    avg: ms(duration_us / count),
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    max: largest,
  };
}

function readDurations(database: Database, requests: RequestFilter): Durations {
  const durations = new Durations();
  visitNumbers(database, requests, "duration_us", (numbers) => {
    for (const us of numbers) durations.add(us);
  });
  return durations;
}

export function splitByMinutes({ from, to }: Span): MinuteSplit {
  const first = Math.ceil(from / minuteMs);
  const last = Math.floor(to / minuteMs);
  if (first >= last) return { minutes: { from: 0, to: 0 }, edges: [{ from, to }] };
  const edges = [
    { from, to: first * minuteMs },
    { from: last * minuteMs, to },
  ];
  return { minutes: { from: first, to: last }, edges: edges.filter((edge) => edge.from < edge.to) };
}

const sums = `ifnull(sum(duration_us), 0) as duration_us`;

function totalsOfRows(database: Database, requests: RequestFilter): Totals {
  const totals = database.prepare<[Bindings], Totals>(
    `select count(*) as requests, ifnull(sum(status between 400 and 499), 0) as errors_4xx,
       ifnull(sum(status >= 500), 0) as errors_5xx, ${sums}, ifnull(max(duration_us), 0) as max_us
     from http_requests indexed by http_requests_by_time where ${whereRequests(requests)}`,
  );
  return totals.get(bindingsOf(requests)) ?? nothing;
}

function totalsOfMinutes(database: Database, minutes: Span): Totals {
  const totals = database.prepare<[Span], Totals>(
    `select ifnull(sum(requests), 0) as requests, ifnull(sum(errors_4xx), 0) as errors_4xx,
       ifnull(sum(errors_5xx), 0) as errors_5xx, ${sums}, ifnull(max(max_us), 0) as max_us
     from request_minutes where minute >= @from and minute < @to`,
  );
  return totals.get(minutes) ?? nothing;
}

const nothing: Totals = { requests: 0, errors_4xx: 0, errors_5xx: 0, duration_us: 0, max_us: 0 };

function sum(all: readonly Totals[], field: keyof Totals): number {
  return all.reduce((total, one) => total + one[field], 0);
}

/** Selects the requests of a span, optionally by series. */
export interface RequestFilter {
  readonly span: Span;
  /** Ids of series; null: all. */
  readonly series: readonly number[] | null;
}

/** The parameters of `whereRequests`. */
function bindingsOf({ span, series }: RequestFilter) {
  return { ...span, series: JSON.stringify(series ?? []) };
}

type Bindings = ReturnType<typeof bindingsOf>;

/** A SQL condition on columns of one index, with the parameters of `bindingsOf`. */
function whereRequests({ series }: RequestFilter): string {
  const inSpan = "at >= @from and at < @to";
  return series === null ? inSpan : `${inSpan} and series_id in (select value from json_each(@series))`;
}

const rowsAtOnce = 50_000;

/** Visits values in parts, by time. SQLite joins a part into one text: a call per row takes twice the time. */
export function visitNumbers(
  database: Database,
  requests: RequestFilter,
  columns: string,
  visit: (numbers: readonly number[]) => void,
  partEnd: (to: number) => void = () => {},
): void {
  const boundary = database
    .prepare<[Span & { rows: number }], number>(
      "select at from http_requests where at >= @from and at < @to order by at limit 1 offset @rows",
    )
    .pluck();
  const texts = database
    .prepare<[Bindings], string | null>(
      `select group_concat(${columns}) from http_requests indexed by http_requests_by_time where ${whereRequests(requests)}`,
    )
    .pluck();
  for (let { from, to: end } = requests.span; from < end; ) {
    const last = boundary.get({ from, to: end, rows: rowsAtOnce });
    const to = last === undefined ? end : last + 1;
    const text = texts.get(bindingsOf({ ...requests, span: { from, to } }));
    if (typeof text === "string") visit(JSON.parse(`[${text}]`));
    partEnd(to);
    from = to;
  }
}

/** Moments from `from` to `to`, without `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A window includes its end and excludes its begin. */
export function spanOf({ now, windowSeconds }: Window): Span {
  const to = Math.floor(now) + 1;
  return { from: to - windowSeconds * 1000, to };
}

/** The span of the same length before a span. */
export function previousSpan({ from, to }: Span): Span {
  return { from: from - (to - from), to: from };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** 0 if `all` is 0. */
export function share(part: number, all: number): number {
  return all === 0 ? 0 : part / all;
}

export function ms(us: number): number {
  return us / 1000;
}

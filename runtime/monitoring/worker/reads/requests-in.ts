import type { Database } from "../database/sqlite.ts";
import type { Span } from "./span.ts";

/** Which requests are meant: those in a span, perhaps of some series only. */
export interface Requests {
  readonly span: Span;
  /** Null: all. */
  readonly series: readonly number[] | null;
}

/** What SQLite reads of it: `whereRequests` with these values. All of it comes from one index. */
export function bindingsOf({ span, series }: Requests) {
  return { ...span, series: JSON.stringify(series ?? []) };
}

export type Bindings = ReturnType<typeof bindingsOf>;

/** The condition that belongs to `bindingsOf`. */
export function whereRequests({ series }: Requests): string {
  const inSpan = "at >= @from and at < @to";
  return series === null ? inSpan : `${inSpan} and series_id in (select value from json_each(@series))`;
}

const rowsAtOnce = 50_000;

/**
 * Visits numbers of requests, in no order within each part. SQLite joins them to one text, since a call for each row takes
 * twice as long as all else. `partEnd` is told of the moment up to which all have been visited.
 */
export function visitNumbers(
  database: Database,
  requests: Requests,
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

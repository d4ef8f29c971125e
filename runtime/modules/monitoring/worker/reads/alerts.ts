import { aiMetrics, type WindowMetric } from "../../../../../vocabulary/monitoring.ts";
import type { AlertCheck, AlertResult, Reads } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import {
  ms,
  type Percentiles,
  percentilesOf,
  type RequestFilter,
  share,
  spanOf,
  type Totals,
  totalsOf,
} from "./requests.ts";
import { aiSummary } from "./runs-and-calls.ts";

type WindowCheck = Extract<AlertCheck, { metric: WindowMetric }>;

/** The value of a metric, and the number of its requests or runs. */
interface MetricValue {
  readonly value: number | null;
  readonly samples: number;
}

/** Evaluates alert checks, one result each (docs/monitoring.md#alerts). */
export function alerts(database: Database, { now, checks }: Reads["alerts"]["args"]) {
  const windows = new Map<string, RequestWindow>();
  return { results: checks.map((check) => resultOf(check, now, { database, windows })) };
}

/** Reads of one evaluation: checks with the same window share them. */
interface Evaluation {
  readonly database: Database;
  readonly windows: Map<string, RequestWindow>;
}

function resultOf(check: AlertCheck, now: number, evaluation: Evaluation): AlertResult {
  // This code runs only if the store can be reached.
  if (check.metric === "health") return { id: check.id, breaching: false, value: 1, sample_count: 0 };
  const { value, samples } = isAiMetric(check.metric)
    ? aiMetricValue(evaluation.database, now, check)
    : requestMetricValue(windowOf(check, now, evaluation), check);
  const breaching = value !== null && (check.op === "gt" ? value > check.value : value < check.value);
  return { id: check.id, breaching, value, sample_count: samples };
}

function isAiMetric(metric: WindowMetric): boolean {
  return aiMetrics.some((one) => one === metric);
}

function aiMetricValue(database: Database, now: number, { metric, windowSeconds }: WindowCheck): MetricValue {
  const { runs, failed, cost_usd, total_tokens } = aiSummary(database, { now, windowSeconds });
  const values: Partial<Record<WindowMetric, number>> = {
    ai_cost_rate: cost_usd / windowSeconds,
    ai_error_rate: share(failed, runs),
    ai_token_rate: total_tokens / windowSeconds,
  };
  return { value: values[metric] ?? null, samples: runs };
}

/** Requests of a window. Their percentiles are read on first use. */
class RequestWindow {
  readonly totals: Totals;
  readonly #database: Database;
  readonly #requests: RequestFilter;
  #percentiles: Percentiles | null = null;

  constructor(database: Database, requests: RequestFilter) {
    this.#database = database;
    this.#requests = requests;
    this.totals = totalsOf(database, requests);
  }

  percentileMs(share: number): number | null {
    const { requests, max_us } = this.totals;
    if (requests === 0) return null;
    this.#percentiles ??= percentilesOf(this.#database, this.#requests, requests);
    return Math.min(ms(max_us), this.#percentiles.percentileMs(share));
  }
}

function windowOf(
  { windowSeconds, routes }: WindowCheck,
  now: number,
  { database, windows }: Evaluation,
): RequestWindow {
  const key = JSON.stringify([windowSeconds, routes]);
  const known = windows.get(key);
  if (known !== undefined) return known;
  const series = routes === null ? null : seriesOf(database, routes);
  const window = new RequestWindow(database, { span: spanOf({ now, windowSeconds }), series });
  windows.set(key, window);
  return window;
}

function requestMetricValue(window: RequestWindow, { metric, windowSeconds }: WindowCheck): MetricValue {
  const { requests, errors_4xx, errors_5xx } = window.totals;
  const values: Partial<Record<WindowMetric, () => number | null>> = {
    "5xx_rate": () => share(errors_5xx, requests),
    "4xx_rate": () => share(errors_4xx, requests),
    "5xx_count": () => errors_5xx,
    request_rate: () => requests / windowSeconds,
    p95_latency: () => window.percentileMs(0.95),
    p99_latency: () => window.percentileMs(0.99),
  };
  return { value: values[metric]?.() ?? null, samples: requests };
}

/** Ids of the series of these models and routes. */
function seriesOf(database: Database, names: readonly string[]): number[] {
  return database
    .prepare<[{ names: string }], number>(
      `with names as (select value from json_each(@names))
       select id from request_series where model in names or route in names`,
    )
    .pluck()
    .all({ names: JSON.stringify(names) });
}

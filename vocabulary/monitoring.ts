/** Statuses of AI runs and of their tool calls. */
export const runStatuses = ["completed", "failed", "pending_approval"] as const;

export type RunStatus = (typeof runStatuses)[number];

/** Statuses of MCP calls. */
export const callStatuses = ["ok", "error", "asked"] as const;

export type CallStatus = (typeof callStatuses)[number];

/** Classes of the statuses of requests. */
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

export type StatusClass = (typeof statusClasses)[number];

/** Metrics of requests in alert checks. */
export const httpMetrics = [
  "5xx_rate",
  "4xx_rate",
  "5xx_count",
  "request_rate",
  "p95_latency",
  "p99_latency",
] as const;

/** Metrics of AI runs in alert checks. */
export const aiMetrics = ["ai_cost_rate", "ai_error_rate", "ai_token_rate"] as const;

export type WindowMetric = (typeof httpMetrics)[number] | (typeof aiMetrics)[number];

/** Bounds of a whole number in a query string. */
export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
  /** Larger values become the maximum. */
  readonly capped?: boolean;
}

/** Query parameters of monitoring routes that are whole numbers. */
export const monitoringNumbers = {
  // At most 30 days.
  window_seconds: { min: 1, max: 2_592_000, fallback: 3_600 },
  bucket_seconds: { min: 1, max: 86_400, fallback: 60 },
  limit: { min: 1, max: 200, fallback: 50, capped: true },
} as const satisfies Readonly<Record<string, NumberBounds>>;

/** Most buckets of a window. */
export const maxBuckets = 1_500;

/** Most alert checks of one request. */
export const maxAlertChecks = 100;

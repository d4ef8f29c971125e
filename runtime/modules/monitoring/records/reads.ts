import type { CallStatus, RunStatus, StatusClass, WindowMetric } from "../../../../vocabulary/monitoring.ts";

/** Moments: milliseconds since 1970 in arguments, ISO 8601 in responses. Durations: ms. Shares: 0 to 1. */
export interface Window {
  /** End of the window. */
  readonly now: number;
  readonly windowSeconds: number;
}

export interface Buckets extends Window {
  readonly bucketSeconds: number;
}

interface Page {
  readonly limit: number;
}

/** A validated alert check (docs/monitoring.md#alerts). */
export type AlertCheck =
  | { readonly id: string | number; readonly metric: "health" }
  | {
      readonly id: string | number;
      readonly metric: WindowMetric;
      readonly op: "gt" | "lt";
      readonly value: number;
      readonly windowSeconds: number;
      /** Model keys and route patterns; null: all requests. */
      readonly routes: readonly string[] | null;
    };

/** All reads of the store by name: arguments, and type of the JSON response. */
export interface Reads {
  summary: { readonly args: Window; readonly result: Summary };
  routes: { readonly args: Window; readonly result: { readonly routes: readonly RouteFigures[] } };
  timeseries: { readonly args: Buckets; readonly result: Timeseries };
  histogram: { readonly args: Window; readonly result: Histogram };
  recent: {
    /** Default of `now`: the worker's clock. */
    readonly args: Page & { readonly status: StatusClass | null; readonly now?: number };
    readonly result: { readonly requests: readonly RecentRequest[] };
  };
  /** `null` if the request is unknown. */
  trace: { readonly args: { readonly requestId: string }; readonly result: RequestTrace | null };
  ai_summary: { readonly args: Window; readonly result: AiSummary };
  ai_costs: { readonly args: Buckets; readonly result: CostTimeseries };
  ai_agents: {
    readonly args: Window;
    readonly result: { readonly agents: readonly (RunFigures & { readonly agent: string })[] };
  };
  ai_models: {
    readonly args: Window;
    readonly result: { readonly models: readonly (RunFigures & { readonly model: string })[] };
  };
  ai_tools: { readonly args: Window; readonly result: { readonly tools: readonly ToolFigures[] } };
  ai_runs: {
    readonly args: Window & Page & { readonly status: RunStatus | null };
    readonly result: { readonly runs: readonly AiRun[] };
  };
  /** `null` if the run is unknown. */
  ai_run: { readonly args: { readonly runId: string }; readonly result: AiRunDetails | null };
  mcp_summary: { readonly args: Window; readonly result: McpSummary };
  mcp_calls: {
    readonly args: Window & Page & { readonly server: string | null; readonly status: CallStatus | null };
    readonly result: { readonly calls: readonly McpCall[] };
  };
  alerts: {
    readonly args: { readonly now: number; readonly checks: readonly AlertCheck[] };
    readonly result: { readonly results: readonly AlertResult[] };
  };
  /** Size of the store with its journal. */
  size: { readonly args: object; readonly result: number };
}

export type ReadName = keyof Reads;

/** Figures of requests in one window. */
export interface WindowFigures {
  readonly requests: number;
  readonly request_rate: number;
  readonly errors_4xx: number;
  readonly errors_5xx: number;
  readonly error_rate_4xx: number;
  readonly error_rate_5xx: number;
  readonly duration_ms: {
    readonly avg: number | null;
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
    readonly max: number | null;
  };
}

export interface Summary extends WindowFigures {
  readonly window_seconds: number;
  readonly previous: WindowFigures;
  readonly delta: {
    readonly requests: number;
    readonly request_rate: number;
    readonly error_rate_4xx: number;
    readonly error_rate_5xx: number;
    readonly p95: number | null;
  };
}

export interface RouteFigures {
  readonly method: string;
  readonly route: string;
  readonly model: string | null;
  readonly operation: string | null;
  readonly requests: number;
  readonly errors_4xx: number;
  readonly errors_5xx: number;
  readonly avg_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly last_at: string;
}

export interface Timeseries {
  readonly bucket_seconds: number;
  readonly buckets: readonly {
    readonly at: string;
    readonly requests: number;
    readonly errors_4xx: number;
    readonly errors_5xx: number;
    readonly avg_ms: number | null;
    readonly p95_ms: number | null;
  }[];
}

export interface Histogram {
  readonly edges_ms: readonly number[];
  /** One per edge; the last one counts longer durations. */
  readonly counts: readonly number[];
  readonly total: number;
}

export interface RecentRequest {
  readonly request_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly at: string;
  readonly user_id: string | null;
  readonly role: string | null;
  readonly error: string | null;
}

export interface RequestTrace {
  readonly request: RecentRequest & {
    readonly model: string | null;
    readonly operation: string | null;
    readonly bytes: number;
  };
  readonly steps: readonly { readonly name: string; readonly at_ms: number; readonly duration_ms: number }[];
  readonly errors: readonly { readonly code: string; readonly message: string; readonly stack?: string }[];
  readonly logs: readonly {
    readonly at: string;
    readonly level: string;
    readonly message: string;
    readonly fields: object;
  }[];
}

export interface AiSummary {
  readonly window_seconds: number;
  readonly runs: number;
  readonly completed: number;
  readonly failed: number;
  readonly pending_approval: number;
  readonly error_rate: number;
  readonly cost_usd: number;
  readonly avg_cost_usd: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly avg_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
}

export interface CostTimeseries {
  readonly bucket_seconds: number;
  readonly buckets: readonly { readonly at: string; readonly cost_usd: number; readonly runs: number }[];
}

/** Figures of runs that have something in common. */
export interface RunFigures {
  readonly runs: number;
  readonly failed: number;
  readonly error_rate: number;
  readonly cost_usd: number;
  readonly total_tokens: number;
  readonly avg_duration_ms: number;
  readonly p95_duration_ms: number;
}

export interface ToolFigures {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly error_rate: number;
  readonly avg_duration_ms: number;
  readonly p95_duration_ms: number;
}

export interface AiRun {
  readonly run_id: string;
  readonly agent: string;
  readonly model: string;
  readonly provider: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cost_usd: number;
  readonly duration_ms: number;
  readonly turns: number;
  /** Their number. */
  readonly tool_calls: number;
  readonly status: RunStatus;
  readonly error_code: string | null;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly at: string;
}

export interface AiRunDetails {
  readonly run: AiRun;
  readonly tool_calls: readonly {
    readonly tool: string;
    readonly duration_ms: number;
    readonly status: RunStatus;
    readonly error_message: string | null;
  }[];
}

export interface McpSummary {
  readonly window_seconds: number;
  readonly tools: readonly {
    readonly server: string;
    readonly tool: string;
    readonly calls: number;
    readonly errors: number;
    readonly asked: number;
    readonly avg_duration_ms: number;
    readonly p95_duration_ms: number;
  }[];
}

export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly operation_ref: string | null;
  readonly caller: string | null;
  readonly status: CallStatus;
  readonly error_code: string | null;
  readonly confirmation: string | null;
  readonly duration_ms: number;
  readonly at: string;
}

export interface AlertResult {
  readonly id: string | number;
  readonly breaching: boolean;
  readonly value: number | null;
  readonly sample_count: number;
}

export interface QueueFigures {
  readonly depth: number;
  readonly max: number;
  readonly dropped: number;
}

/** Response of `GET /monitoring/health`; only parts of it come from the store. */
export interface StoreHealth {
  readonly store: "ok" | "unreachable";
  readonly queues: { readonly records: QueueFigures; readonly logs: QueueFigures };
  readonly db_size_bytes: number | null;
  readonly max_db_size_mb: number;
  readonly version: string | null;
  readonly node_version: string;
  readonly started_at: string;
  readonly uptime_seconds: number;
}

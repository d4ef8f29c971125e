/** Upper edges, in milliseconds, of the buckets of durations: a duration counts at the first edge that is not below it. */
export const latencyEdgesMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** Steps as they are kept, in the order in which they began. Flat, as they are timed. */
export interface StepRecords {
  readonly names: readonly string[];
  /** Of each, how long after the request it began, and how long it took, beside each other; in milliseconds. */
  readonly times: readonly number[];
}

/** What went wrong in a request that was answered with a 5xx. Not masked yet. */
export interface FailureRecord {
  readonly message: string;
  readonly stack: string | null;
}

/** One request, with its steps. Times of the day are milliseconds since 1970. */
export interface RequestRecord {
  readonly kind: "request";
  readonly requestId: string;
  /** When it arrived. */
  readonly at: number;
  readonly method: string;
  /** The pattern: `/books/fetch`, `/auth/{provider}/login`, `unmatched`. */
  readonly route: string;
  readonly model: string | null;
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Of the answer's body. */
  readonly bytes: number;
  readonly userId: string | null;
  readonly role: string | null;
  readonly errorCode: string | null;
  /** Null where it was not sampled and not slow. */
  readonly steps: StepRecords | null;
  readonly failure: FailureRecord | null;
}

export const runStatuses = ["completed", "failed", "pending_approval"] as const;

export type RunStatus = (typeof runStatuses)[number];

/** What one tool did in a run. `errorMessage` is not masked yet. */
export interface ToolCallRecord {
  readonly tool: string;
  readonly durationMs: number;
  readonly status: RunStatus;
  readonly errorMessage: string | null;
}

/** One run of an AI agent. No prompt, and nothing of what it wrote. */
export interface AiRunRecord {
  readonly kind: "ai_run";
  readonly runId: string;
  readonly at: number;
  readonly agent: string;
  readonly model: string;
  readonly provider: string;
  readonly status: RunStatus;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly durationMs: number;
  readonly turns: number;
  readonly errorCode: string | null;
  readonly conversationId: string | null;
  readonly userId: string | null;
  readonly toolCalls: readonly ToolCallRecord[];
}

export const callStatuses = ["ok", "error", "asked"] as const;

export type CallStatus = (typeof callStatuses)[number];

/** One call of a tool over MCP. */
export interface McpCallRecord {
  readonly kind: "mcp_call";
  readonly at: number;
  readonly server: string;
  readonly tool: string;
  readonly operationRef: string | null;
  readonly caller: string | null;
  readonly status: CallStatus;
  readonly errorCode: string | null;
  readonly confirmation: string | null;
  readonly durationMs: number;
}

/** What one queue holds. */
export type MonitoringRecord = RequestRecord | AiRunRecord | McpCallRecord;

/** A captured line of the log, masked. */
export interface LogRecord {
  readonly at: number;
  /** pino's: `warn`, … */
  readonly level: string;
  readonly message: string;
  readonly requestId: string | null;
  /** JSON text of all else. */
  readonly fields: string;
}

import type { CallStatus, RunStatus } from "../../../../vocabulary/monitoring.ts";

/** Inclusive upper edges of the duration buckets, in milliseconds. */
export const latencyEdgesMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** Steps in order of their start, as flat arrays. */
export interface StepRecords {
  readonly names: readonly string[];
  /** Pairs of start, relative to the request, and duration; in milliseconds. */
  readonly times: readonly number[];
}

/** Error of a 5xx response, not masked yet. */
export interface FailureRecord {
  readonly message: string;
  readonly stack: string | null;
}

/** One request with its steps. Moments are milliseconds since 1970. */
export interface RequestRecord {
  readonly kind: "request";
  readonly requestId: string;
  /** Start of the request. */
  readonly at: number;
  readonly method: string;
  /** The pattern: `/books/fetch`, `/auth/{provider}/login`, `unmatched`. */
  readonly route: string;
  readonly model: string | null;
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Size of the response body. */
  readonly bytes: number;
  readonly userId: string | null;
  readonly role: string | null;
  readonly errorCode: string | null;
  /** Null if the request was neither sampled nor slow. */
  readonly steps: StepRecords | null;
  readonly failure: FailureRecord | null;
}

/** A tool call of a run. `errorMessage` is not masked yet. */
export interface ToolCallRecord {
  readonly tool: string;
  readonly durationMs: number;
  readonly status: RunStatus;
  readonly errorMessage: string | null;
}

/** One run of an AI agent, without prompt or output. */
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

export type MonitoringRecord = RequestRecord | AiRunRecord | McpCallRecord;

/** A captured line of the log, masked. */
export interface LogRecord {
  readonly at: number;
  /** pino's name: `warn`, … */
  readonly level: string;
  readonly message: string;
  readonly requestId: string | null;
  /** All other fields, as JSON text. */
  readonly fields: string;
}

import type { Logger } from "pino";

/** What an AI agent did in one run. No prompt, and nothing of what it wrote, has a place here. */
export interface AiRun {
  /** Recorded again, it replaces what was recorded of that run. Default a new one. */
  readonly run_id?: string;
  readonly agent: string;
  readonly model: string;
  readonly provider: string;
  readonly status: "completed" | "failed" | "pending_approval";
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
  readonly duration_ms: number;
  readonly turns: number;
  readonly error_code?: string;
  readonly conversation_id?: string;
  readonly user_id?: string | number;
  readonly tool_calls?: readonly {
    readonly tool: string;
    readonly duration_ms: number;
    readonly status: "completed" | "failed" | "pending_approval";
    readonly error_message?: string;
  }[];
}

/** One call of a tool over MCP. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly operation_ref?: string;
  readonly caller?: string;
  readonly status: "ok" | "error" | "asked";
  readonly error_code?: string;
  readonly confirmation?: string;
  readonly duration_ms: number;
}

/**
 * The monitoring module in hooks (decisions, part 11). Both return at once and never throw; what is malformed is dropped with
 * a warning in the log. Where the module is off they do nothing.
 */
export interface HookMonitoring {
  aiRun(run: AiRun): void;
  mcpCall(call: McpCall): void;
}

/** The monitoring module for hooks, with the log of what they run for. */
export type MonitoringForHooks = (log: Logger) => HookMonitoring;

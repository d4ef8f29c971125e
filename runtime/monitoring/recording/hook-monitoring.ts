import { randomUUID } from "node:crypto";
import type { MonitoringForHooks } from "../../context/index.ts";
import {
  type AiRunRecord,
  callStatuses,
  type McpCallRecord,
  type MonitoringRecord,
  runStatuses,
  type ToolCallRecord,
} from "../records/monitoring-records.ts";
import type { Queue } from "../store/bounded-queue.ts";
import { GivenRecord, Malformed } from "./given-record.ts";

/** Agents that call more tools in one run do not end. */
const mostToolCalls = 1_000;

/**
 * The monitoring module in hooks (docs/monitoring.md#ai-and-mcp). Code of an app may give anything: what is malformed is dropped with a
 * warning that says why, and nothing is thrown.
 */
export function hookMonitoring(
  records: Queue<MonitoringRecord>,
  now: () => number = Date.now,
): MonitoringForHooks {
  return (log) => {
    const record = (what: string, read: () => MonitoringRecord) => {
      try {
        records.push(read());
      } catch (error) {
        const reason = error instanceof Malformed ? error.message : "it cannot be read";
        log.warn({ reason }, `${what} was not recorded: ${reason}`);
      }
    };
    return {
      aiRun: (run: unknown) => record("an AI run", () => readRun(run, now())),
      mcpCall: (call: unknown) => record("an MCP call", () => readCall(call, now())),
    };
  };
}

function readRun(given: unknown, at: number): AiRunRecord {
  const run = new GivenRecord(given, "");
  return {
    kind: "ai_run",
    runId: run.optionalText("run_id") ?? randomUUID(),
    at,
    agent: run.text("agent"),
    model: run.text("model"),
    provider: run.text("provider"),
    status: run.oneOf("status", runStatuses),
    inputTokens: run.count("input_tokens"),
    outputTokens: run.count("output_tokens"),
    costUsd: run.amount("cost_usd"),
    durationMs: run.amount("duration_ms"),
    turns: run.count("turns"),
    errorCode: run.optionalText("error_code"),
    conversationId: run.optionalText("conversation_id"),
    userId: run.optionalId("user_id"),
    toolCalls: run.list("tool_calls", mostToolCalls).map(readToolCall),
  };
}

function readToolCall(given: unknown, index: number): ToolCallRecord {
  const call = new GivenRecord(given, `tool_calls[${index}]`);
  return {
    tool: call.text("tool"),
    durationMs: call.amount("duration_ms"),
    status: call.oneOf("status", runStatuses),
    errorMessage: call.message("error_message"),
  };
}

function readCall(given: unknown, at: number): McpCallRecord {
  const call = new GivenRecord(given, "");
  return {
    kind: "mcp_call",
    at,
    server: call.text("server"),
    tool: call.text("tool"),
    operationRef: call.optionalText("operation_ref"),
    caller: call.optionalText("caller"),
    status: call.oneOf("status", callStatuses),
    errorCode: call.optionalText("error_code"),
    confirmation: call.optionalText("confirmation"),
    durationMs: call.amount("duration_ms"),
  };
}

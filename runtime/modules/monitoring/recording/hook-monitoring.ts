import { randomUUID } from "node:crypto";
import { callStatuses, runStatuses } from "../../../../vocabulary/monitoring.ts";
import type { MonitoringForHooks } from "../../../hooks/context/index.ts";
import type {
  AiRunRecord,
  McpCallRecord,
  MonitoringRecord,
  ToolCallRecord,
} from "../records/monitoring-records.ts";
import type { BoundedQueue } from "../store/bounded-queue.ts";

/** Agents with more tool calls in one run are in a loop. */
const mostToolCalls = 1_000;

/** The monitoring API in hooks (docs/monitoring.md#ai-and-mcp). Drops invalid records; never throws. */
export function hookMonitoring(
  records: BoundedQueue<MonitoringRecord>,
  now: () => number = Date.now,
): MonitoringForHooks {
  return (log) => {
    const record = (what: string, read: () => MonitoringRecord) => {
      try {
        records.push(read());
      } catch (error) {
        const reason = error instanceof InvalidRecord ? error.message : "it cannot be read";
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
  const run = new RecordReader(given, "");
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
  const call = new RecordReader(given, `tool_calls[${index}]`);
  return {
    tool: call.text("tool"),
    durationMs: call.amount("duration_ms"),
    status: call.oneOf("status", runStatuses),
    errorMessage: call.message("error_message"),
  };
}

function readCall(given: unknown, at: number): McpCallRecord {
  const call = new RecordReader(given, "");
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

/** Why something is not recorded. Its message names the key, and never the value. */
class InvalidRecord extends Error {
  override readonly name = "Malformed";
}

const longestText = 255;
/** Messages are cut after masking, so the mask gets more text. */
const longestMessage = 8_192;

/** A record of the app's code: reads each key once and checks its value. */
class RecordReader {
  readonly #given: object;
  readonly #place: string;

  /** `place` locates the record in messages; empty for the top level. */
  constructor(given: unknown, place: string) {
    this.#place = place;
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new InvalidRecord(place === "" ? "it must be an object" : `${place} must be an object`);
    this.#given = given;
  }

  text(key: string): string {
    return this.optionalText(key) ?? this.#refuse(key, "is missing");
  }

  optionalText(key: string): string | null {
    const value = this.#valueOf(key);
    if (value === null) return null;
    if (typeof value !== "string") return this.#refuse(key, "must be a string");
    if (value === "" || value.length > longestText)
      return this.#refuse(key, `must have 1 to ${longestText} characters`);
    return value;
  }

  /** An id as text; user ids can be numbers. */
  optionalId(key: string): string | null {
    const value = this.#valueOf(key);
    return Number.isSafeInteger(value) ? String(value) : this.optionalText(key);
  }

  /** Text for people, cut to its limit. */
  message(key: string): string | null {
    const value = this.#valueOf(key);
    if (value === null) return null;
    return typeof value === "string" ? value.slice(0, longestMessage) : this.#refuse(key, "must be a string");
  }

  /** A whole number of at least 0. */
  count(key: string): number {
    const value = this.amount(key);
    return Number.isSafeInteger(value) ? value : this.#refuse(key, "must be a whole number");
  }

  /** A number of at least 0. */
  amount(key: string): number {
    const value = this.#valueOf(key);
    if (value === null) return this.#refuse(key, "is missing");
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
    return this.#refuse(key, "must be a number of at least 0");
  }

  oneOf<const Value extends string>(key: string, values: readonly Value[]): Value {
    const sent = this.#valueOf(key);
    return values.find((value) => value === sent) ?? this.#refuse(key, `is not one of ${values.join(", ")}`);
  }

  /** Empty if it is missing. */
  list(key: string, most: number): readonly unknown[] {
    const value = this.#valueOf(key);
    if (value === null) return [];
    if (!Array.isArray(value)) return this.#refuse(key, "must be a list");
    // `Array.from` turns holes into undefined.
    return value.length > most ? this.#refuse(key, `has more than ${most} entries`) : Array.from(value);
  }

  /** Null if it is missing. */
  #valueOf(key: string): unknown {
    return Reflect.get(this.#given, key) ?? null;
  }

  #refuse(key: string, why: string): never {
    throw new InvalidRecord(`${this.#place === "" ? key : `${this.#place}.${key}`} ${why}`);
  }
}

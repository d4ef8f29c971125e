import type { McpCall, McpSummary, Reads, Window } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { Durations } from "../figures/durations.ts";
import { iso, ms, type Span, spanOf } from "./span.ts";

interface ToolRow {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  readonly asked: number;
  readonly duration_us: number;
}

interface CallRow extends Omit<McpCall, "at" | "duration_ms"> {
  readonly at: number;
  readonly duration_us: number;
}

/** Calls by server and tool, most first. */
export function mcpSummary(database: Database, asked: Window): McpSummary {
  const span = spanOf(asked);
  const rows = database.prepare<[Span], ToolRow>(
    `select server, tool, count(*) as calls, sum(status = 'error') as errors, sum(status = 'asked') as asked,
       sum(duration_us) as duration_us
     from mcp_calls where at >= @from and at < @to group by server, tool order by calls desc, server, tool`,
  );
  const durations = durationsOf(database, span);
  return {
    window_seconds: asked.windowSeconds,
    tools: rows.all(span).map(({ server, tool, calls, errors, asked, duration_us }) => ({
      server,
      tool,
      calls,
      errors,
      asked,
      avg_duration_ms: ms(duration_us / calls),
      p95_duration_ms: durations.get(keyOf(server, tool))?.percentileMs(0.95) ?? 0,
    })),
  };
}

function durationsOf(database: Database, span: Span): Map<string, Durations> {
  const calls = database.prepare<[Span], { server: string; tool: string; duration_us: number }>(
    "select server, tool, duration_us from mcp_calls where at >= @from and at < @to",
  );
  const all = new Map<string, Durations>();
  for (const { server, tool, duration_us } of calls.iterate(span)) {
    const key = keyOf(server, tool);
    const durations = all.get(key) ?? new Durations();
    durations.add(duration_us);
    all.set(key, durations);
  }
  return all;
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** Calls of a window, newest first. */
export function mcpCalls(database: Database, asked: Reads["mcp_calls"]["asks"]): { calls: McpCall[] } {
  const { server, status, limit } = asked;
  const rows = database.prepare<[object], CallRow>(
    `select server, tool, operation_ref, caller, status, error_code, confirmation, duration_us, at
     from mcp_calls
     where at >= @from and at < @to and server = ifnull(@server, server) and status = ifnull(@status, status)
     order by at desc, id desc limit @limit`,
  );
  const calls = rows.all({ ...spanOf(asked), server, status, limit });
  return {
    calls: calls.map(({ at, duration_us, ...call }) => ({
      ...call,
      duration_ms: ms(duration_us),
      at: iso(at),
    })),
  };
}

import { mask } from "../../../masking/index.ts";
import type { AiRun, AiRunDetails, Reads } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { iso, ms, spanOf } from "./span.ts";

interface RunRow extends Omit<AiRun, "at" | "duration_ms" | "total_tokens"> {
  readonly id: number;
  readonly at: number;
  readonly duration_us: number;
}

interface ToolCallRow extends Omit<AiRunDetails["tool_calls"][number], "duration_ms"> {
  readonly duration_us: number;
}

const selectRuns = `
  select id, run_id, agent, model, provider, input_tokens, output_tokens, cost_usd, duration_us, turns, status, error_code,
    conversation_id, user_id, at, (select count(*) from ai_tool_calls where ai_run_id = ai_runs.id) as tool_calls
  from ai_runs`;

/** Runs of a window, newest first. */
export function aiRuns(database: Database, asked: Reads["ai_runs"]["asks"]): { runs: AiRun[] } {
  const { status, limit } = asked;
  const rows = database.prepare<[object], RunRow>(
    `${selectRuns}
     where at >= @from and at < @to and status = ifnull(@status, status) order by at desc, id desc limit @limit`,
  );
  return { runs: rows.all({ ...spanOf(asked), status, limit }).map(runOf) };
}

/** One run with its tool calls, in their order. */
export function aiRun(database: Database, { runId }: Reads["ai_run"]["asks"]): AiRunDetails | null {
  const row = database.prepare<[string], RunRow>(`${selectRuns} where run_id = ?`).get(mask(runId));
  if (row === undefined) return null;
  const calls = database.prepare<[number], ToolCallRow>(
    "select tool, duration_us, status, error_message from ai_tool_calls where ai_run_id = ? order by id",
  );
  return {
    run: runOf(row),
    tool_calls: calls.all(row.id).map((call) => ({
      tool: call.tool,
      duration_ms: ms(call.duration_us),
      status: call.status,
      error_message: call.error_message,
    })),
  };
}

function runOf({ id: _, duration_us, at, ...row }: RunRow): AiRun {
  return {
    ...row,
    total_tokens: row.input_tokens + row.output_tokens,
    duration_ms: ms(duration_us),
    at: iso(at),
  };
}

import { mask } from "../../../masking/index.ts";
import type { AiRunRecord, McpCallRecord, ToolCallRecord } from "../../records/monitoring-records.ts";
import type { Database } from "../database/sqlite.ts";
import { maskedText } from "./masked-text.ts";
import { wholeMs, wholeUs } from "./whole-numbers.ts";

/** Contract: "Other constants". */
const longestErrorMessage = 300;

/** Writes runs of agents with their tool calls, and calls over MCP. */
export class RunWriter {
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: Database) {
    this.#statements = statementsOf(database);
  }

  /** Replaces what there is of that run. */
  writeRun(given: AiRunRecord): void {
    const run = maskedTexts(given);
    const { callsOfRun, removed, runs } = this.#statements;
    callsOfRun.run(run.runId);
    removed.run(run.runId);
    const at = wholeMs(run.at);
    const { lastInsertRowid } = runs.run({
      ...run,
      at,
      durationUs: wholeUs(run.durationMs),
    });
    for (const call of given.toolCalls) this.#writeToolCall(Number(lastInsertRowid), at, call);
  }

  #writeToolCall(
    runId: number,
    at: number,
    { tool, durationMs, status, errorMessage }: ToolCallRecord,
  ): void {
    const isTold = status === "failed" && errorMessage !== null;
    const message = isTold ? maskedText(errorMessage, longestErrorMessage) : null;
    this.#statements.toolCalls.run(runId, at, maskedName(tool), wholeUs(durationMs), status, message);
  }

  writeMcpCall(call: McpCallRecord): void {
    this.#statements.mcpCalls.run({
      ...maskedTexts(call),
      at: wholeMs(call.at),
      durationUs: wholeUs(call.durationMs),
    });
  }
}

/** At the end of the name of a model, such as `opus@20260801`: it is no address. */
const version = /@(?:default|latest|v?\d[\d.-]*)$/;

function maskedName(name: string): string {
  const at = name.search(version);
  return at === -1 ? mask(name) : mask(name.slice(0, at)) + name.slice(at);
}

/** Code of an app may take an address or a token for a name or an id. */
function maskedTexts<Row extends object>(row: Row): Row {
  const texts = Object.entries(row).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ...row, ...Object.fromEntries(texts.map(([key, text]) => [key, maskedName(text)])) };
}

function statementsOf(database: Database) {
  return {
    callsOfRun: database.prepare<[string]>(
      "delete from ai_tool_calls where ai_run_id in (select id from ai_runs where run_id = ?)",
    ),
    removed: database.prepare<[string]>("delete from ai_runs where run_id = ?"),
    runs: database.prepare<[object]>(
      `insert into ai_runs
         (run_id, at, agent, model, provider, status, input_tokens, output_tokens, cost_usd, duration_us, turns, error_code,
          conversation_id, user_id)
       values (@runId, @at, @agent, @model, @provider, @status, @inputTokens, @outputTokens, @costUsd, @durationUs, @turns,
         @errorCode, @conversationId, @userId)`,
    ),
    toolCalls: database.prepare<[number, number, string, number, string, string | null]>(
      `insert into ai_tool_calls (ai_run_id, at, tool, duration_us, status, error_message)
       values (?, ?, ?, ?, ?, ?)`,
    ),
    mcpCalls: database.prepare<[object]>(
      `insert into mcp_calls (at, server, tool, operation_ref, caller, status, error_code, confirmation, duration_us)
       values (@at, @server, @tool, @operationRef, @caller, @status, @errorCode, @confirmation, @durationUs)`,
    ),
  };
}

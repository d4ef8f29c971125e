import { mask } from "../../../../core/masking/index.ts";
import type { Batch } from "../../records/messages.ts";
import type {
  AiRunRecord,
  LogRecord,
  McpCallRecord,
  MonitoringRecord,
  RequestRecord,
  StepRecords,
} from "../../records/monitoring-records.ts";
import type { Database } from "../database/sqlite.ts";
import { MinuteRows } from "./request-minutes.ts";

type Value = Buffer | string | number | null;

/** Most values of one statement; SQLite allows 32,766. */
const mostValues = 5_000;
const longestMessage = 4_000;
const longestStack = 16_000;
const longestToolError = 300;

// biome-ignore format: one table a line
const tables = {
  http_requests: ["at", "series_id", "status", "duration_us", "bytes", "request_id", "user_id", "role", "error_code"],
  request_steps: ["http_request_id", "steps"],
  request_errors: ["http_request_id", "code", "message", "stack"],
  ai_runs: ["run_id", "at", "agent", "model", "provider", "status", "input_tokens", "output_tokens", "cost_usd", "duration_us", "turns", "error_code", "conversation_id", "user_id"],
  ai_tool_calls: ["ai_run_id", "at", "tool", "duration_us", "status", "error_message"],
  mcp_calls: ["at", "server", "tool", "operation_ref", "caller", "status", "error_code", "confirmation", "duration_us"],
  logs: ["at", "level", "message", "request_id", "fields"],
} as const;

/** Writes batches, each in one transaction. */
export class RowWriter {
  readonly #database: Database;
  readonly #minutes: MinuteRows;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #transaction: (batch: Batch) => void;

  /** Throws if the file lacks a table or a column. */
  constructor(database: Database) {
    this.#database = database;
    this.#minutes = new MinuteRows(database);
    this.#statements = statementsOf(database);
    for (const [table, columns] of Object.entries(tables)) database.prepare(insertInto(table, columns, 1));
    this.#transaction = database.transaction((batch: Batch) => this.#writeRows(batch)).immediate;
  }

  write(batch: Batch): void {
    this.#transaction(batch);
  }

  #writeRows({ records, logs }: Batch): void {
    this.#writeRequests(records.filter((record) => record.kind === "request"));
    this.#writeRuns(records.filter((record) => record.kind === "ai_run"));
    this.#insert("mcp_calls", records.filter(isMcpCall).map(mcpRow));
    this.#insert("logs", logs.map(logRow));
  }

  #writeRequests(requests: readonly RequestRecord[]): void {
    const series = this.#seriesIds(requests);
    const rows = requests.map((request) => requestRow(request, series.get(seriesKey(request)) ?? 0));
    const first = this.#insert("http_requests", rows);
    const steps = requests.flatMap(({ steps: timed }, index): Value[][] =>
      timed === null || timed.names.length === 0 ? [] : [[first + index, packSteps(timed)]],
    );
    const errors = requests.flatMap(({ failure, errorCode }, index): Value[][] => {
      if (failure === null) return [];
      const { message, stack } = failure;
      const texts = [maskedText(message, longestMessage), stack && maskedText(stack, longestStack)];
      return [[first + index, errorCode ?? "INTERNAL_ERROR", ...texts]];
    });
    this.#insert("request_steps", steps);
    this.#insert("request_errors", errors);
    this.#minutes.count(
      requests.map(({ at, status, durationMs }) => ({
        at: wholeMs(at),
        status,
        duration_us: wholeUs(durationMs),
      })),
    );
  }

  #seriesIds(requests: readonly RequestRecord[]): ReadonlyMap<string, number> {
    const { insertSeries, findSeries } = this.#statements;
    const ids = new Map<string, number>();
    for (const request of requests) {
      const key = seriesKey(request);
      if (ids.has(key)) continue;
      const { method, route, model, operation } = request;
      insertSeries.run(method, route, model, operation);
      ids.set(key, findSeries.get(method, route, model ?? "", operation ?? "") ?? 0);
    }
    return ids;
  }

  /** A run replaces the run with the same id and its tool calls. */
  #writeRuns(runs: readonly AiRunRecord[]): void {
    for (const given of runs) {
      const run = maskedTexts(given);
      this.#statements.removeToolCalls.run(run.runId);
      const at = wholeMs(run.at);
      const id = this.#insert("ai_runs", [runRow(run)]);
      const calls = given.toolCalls.map(({ tool, durationMs, status, errorMessage }) => {
        const isKept = status === "failed" && errorMessage !== null;
        const message = isKept ? maskedText(errorMessage, longestToolError) : null;
        return [id, at, maskedName(tool), wholeUs(durationMs), status, message];
      });
      this.#insert("ai_tool_calls", calls);
    }
  }

  /** Returns the id of the first row; the ids of the others follow it. */
  #insert(table: keyof typeof tables, rows: readonly (readonly Value[])[]): number {
    const columns = tables[table];
    const rowsAtOnce = Math.floor(mostValues / columns.length);
    let last = 0;
    for (let begin = 0; begin < rows.length; begin += rowsAtOnce) {
      const some = rows.slice(begin, begin + rowsAtOnce);
      const statement = this.#database.prepare<Value[]>(insertInto(table, columns, some.length));
      last = Number(statement.run(...some.flat()).lastInsertRowid);
    }
    return last - rows.length + 1;
  }
}

function insertInto(table: string, columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => "?").join(", ")})`;
  const values = Array.from({ length: rows }, () => row).join(", ");
  return `insert or replace into ${table} (${columns.join(", ")}) values ${values}`;
}

function statementsOf(database: Database) {
  return {
    insertSeries: database.prepare<Value[]>(
      "insert or ignore into request_series (method, route, model, operation) values (?, ?, ?, ?)",
    ),
    findSeries: database
      .prepare<Value[], number>(
        `select id from request_series
         where method = ? and route = ? and ifnull(model, '') = ? and ifnull(operation, '') = ?`,
      )
      .pluck(),
    removeToolCalls: database.prepare<[string]>(
      "delete from ai_tool_calls where ai_run_id in (select id from ai_runs where run_id = ?)",
    ),
  };
}

function requestRow(request: RequestRecord, series: number): Value[] {
  const { at, status, durationMs, bytes, requestId, userId, role, errorCode } = request;
  const user = userId === null ? null : storedId(userId);
  return [
    wholeMs(at),
    series,
    status,
    wholeUs(durationMs),
    bytes,
    storedId(requestId),
    user,
    role,
    errorCode,
  ];
}

function seriesKey({ method, route, model, operation }: RequestRecord): string {
  return JSON.stringify([method, route, model, operation]);
}

/** A JSON array with name, begin and duration of each step; in microseconds. */
function packSteps({ names, times }: StepRecords): string {
  return JSON.stringify(
    names.flatMap((name, step) => [name, wholeUs(times[2 * step] ?? 0), wholeUs(times[2 * step + 1] ?? 0)]),
  );
}

function runRow(run: AiRunRecord): Value[] {
  const { runId, agent, model, provider, status, inputTokens, outputTokens, costUsd, turns } = run;
  const figures = [inputTokens, outputTokens, costUsd, wholeUs(run.durationMs), turns];
  const ids = [run.errorCode, run.conversationId, run.userId];
  return [runId, wholeMs(run.at), agent, model, provider, status, ...figures, ...ids];
}

function isMcpCall(record: MonitoringRecord): record is McpCallRecord {
  return record.kind === "mcp_call";
}

function mcpRow(given: McpCallRecord): Value[] {
  const call = maskedTexts(given);
  const { at, server, tool, operationRef, caller, status, errorCode, confirmation, durationMs } = call;
  return [
    wholeMs(at),
    server,
    tool,
    operationRef,
    caller,
    status,
    errorCode,
    confirmation,
    wholeUs(durationMs),
  ];
}

function logRow({ at, level, message, requestId, fields }: LogRecord): Value[] {
  return [wholeMs(at), level, message, requestId === null ? null : storedId(requestId), fields];
}

/** A duration in whole microseconds. */
function wholeUs(ms: number): number {
  return ms > 0 ? Math.round(ms * 1000) : 0;
}

function wholeMs(at: number): number {
  return Math.floor(at);
}

function maskedText(text: string, longest: number): string {
  // Masked before the cut: the mask does not recognise half a token.
  const masked = mask(text.slice(0, longest * 4));
  if (masked.length <= longest) return masked;
  // Not between the two halves of a surrogate pair.
  return masked.slice(0, /[\ud800-\udbff]/.test(masked[longest - 1] ?? "") ? longest - 1 : longest);
}

/** The version at the end of a model's name, such as `opus@20260801`, is not an e-mail address. */
const version = /@(?:default|latest|v?\d[\d.-]*)$/;

function maskedName(name: string): string {
  const at = name.search(version);
  return at === -1 ? mask(name) : mask(name.slice(0, at)) + name.slice(at);
}

/** The app's code can use an e-mail address or a token as a name or an id. */
function maskedTexts<Row extends object>(row: Row): Row {
  const texts = Object.entries(row).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ...row, ...Object.fromEntries(texts.map(([key, text]) => [key, maskedName(text)])) };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Stored form of an id: 16 bytes for a UUID, else masked text, because callers can send a token. */
export function storedId(id: string): Buffer | string {
  return uuid.test(id) ? Buffer.from(id.replaceAll("-", ""), "hex") : mask(id);
}

/** The id of a stored form. */
export function idOf(stored: Buffer | string): string {
  if (typeof stored === "string") return stored;
  return stored.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

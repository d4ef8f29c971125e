import type { FailureRecord, RequestRecord, StepRecords } from "../../records/monitoring-records.ts";
import type { Database } from "../database/sqlite.ts";
import { ManyRows, type Value } from "./many-rows.ts";
import { maskedText } from "./masked-text.ts";
import { type CountedRequest, MinuteRows } from "./request-minutes.ts";
import { RequestSeries } from "./request-series.ts";
import { hashOf, storedId } from "./stored-id.ts";
import { wholeMs, wholeUs } from "./whole-numbers.ts";

const longestMessage = 4_000;
const longestStack = 16_000;

/** Writes requests with their steps and failures. */
export class RequestWriter {
  readonly #series: RequestSeries;
  readonly #requests: ManyRows;
  readonly #minutes: MinuteRows;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: Database) {
    this.#series = new RequestSeries(database);
    this.#requests = new ManyRows(database, "http_requests", columns);
    this.#minutes = new MinuteRows(database);
    this.#statements = statementsOf(database);
  }

  /** Within a transaction, for which the ids of all of them follow each other. */
  write(records: readonly RequestRecord[]): void {
    if (records.length === 0) return;
    const values: Value[] = [];
    const hashes = new Int32Array(records.length);
    for (const [index, record] of records.entries()) {
      const requestId = storedId(record.requestId);
      values.push(...this.#rowOf(record, requestId));
      hashes[index] = hashOf(typeof requestId === "string" ? requestId : record.requestId);
    }
    const last = this.#requests.insert(values);
    const first = last - records.length + 1;
    this.#statements.keys.run(first, last, Buffer.from(hashes.buffer));
    for (const [index, record] of records.entries()) this.#writeDetails(first + index, record);
    this.#minutes.count(records.map(countedOf));
  }

  /** What was remembered since the transaction began may have been undone. */
  forget(): void {
    this.#series.forget();
  }

  /** Values of `columns`. */
  #rowOf(record: RequestRecord, requestId: Value): Value[] {
    const { at, status, durationMs, bytes, userId, role, errorCode } = record;
    const storedUser = userId === null ? null : storedId(userId);
    const series = this.#series.idOf(record);
    return [wholeMs(at), series, status, wholeUs(durationMs), bytes, requestId, storedUser, role, errorCode];
  }

  #writeDetails(id: number, { steps, failure, errorCode }: RequestRecord): void {
    if (steps !== null && steps.names.length > 0) this.#statements.steps.run(id, packSteps(steps));
    if (failure !== null) {
      this.#statements.errors.run(id, errorCode ?? "INTERNAL_ERROR", ...failureTexts(failure));
    }
  }
}

const columns = [
  "at",
  "series_id",
  "status",
  "duration_us",
  "bytes",
  "request_id",
  "user_id",
  "role",
  "error_code",
] as const;

function countedOf({ at, status, durationMs }: RequestRecord): CountedRequest {
  return { at: wholeMs(at), status, duration_us: wholeUs(durationMs) };
}

function failureTexts({ message, stack }: FailureRecord): [message: string, stack: string | null] {
  return [maskedText(message, longestMessage), stack === null ? null : maskedText(stack, longestStack)];
}

/** Name, begin and duration of one after the other, in microseconds: half of what names for them would take. */
function packSteps({ names, times }: StepRecords): string {
  const packed: (string | number)[] = [];
  for (const [step, name] of names.entries()) {
    packed.push(name, wholeUs(times[2 * step] ?? 0), wholeUs(times[2 * step + 1] ?? 0));
  }
  return JSON.stringify(packed);
}

function statementsOf(database: Database) {
  return {
    keys: database.prepare<[number, number, Buffer]>(
      "insert or replace into request_keys (first_id, last_id, hashes) values (?, ?, ?)",
    ),
    steps: database.prepare<[number, string]>(
      "insert or replace into request_steps (http_request_id, steps) values (?, ?)",
    ),
    errors: database.prepare<[number, string, string, string | null]>(
      "insert or replace into request_errors (http_request_id, code, message, stack) values (?, ?, ?, ?)",
    ),
  };
}

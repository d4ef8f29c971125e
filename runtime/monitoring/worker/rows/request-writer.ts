import type { FailureRecord, RequestRecord, StepRecords } from "../../records/monitoring-records.ts";
import type { Database } from "../database/sqlite.ts";
import { maskedText } from "./masked-text.ts";
import { type CountedRequest, countRequests } from "./request-minutes.ts";
import { hashOf, storedId } from "./stored-id.ts";
import { wholeMs, wholeUs } from "./whole-numbers.ts";

const longestMessage = 4_000;
const longestStack = 16_000;

/** Writes requests with their steps and failures. */
export class RequestWriter {
  readonly #database: Database;
  readonly #series = new Map<string, number>();
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = statementsOf(database);
  }

  /** Within a transaction, for which the ids of all of them follow each other. */
  write(records: readonly RequestRecord[]): void {
    const first = records[0];
    if (first === undefined) return;
    const counted: CountedRequest[] = [];
    const hashes = new Int32Array(records.length);
    let id = 0;
    for (const [index, record] of records.entries()) {
      const { at, status } = record;
      const durationUs = wholeUs(record.durationMs);
      const requestId = storedId(record.requestId);
      id = this.#insert(record, requestId, durationUs);
      hashes[index] = hashOf(typeof requestId === "string" ? requestId : record.requestId);
      counted.push({ at: wholeMs(at), status, duration_us: durationUs });
    }
    this.#statements.keys.run(id - records.length + 1, id, Buffer.from(hashes.buffer));
    countRequests(this.#database, counted);
  }

  /** What was remembered since the transaction began may have been undone. */
  forget(): void {
    this.#series.clear();
  }

  #insert(record: RequestRecord, requestId: Id, durationUs: number): number {
    const { requests, steps, errors } = this.#statements;
    const { lastInsertRowid } = requests.run(
      wholeMs(record.at),
      this.#seriesOf(record),
      record.status,
      durationUs,
      record.bytes,
      requestId,
      record.userId === null ? null : storedId(record.userId),
      record.role,
      record.errorCode,
    );
    const id = Number(lastInsertRowid);
    if (record.steps !== null && record.steps.names.length > 0) steps.run(id, packSteps(record.steps));
    if (record.failure !== null) {
      errors.run(id, record.errorCode ?? "INTERNAL_ERROR", ...failureTexts(record.failure));
    }
    return id;
  }

  #seriesOf({ method, route, model, operation }: RequestRecord): number {
    const key = `${method} ${route} ${model ?? ""} ${operation ?? ""}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const { series, seriesId } = this.#statements;
    series.run(method, route, model, operation);
    const id = seriesId.get(method, route, model ?? "", operation ?? "") ?? 0;
    this.#series.set(key, id);
    return id;
  }
}

function failureTexts({ message, stack }: FailureRecord): [message: string, stack: string | null] {
  return [maskedText(message, longestMessage), stack === null ? null : maskedText(stack, longestStack)];
}

/** Name, begin and duration of one after the other, in microseconds: half of what names for them would take. */
function packSteps({ names, times }: StepRecords): string {
  const microseconds = times.map(wholeUs);
  return JSON.stringify(names.flatMap((name, step) => [name, ...microseconds.slice(2 * step, 2 * step + 2)]));
}

type Id = Buffer | string;

function statementsOf(database: Database) {
  return {
    series: database.prepare<[string, string, string | null, string | null]>(
      "insert or ignore into request_series (method, route, model, operation) values (?, ?, ?, ?)",
    ),
    seriesId: database
      .prepare<[string, string, string, string], number>(
        `select id from request_series
         where method = ? and route = ? and ifnull(model, '') = ? and ifnull(operation, '') = ?`,
      )
      .pluck(),
    requests: database.prepare<
      [number, number, number, number, number, Id, Id | null, string | null, string | null]
    >(
      `insert into http_requests
         (at, series_id, status, duration_us, bytes, request_id, user_id, role, error_code)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
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

import type { Batch } from "../../records/messages.ts";
import type { LogRecord, MonitoringRecord, RequestRecord } from "../../records/monitoring-records.ts";
import type { Database, Statement } from "../database/sqlite.ts";
import { RequestWriter } from "./request-writer.ts";
import { RunWriter } from "./run-writer.ts";
import { storedId } from "./stored-id.ts";
import { wholeMs } from "./whole-numbers.ts";

/** Writes batches, each in one transaction. */
export class RowWriter {
  readonly #requests: RequestWriter;
  readonly #runs: RunWriter;
  readonly #logs: Statement<[number, string, string, Buffer | string | null, string]>;
  readonly #transaction: (batch: Batch) => void;

  constructor(database: Database) {
    this.#requests = new RequestWriter(database);
    this.#runs = new RunWriter(database);
    this.#logs = database.prepare(
      "insert into logs (at, level, message, request_id, fields) values (?, ?, ?, ?, ?)",
    );
    this.#transaction = database.transaction((batch: Batch) => this.#writeRows(batch)).immediate;
  }

  write(batch: Batch): void {
    try {
      this.#transaction(batch);
    } catch (error) {
      this.#requests.forget();
      throw error;
    }
  }

  #writeRows({ records, logs }: Batch): void {
    this.#requests.write(records.filter(isRequest));
    for (const record of records) {
      if (record.kind === "ai_run") this.#runs.writeRun(record);
      else if (record.kind === "mcp_call") this.#runs.writeMcpCall(record);
    }
    for (const log of logs) this.#writeLog(log);
  }

  #writeLog({ at, level, message, requestId, fields }: LogRecord): void {
    this.#logs.run(wholeMs(at), level, message, requestId === null ? null : storedId(requestId), fields);
  }
}

function isRequest(record: MonitoringRecord): record is RequestRecord {
  return record.kind === "request";
}

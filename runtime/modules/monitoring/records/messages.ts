import type { LogRecord, MonitoringRecord } from "./monitoring-records.ts";
import type { ReadName, Reads } from "./reads.ts";

/** The records of one transaction. */
export interface Batch {
  readonly records: readonly MonitoringRecord[];
  readonly logs: readonly LogRecord[];
}

/** The settings of the worker. */
export interface StoreSettings {
  /** Absolute path of the file. */
  readonly path: string;
  /** Days that rows are kept. */
  readonly retentionDays: number;
  /** Largest size of the file with its journal. */
  readonly maxDatabaseMb: number;
}

/** A read. Its caller stops waiting after `until`, in milliseconds since 1970. */
export interface ReadRequest<Name extends ReadName = ReadName> {
  readonly kind: "read";
  readonly id: number;
  readonly until: number;
  readonly name: Name;
  readonly args: Reads[Name]["args"];
}

/** Messages to the worker. Each gets one reply with its id; `close` ends the worker instead. */
export type ToWorker =
  | { readonly kind: "write"; readonly id: number; readonly batch: Batch }
  | ReadRequest
  | { readonly kind: "close" };

/** Reason of a failure: the file is locked by another process, unusable, or another error. */
export type FailureReason = "busy" | "unusable" | "unexpected";

export type FromWorker =
  | { readonly kind: "done"; readonly id: number; readonly answer: string }
  | { readonly kind: "failed"; readonly id: number; readonly reason: FailureReason; readonly message: string }
  /** A line for the log. */
  | { readonly kind: "notice"; readonly level: "info" | "warn"; readonly message: string };

import type { PackedBatch } from "../records/messages.ts";
import type { ReadName, Reads } from "../records/reads.ts";

export type { PackedBatch } from "../records/messages.ts";

/** The store, as the main thread knows it: all work is done in a worker thread. */
export interface MonitoringStore {
  /** Rejects where the batch was not written: then it is lost, but for `StoreBusy`. */
  write(batch: PackedBatch): Promise<void>;
  /** JSON text of `Reads[Name]["answers"]`. Rejects with `StoreUnreachable` while the store cannot be read. */
  read<Name extends ReadName>(name: Name, asked: Reads[Name]["asks"]): Promise<string>;
  /** Ends the worker when it has done what it was sent, or after that many milliseconds (default 5,000). */
  close(withinMs?: number): Promise<void>;
}

/** The store cannot be read now, or has not been opened yet. */
export class StoreUnreachable extends Error {
  override readonly name: string = "StoreUnreachable";
}

/** Somebody else holds the file, or the worker is about to be started again: the same batch can be written later. */
export class StoreBusy extends StoreUnreachable {
  override readonly name = "StoreBusy";
}

import type { StoreHealth } from "../../../records/reads.ts";
import type { ApiClient } from "../live/api-client.ts";
import type { TimeSpan } from "../live/time-spans.ts";

/** One reading of figures. */
export interface Reading {
  readonly client: ApiClient;
  readonly span: TimeSpan;
  /** What the store says of itself. */
  readonly health: Promise<StoreHealth>;
  readonly signal: AbortSignal;
}

/** What stands under one tab. */
export interface View {
  /** Reads and shows. Nothing is shown of a reading that was given up, or that failed. */
  refresh(reading: Reading): Promise<void>;
}

/** What a view needs to look closer at something, or to be read again. */
export interface ViewTools {
  readonly openTrace: (requestId: string) => void;
  readonly openRun: (runId: string) => void;
  readonly refresh: () => void;
}

/** The query of a window. */
export function windowOf({ span }: Reading): { readonly window_seconds: number } {
  return { window_seconds: span.seconds };
}

/** The query of a window in buckets. */
export function bucketsOfSpan({ span }: Reading) {
  return { window_seconds: span.seconds, bucket_seconds: span.bucketSeconds };
}

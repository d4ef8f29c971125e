import type { Buckets } from "../../records/reads.ts";
import type { Span } from "./span.ts";

/** A window cut into buckets of one length. The last one holds the window's end and is still filling. */
export interface BucketsOf<Bucket> {
  readonly span: Span;
  readonly all: readonly { readonly at: number; readonly bucket: Bucket }[];
  indexOf(at: number): number;
}

/**
 * As many as the window divided by a bucket, rounded up. Each begins at a whole multiple of its length since 1970, so that a
 * full bucket answers the same at each refresh (docs/monitoring.md#routes).
 */
export function bucketsOf<Bucket>(asked: Buckets, empty: () => Bucket): BucketsOf<Bucket> {
  const bucketMs = asked.bucketSeconds * 1000;
  const length = Math.ceil(asked.windowSeconds / asked.bucketSeconds);
  const from = (Math.floor(asked.now / bucketMs) - length + 1) * bucketMs;
  return {
    span: { from, to: Math.floor(asked.now) + 1 },
    all: Array.from({ length }, (_, index) => ({ at: from + index * bucketMs, bucket: empty() })),
    indexOf: (at) => Math.floor((at - from) / bucketMs),
  };
}

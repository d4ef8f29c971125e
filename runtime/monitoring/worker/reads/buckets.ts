import type { Buckets } from "../../records/reads.ts";
import { type Span, spanOf } from "./span.ts";

/** A window cut into buckets of one length, of which the last may be shorter. */
export interface BucketsOf<Bucket> {
  readonly span: Span;
  readonly all: readonly { readonly at: number; readonly bucket: Bucket }[];
  indexOf(at: number): number;
}

/** As many as the window divided by a bucket, rounded up. */
export function bucketsOf<Bucket>(asked: Buckets, empty: () => Bucket): BucketsOf<Bucket> {
  const span = spanOf(asked);
  const bucketMs = asked.bucketSeconds * 1000;
  const length = Math.ceil(asked.windowSeconds / asked.bucketSeconds);
  // A bucket holds its end and not its begin, as the window does.
  const begin = span.from - 1;
  return {
    span,
    all: Array.from({ length }, (_, index) => ({ at: begin + index * bucketMs, bucket: empty() })),
    indexOf: (at) => Math.floor((at - span.from) / bucketMs),
  };
}

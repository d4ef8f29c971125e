import type { Buckets, CostTimeseries } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { usd } from "./ai-figures.ts";
import { bucketsOf } from "./buckets.ts";
import { iso, type Span } from "./span.ts";

/** What runs cost, bucket by bucket, the empty ones too. */
export function aiCosts(database: Database, asked: Buckets): CostTimeseries {
  const { span, all, indexOf } = bucketsOf(asked, () => ({ cost: 0, runs: 0 }));
  const runs = database.prepare<[Span], { at: number; cost_usd: number }>(
    "select at, cost_usd from ai_runs where at >= @from and at < @to order by at, id",
  );
  for (const run of runs.iterate(span)) {
    const bucket = all[indexOf(run.at)]?.bucket;
    if (bucket === undefined) continue;
    bucket.cost += run.cost_usd;
    bucket.runs++;
  }
  return {
    bucket_seconds: asked.bucketSeconds,
    buckets: all.map(({ at, bucket }) => ({ at: iso(at), cost_usd: usd(bucket.cost), runs: bucket.runs })),
  };
}

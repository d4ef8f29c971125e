import type { CronItem, ParsedCronItem } from "graphile-worker";
import { type CronMinute, type CronTimes, cronMinute, isCronTime } from "../../vocabulary/cron-times.ts";
import type { Runnable } from "./run-job.ts";

/** What cron sends, as graphile-worker wants it: of one minute once, over all processes. */
export async function cronItems(jobs: readonly Runnable[]): Promise<ParsedCronItem[]> {
  const { parseCronItems } = await import("graphile-worker");
  return parseCronItems(jobs.flatMap((job) => (job.cron === null ? [] : [itemOf(job, job.cron)])));
}

function itemOf({ name, attempts, queue }: Runnable, times: CronTimes): CronItem {
  return {
    task: name,
    identifier: name,
    match: (minute) => isCronTime(times, minute) && isNow(minute),
    options: { backfillPeriod: 0, maxAttempts: attempts, ...(queue !== null && { queueName: queue }) },
  };
}

/** The library makes up for minutes that its process slept through (decisions, part 13). */
function isNow(minute: CronMinute): boolean {
  const now = cronMinute(new Date());
  return minute.min === now.min && minute.hour === now.hour && minute.date === now.date;
}

/** The payload of a job as it was sent. To that of cron, which is empty, the library adds when it was. */
export function sentPayload(payload: unknown): unknown {
  const isOfCron = typeof payload === "object" && payload !== null && Object.keys(payload).join() === "_cron";
  return isOfCron ? {} : payload;
}

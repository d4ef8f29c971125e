import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { isCronTime } from "../../../vocabulary/jobs.ts";
import type { Queryable } from "../../core/database/index.ts";
import { enqueueScheduledJob } from "./queue.ts";
import type { RunnableJob } from "./run-job.ts";

interface ScheduleOptions {
  readonly connection: Queryable;
  readonly log: Logger;
  /** Stops the schedule. */
  readonly signal: AbortSignal;
}

const minuteMs = 60_000;
const retryMs = 1_000;
const minuteOfNow = () => Math.floor(Date.now() / minuteMs);

/** Enqueues scheduled jobs from the next minute on. Skips minutes in which the process or its machine slept. */
export async function enqueueBySchedule(jobs: readonly RunnableJob[], clock: ScheduleOptions): Promise<void> {
  const { signal } = clock;
  for (let last = minuteOfNow(); !signal.aborted; ) {
    await pause(minuteMs - (Date.now() % minuteMs), undefined, { signal, ref: false }).catch(() => {});
    const minute = minuteOfNow();
    // A timer can be early by a millisecond.
    if (signal.aborted || minute === last) continue;
    last = minute;
    for (const job of jobs)
      if (job.cron !== null && isCronTime(job.cron, new Date(minute * minuteMs)))
        void enqueueForMinute(job, minute, clock);
  }
}

/** Retries until the minute is over: the database can be unavailable for a moment. */
async function enqueueForMinute(
  job: RunnableJob,
  minute: number,
  { connection, log, signal }: ScheduleOptions,
): Promise<void> {
  for (let isFirst = true; !signal.aborted && minuteOfNow() === minute; isFirst = false) {
    try {
      return await enqueueScheduledJob(connection, job, new Date(minute * minuteMs));
    } catch (error) {
      if (isFirst)
        log.warn(
          { err: error, job: job.name },
          "cannot enqueue a scheduled job: retrying until the minute is over",
        );
    }
    await pause(retryMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

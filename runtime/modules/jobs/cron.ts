import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { isCronTime } from "../../../vocabulary/jobs.ts";
import type { Queryable } from "../../core/database/index.ts";
import { sendForMinute } from "./queue.ts";
import type { Runnable } from "./run-job.ts";

interface Clock {
  readonly connection: Queryable;
  readonly log: Logger;
  /** Stops the schedule. */
  readonly signal: AbortSignal;
}

const minuteMs = 60_000;
const againMs = 1_000;
const minuteOfNow = () => Math.floor(Date.now() / minuteMs);

/** Sends scheduled jobs from the next minute on. Skips minutes in which the process or its machine slept. */
export async function sendByClock(jobs: readonly Runnable[], clock: Clock): Promise<void> {
  const { signal } = clock;
  for (let last = minuteOfNow(); !signal.aborted; ) {
    await pause(minuteMs - (Date.now() % minuteMs), undefined, { signal, ref: false }).catch(() => {});
    const minute = minuteOfNow();
    // A timer can be early by a millisecond.
    if (signal.aborted || minute === last) continue;
    last = minute;
    for (const job of jobs)
      if (job.cron !== null && isCronTime(job.cron, new Date(minute * minuteMs)))
        void send(job, minute, clock);
  }
}

/** Retries until the minute is over: the database can be unavailable for a moment. */
async function send(job: Runnable, minute: number, { connection, log, signal }: Clock): Promise<void> {
  for (let isFirst = true; !signal.aborted && minuteOfNow() === minute; isFirst = false) {
    try {
      return await sendForMinute(connection, job, new Date(minute * minuteMs));
    } catch (error) {
      if (isFirst) log.warn({ err: error, job: job.name }, "a job by the clock was not sent yet");
    }
    await pause(againMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

import pino from "pino";
import { BackgroundTasks } from "#runtime/concurrency/index";
import type { Service } from "#runtime/index";
import { enqueue, makeDue, prepareQueue } from "#runtime/jobs/index";
import { createMailer } from "#runtime/mail/index";
import { createSmsSender } from "#runtime/sms/index";
import { workUntilNoneIsDue } from "#runtime/testing/run-due-jobs";
import type { TestService } from "./any-service.ts";
import { silent } from "./silent-log.ts";

/** The queue of a service of the tests. Nobody runs its jobs but `work`. */
export interface ServiceQueue {
  /** What waits, or is dead, in the order in which it was sent. */
  queued(): Promise<Record<string, unknown>[]>;
  /** What the clock does with a job that has a cron. */
  tick(name: string): Promise<void>;
  /** Has a worker run the jobs whose time has come, and those that they send; with `ahead` those of later as well. */
  work(options?: { readonly ahead: boolean }): Promise<void>;
  empty(): Promise<void>;
}

const jobs = "kirak_jobs.jobs";

/** Prepares the tables of the queue, as a start does. */
export async function serviceQueue(served: Service, service: TestService): Promise<ServiceQueue> {
  const { url, pool, query } = service;
  await prepareQueue(url, silent);
  const fresh = { runAt: null, key: null, attempts: 10, queue: null };
  return {
    queued: () => query(`select name, payload, key, run_at, last_error from ${jobs} order by id`),
    tick: async (name) => void (await enqueue(pool, { name, payload: "{}", ...fresh })),
    async work({ ahead } = { ahead: false }) {
      if (ahead) await makeDue(pool);
      await workUntilDone(served, service);
    },
    empty: async () => void (await query(`delete from ${jobs}`)),
  };
}

async function workUntilDone(served: Service, { config, log: lines, pool, url }: TestService): Promise<void> {
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const background = new BackgroundTasks(log);
  const mailer = createMailer(config, log);
  const peers = { mailer, sms: createSmsSender(config, log), background, cache: null, monitoring: null };
  const parts = { config, log, url, database: pool, concurrency: 2, ...peers };
  await workUntilNoneIsDue(served, parts).finally(() => mailer?.close());
}

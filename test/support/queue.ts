import pino from "pino";
import { expect, onTestFinished } from "vitest";
import { BackgroundTasks } from "#runtime/core/concurrency/index";
import { createDatabase, type Database, type Queryable } from "#runtime/core/database/index";
import type { Service } from "#runtime/index";
import type { HeartbeatTiming } from "#runtime/modules/jobs/heartbeat";
import {
  enqueue,
  makeDue,
  type NewJob,
  prepareQueue,
  type Runnable,
  startWorker,
  type Worker,
} from "#runtime/modules/jobs/index";
import { createMailer } from "#runtime/modules/mail/index";
import { createSmsSender } from "#runtime/modules/sms/index";
import { workUntilNoneIsDue } from "#runtime/testing/run-due-jobs";
import { afterFile } from "./after-file.ts";
import type { TestService } from "./any-service.ts";
import { testDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { silent } from "./silent-log.ts";

type Row = Record<string, unknown>;

/** The queue of a test file, on a database of its own. */
export interface TestQueue {
  readonly url: string;
  readonly database: Database;
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Sends a job of that name; gives its id. */
  send(name: string, payload?: unknown, more?: Partial<NewJob>): Promise<string>;
  sendIn(connection: Queryable, name: string, payload?: unknown, more?: Partial<NewJob>): Promise<string>;
  /** What the queue has of jobs, by id. */
  rows(): Promise<Row[]>;
  work(jobs: readonly Runnable[], options?: WorkOptions): TestWorker;
  /** Waits until that many workers can take jobs. */
  atWork(count: number): Promise<void>;
}

interface WorkOptions {
  readonly timing?: HeartbeatTiming;
  readonly concurrency?: number;
  readonly url?: string;
}

export interface TestWorker extends Worker {
  readonly log: Row[];
}

/** A job as workers run it; it is done at once. */
export function runnable(name: string, more: Partial<Runnable> = {}): Runnable {
  return {
    name,
    read: (value) => ({ problems: [], value }),
    attempts: 10,
    timeoutMs: 60_000,
    cron: null,
    queue: null,
    run: async () => {},
    ...more,
  };
}

export async function testQueue(): Promise<TestQueue> {
  const { url, query } = await testDatabase();
  await prepareQueue(url, silent);
  const database = createDatabase({ url, log: silent });
  afterFile(() => database.close());
  const fresh = { runAt: null, key: null, attempts: 10, queue: null };
  const sendIn: TestQueue["sendIn"] = (connection, name, payload = {}, more = {}) =>
    enqueue(connection, { name, payload: JSON.stringify(payload), ...fresh, ...more });
  return {
    url,
    database,
    query,
    send: (...sent) => sendIn(database, ...sent),
    sendIn,
    rows: () =>
      query(`select id::text, name, payload, attempts, max_attempts, key, last_error, lease is not null as running,
        run_at > now() as later from kirak_jobs.jobs order by id`),
    work: (jobs, options = {}) => workOn(url, jobs, options),
    atWork: (count) =>
      eventually(async () => expect(await query("select from kirak_jobs.workers")).toHaveLength(count)),
  };
}

function workOn(
  url: string,
  jobs: readonly Runnable[],
  { concurrency = 2, ...options }: WorkOptions,
): TestWorker {
  const log: Row[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const worker = startWorker({ url, jobs, concurrency, pollMs: 20, log: logger, ...options });
  let stopped: Promise<void> | null = null;
  const stop = (longestMs: number) => {
    stopped ??= worker.stop(longestMs);
    return stopped;
  };
  onTestFinished(() => stop(0));
  const abandon = () => {
    stopped ??= worker.abandon();
    return stopped;
  };
  return { log, stop, abandon };
}

/** The queue of a test service. Only `work` runs its jobs. */
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

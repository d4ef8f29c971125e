import type { Logger } from "pino";
import type { Config } from "../core/config/index.ts";
import { createDatabase, type Database } from "../core/database/index.ts";
import type { Worker } from "../modules/jobs/index.ts";
import type { Cause, Closers } from "./closers.ts";
import { databaseLimits } from "./database-limits.ts";
import type { Deadline } from "./deadline.ts";
import { connectPeers, type Opened, type OpenOptions, openService, type Peers } from "./open-service.ts";

/** What a worker is made of. */
export interface WorkerParts extends Peers {
  readonly config: Config;
  readonly log: Logger;
  /** Of jobs alone. */
  readonly database: Database;
  /** Where PostgreSQL itself is. */
  readonly url: string;
  /** How many jobs at once. */
  readonly concurrency: number;
}

type JobsWay = Pick<WorkerParts, "config" | "log" | "url" | "concurrency">;

export type StartWorker = (parts: WorkerParts) => Worker;

export interface WorkerOptions extends OpenOptions {
  readonly startWorker: StartWorker;
  /** Default as the manifest says, which leaves it to processes such as this one where it says 0. */
  readonly concurrency: number | null;
}

/** Where the manifest says 0, which is for the server. */
const usualConcurrency = 2;

/** How many jobs a process runs at once that is there for them. */
export function workerConcurrency({ jobs }: Config): number {
  return jobs.concurrency || usualConcurrency;
}

/** Besides those of jobs one after the other: for what they ask at the same time. */
const spareConnections = 2;

/** Brings a process up that runs jobs and nothing else. Gives its log, and how many jobs it runs at once. */
export async function launchWorker(
  options: WorkerOptions,
  closers: Closers,
  reportTo: (log: Logger) => void,
): Promise<{ readonly log: Logger; readonly concurrency: number }> {
  const opened = await openService(options, closers, reportTo);
  const { config, log, deadline, directUrl } = opened;
  const concurrency = options.concurrency ?? workerConcurrency(config);
  const database = databaseOfJobs(opened, concurrency, closers);
  const peers = await connectPeers(opened, closers);
  const worker = options.startWorker({ config, log, database, url: directUrl, concurrency, ...peers });
  closers.add((cause) => stopWorker(worker, deadline, cause));
  return { log, concurrency };
}

/** Connections that jobs do not share with requests. */
export function databaseOfJobs(
  { config, log, deadline, directUrl }: Opened,
  concurrency: number,
  closers: Closers,
): Database {
  const database = connectJobs({ config, log, url: directUrl, concurrency });
  closers.add(() => deadline.orGiveUp(database.close(deadline.leftMs())));
  return database;
}

/** The same for a process of somebody's own, who closes it. */
export function connectJobs({ config, log, url, concurrency }: JobsWay): Database {
  return createDatabase({
    url,
    namedStatements: config.databaseNamedStatements,
    log,
    ...databaseLimits,
    maxConnections: concurrency + spareConnections,
  });
}

/**
 * Waits for the jobs under way until the time is up. Of what a crash left nobody knows in which state it is, nor which job it came of:
 * they are left to others, as those of a process that is killed.
 */
export async function stopWorker(worker: Worker | null, deadline: Deadline, cause: Cause): Promise<void> {
  if (worker === null) return;
  await deadline.orGiveUp(cause === "crash" ? worker.abandon() : worker.stop(deadline.leftMs()));
}

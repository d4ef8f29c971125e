import type { Logger } from "pino";
import type { Config } from "../core/config/index.ts";
import { createDatabase, type Database } from "../core/database/index.ts";
import type { Worker } from "../modules/jobs/index.ts";
import type { Cause, Closers } from "./closers.ts";
import { databaseLimits } from "./database-limits.ts";
import type { Deadline } from "./deadline.ts";
import {
  connectPeers,
  type OpenedService,
  openService,
  type Peers,
  type ServiceOptions,
} from "./open-service.ts";

export interface WorkerParts extends Peers {
  readonly config: Config;
  readonly log: Logger;
  /** Only for jobs. */
  readonly database: Database;
  /** Direct URL of PostgreSQL. */
  readonly url: string;
  /** Most concurrent jobs. */
  readonly concurrency: number;
}

type JobsConnection = Pick<WorkerParts, "config" | "log" | "url" | "concurrency">;

export type StartWorker = (parts: WorkerParts) => Worker;

export interface LaunchWorkerOptions extends ServiceOptions {
  readonly startWorker: StartWorker;
  /** Default: the manifest's value, or 2 if that is 0. */
  readonly concurrency: number | null;
}

/** For a manifest with 0, which disables jobs in the server only. */
const defaultConcurrency = 2;

/** Number of concurrent jobs in a worker process. */
export function workerConcurrency({ jobs }: Config): number {
  return jobs.concurrency || defaultConcurrency;
}

/** In addition to one connection per job, for parallel queries of a job. */
const spareConnections = 2;

/** Starts a process that only runs jobs. Returns its log and its number of concurrent jobs. */
export async function launchWorker(
  options: LaunchWorkerOptions,
  closers: Closers,
  reportTo: (log: Logger) => void,
): Promise<{ readonly log: Logger; readonly concurrency: number }> {
  const opened = await openService(options, closers, reportTo);
  const { config, log, deadline, directUrl } = opened;
  const concurrency = options.concurrency ?? workerConcurrency(config);
  const database = databaseOfJobs(opened, concurrency, closers);
  if (opened.isMigrated) await options.checkTables?.(database);
  const peers = await connectPeers(opened, closers);
  const worker = options.startWorker({ config, log, database, url: directUrl, concurrency, ...peers });
  closers.add((cause) => stopWorker(worker, deadline, cause));
  return { log, concurrency };
}

/** Connections for jobs, separate from those of requests. */
export function databaseOfJobs(
  { config, log, deadline, directUrl }: OpenedService,
  concurrency: number,
  closers: Closers,
): Database {
  const database = connectJobs({ config, log, url: directUrl, concurrency });
  closers.add(() => deadline.orGiveUp(database.close(deadline.leftMs())));
  return database;
}

/** Connections for jobs in a process of the app, which closes them. */
export function connectJobs({ config, log, url, concurrency }: JobsConnection): Database {
  return createDatabase({
    url,
    namedStatements: config.databaseNamedStatements,
    log,
    ...databaseLimits,
    maxConnections: concurrency + spareConnections,
  });
}

/** Waits for running jobs until the deadline. After a crash, other workers retry them. */
export async function stopWorker(worker: Worker | null, deadline: Deadline, cause: Cause): Promise<void> {
  if (worker === null) return;
  await deadline.orGiveUp(cause === "crash" ? worker.abandon() : worker.stop(deadline.leftMs()));
}

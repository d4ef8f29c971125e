import { setTimeout as sleep } from "node:timers/promises";
import type { Express } from "express";
import type { Logger } from "pino";
import { type Config, overviewPageOf, signInPageOf } from "../core/config/index.ts";
import { createDatabase, type Database } from "../core/database/index.ts";
import { createHttpServer, type Lifecycle } from "../core/http/index.ts";
import type { Worker } from "../modules/jobs/index.ts";
import { connectCounters } from "../modules/rate-limit/index.ts";
import type { Closers } from "./closers.ts";
import { databaseLimits } from "./database-limits.ts";
import type { Deadline } from "./deadline.ts";
import { drain, listen, listeningAddress } from "./http-lifecycle.ts";
import { databaseOfJobs, type StartWorker, stopWorker } from "./launch-worker.ts";
import { connectPeers, openService, type Peers, type ServiceOptions } from "./open-service.ts";

export interface ServerParts extends Peers {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  readonly counting: Database | null;
  /** Default: outside production. */
  readonly explains?: boolean;
}

export interface LaunchOptions extends ServiceOptions {
  createApp(parts: ServerParts): Express;
  /** Runs the app's jobs; missing if the app has no code. */
  readonly startWorker?: StartWorker;
}

export interface RunningServer {
  /** The address that it listens on, such as `http://0.0.0.0:3000`. */
  readonly address: string;
  /** URL for callers on this machine. */
  readonly url: string;
  /** URL of the local development pages; null in production. */
  readonly overviewPage: string | null;
  readonly signInPage: string | null;
  readonly log: Logger;
}

/** Starts the service. Each started part is added to `closers`, even if a later step throws. */
export async function launch(
  options: LaunchOptions,
  closers: Closers,
  reportTo: (log: Logger) => void,
): Promise<RunningServer> {
  const { startWorker } = options;
  const opened = await openService(options, closers, reportTo);
  const { config, log, deadline, url, directUrl } = opened;
  const connection = { url, directUrl, namedStatements: config.databaseNamedStatements, log };
  const database = createDatabase({
    ...connection,
    ...databaseLimits,
    maxConnections: config.databasePoolSize,
  });
  closers.add(() => deadline.orGiveUp(database.close(deadline.leftMs())));
  if (opened.isMigrated) await options.checkTables?.(database);
  const countsHere = config.rateLimit.enabled && config.redisUrl === null;
  const counting = countsHere ? await connectCounters(connection) : null;
  if (counting !== null) closers.add(() => deadline.orGiveUp(counting.close()));
  const { concurrency } = config.jobs;
  const jobsDatabase =
    startWorker === undefined || concurrency === 0 ? null : databaseOfJobs(opened, concurrency, closers);
  const peers = await connectPeers(opened, closers);
  const parts = { config, database, counting, log, ...peers };
  const startJobs = () =>
    jobsDatabase === null || startWorker === undefined
      ? null
      : startWorker({ ...parts, database: jobsDatabase, url: directUrl, concurrency });
  return { ...(await serve(options, { parts, startJobs, deadline }, closers)), log };
}

interface Serving {
  readonly parts: Omit<ServerParts, "lifecycle">;
  /** Starts the job worker; null if other processes run the jobs. */
  readonly startJobs: () => Worker | null;
  readonly deadline: Deadline;
}

async function serve(
  options: LaunchOptions,
  { parts, startJobs, deadline }: Serving,
  closers: Closers,
): Promise<Omit<RunningServer, "log">> {
  const { config } = parts;
  const lifecycle = { stopping: false };
  const server = createHttpServer(options.createApp({ ...parts, lifecycle }));
  const url = await listen(server, config.port, config.host);
  const worker = startJobs();
  closers.add(async (cause) => {
    lifecycle.stopping = true;
    // After a crash the state is unknown, so the process accepts no more requests.
    const acceptMs = cause === "crash" ? 0 : config.server.drainSeconds * 1000;
    await Promise.all([
      drain(server, { accepting: sleep(Math.min(acceptMs, deadline.leftMs())), deadline }),
      stopWorker(worker, deadline, cause),
    ]);
  });
  const here = { ...config, baseUrl: url };
  return {
    ...{ address: listeningAddress(server), url },
    ...{ overviewPage: overviewPageOf(here), signInPage: signInPageOf(here) },
  };
}

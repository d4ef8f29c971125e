import { BackgroundTasks } from "../core/concurrency/index.ts";
import { ConfigError } from "../core/config/index.ts";
import type { Worker } from "../modules/jobs/index.ts";
import { createMailer } from "../modules/mail/index.ts";
import { createSmsSender } from "../modules/sms/index.ts";
import type { Service } from "../server/service.ts";
import { connectJobs, type WorkerParts, workerConcurrency } from "./index.ts";
import { startServiceWorker } from "./start-worker.ts";

/** What jobs in a process of one's own are run with. */
export interface OwnWorkerOptions extends Pick<WorkerParts, "config" | "log"> {
  /** How many at once; default `jobs.concurrency`, and 2 where that is 0. */
  readonly concurrency?: number;
  /** Whoever gives it closes it. Default: none, so that jobs record nothing in it. */
  readonly monitoring?: WorkerParts["monitoring"];
}

/** Runs the jobs of a service until it is stopped. */
export interface OwnWorker {
  /** Takes no job any more, and waits so long for those that it has and for what they have asked for after the commit. */
  stop(longestMs: number): Promise<void>;
}

/**
 * Begins to run the jobs of a service in a process of one's own, its mails and text messages too, over connections of their own. Throws a
 * ConfigError without a database.
 */
export function startWorker(
  service: Service,
  { config, log, monitoring = null, concurrency = workerConcurrency(config) }: OwnWorkerOptions,
): OwnWorker {
  const url = config.databaseDirectUrl;
  if (url === null) throw new ConfigError(["SERVICE_DATABASE_URL is not set"], []);
  const background = new BackgroundTasks(log);
  const mailer = createMailer(config, log);
  const peers = { mailer, sms: createSmsSender(config, log), cache: null, background, monitoring };
  const database = connectJobs({ config, log, url, concurrency });
  const worker = startServiceWorker(service, { config, log, database, url, concurrency, ...peers });
  const close = async () => {
    mailer?.close();
    await database.close();
  };
  return { stop: (longestMs) => stopInOrder(worker, background, longestMs).finally(close) };
}

async function stopInOrder(worker: Worker, background: BackgroundTasks, longestMs: number): Promise<void> {
  const end = performance.now() + longestMs;
  await worker.stop(longestMs);
  await background.drain(Math.max(0, end - performance.now()));
}

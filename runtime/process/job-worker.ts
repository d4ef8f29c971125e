import { BackgroundTasks } from "../core/concurrency/index.ts";
import { ConfigError } from "../core/config/index.ts";
import type { Database } from "../core/database/index.ts";
import { PasswordQueue, userFilesJob } from "../modules/auth/index.ts";
import {
  appJobs,
  JobError,
  registerJobs,
  startWorker as startQueueWorker,
  type Worker,
  type WorkerOptions,
} from "../modules/jobs/index.ts";
import { createMailer, mailTemplatesOf, requireMails } from "../modules/mail/index.ts";
import { messageJobs } from "../modules/messages/index.ts";
import { createSmsSender } from "../modules/sms/index.ts";
import { appModules } from "../server/app-modules.ts";
import { lazyStorageOf } from "../server/lazy-storage.ts";
import type { Service } from "../server/service.ts";
import { connectJobs, type WorkerParts, workerConcurrency } from "./index.ts";
import { requireColumns } from "./required-columns.ts";

export interface ServiceWorkerParts extends WorkerParts, Pick<WorkerOptions, "pollMs"> {}

/** Starts the worker of a service. */
export function startServiceWorker(
  service: Service,
  { url, concurrency, pollMs, ...parts }: ServiceWorkerParts,
): Worker {
  const { config, log, background } = parts;
  const files = lazyStorageOf(config, log);
  const passwords = new PasswordQueue(config.auth.bcryptCost);
  const hashPassword = (password: string, share: string) => passwords.hash(password, share);
  const templates = mailTemplatesOf(config);
  const modules = appModules(service, { ...parts, files, templates, hashPassword });
  const jobs = [
    ...appJobs(registerJobs(service.jobs), { modules, background }),
    ...messageJobs(parts),
    ...(files === null ? [] : [userFilesJob(files.removeUserFiles)]),
  ];
  return startQueueWorker({ url, concurrency, jobs, log, ...(pollMs !== undefined && { pollMs }) });
}

/** The parts of a service that its jobs need. */
export function jobRunner(service: Service) {
  return {
    checkTables: (database: Database) => requireColumns(database, service),
    checkJobs() {
      if (!service.usesQueue)
        throw new JobError("this service has no jobs, mails or text messages: no worker is needed");
      registerJobs(service.jobs);
    },
    startWorker(parts: WorkerParts) {
      requireMails(parts.config, service.mails);
      return startServiceWorker(service, parts);
    },
  };
}

/** Options of a worker in the app's own process. */
export interface OwnWorkerOptions extends Pick<WorkerParts, "config" | "log"> {
  /** Most concurrent jobs; default `jobs.concurrency`, or 2 if that is 0. */
  readonly concurrency?: number;
  /** The caller closes it. Default: none, so that jobs record nothing. */
  readonly monitoring?: WorkerParts["monitoring"];
}

/** Runs the jobs of a service until it is stopped. */
export interface OwnWorker {
  /** Takes no new jobs, and waits at most `longestMs` for running jobs and their work after the commit. */
  stop(longestMs: number): Promise<void>;
}

/** Runs the service's jobs, mails and SMS in your own process. Throws a ConfigError without a database. */
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

import { PasswordQueue } from "../modules/auth/index.ts";
import {
  appJobs,
  registerJobs,
  startWorker,
  type Worker,
  type WorkerOptions,
} from "../modules/jobs/index.ts";
import { mailTemplatesOf } from "../modules/mail/index.ts";
import { messageJobs } from "../modules/messages/index.ts";
import { appModules } from "../server/app-modules.ts";
import { lazyStorageOf } from "../server/lazy-storage.ts";
import type { Service } from "../server/service.ts";
import type { WorkerParts } from "./index.ts";

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
  const jobs = [...appJobs(registerJobs(service.jobs), { modules, background }), ...messageJobs(parts)];
  return startWorker({ url, concurrency, jobs, log, ...(pollMs !== undefined && { pollMs }) });
}

import { PasswordQueue } from "./auth/index.ts";
import { codeModules } from "./code-modules.ts";
import { appJobs, registerJobs, startWorker, type Worker } from "./jobs/index.ts";
import { lateStorageOf } from "./late-storage.ts";
import type { WorkerParts } from "./process/index.ts";
import type { Service } from "./service.ts";

/** Begins to run the jobs of a service. */
export function startServiceWorker(
  service: Service,
  { config, log, database, monitoring, background, url, concurrency }: WorkerParts,
): Worker {
  const files = lateStorageOf(config, log);
  const passwords = new PasswordQueue(config.auth.bcryptCost);
  const hashPassword = (password: string) => passwords.hash(password);
  const modules = codeModules(service, { config, log, files, monitoring, database, hashPassword });
  const jobs = appJobs(registerJobs(service.jobs), { modules, background });
  return startWorker({ url, concurrency, jobs, log });
}

import { JobError } from "./jobs/index.ts";
import { requireMails } from "./mail/index.ts";
import type { WorkerParts } from "./process/index.ts";
import type { Service } from "./service.ts";
import { queueNames, startServiceWorker } from "./start-worker.ts";

/** What a process needs to run the jobs of a service. */
export function workOf(service: Service) {
  return {
    queue() {
      if (!service.usesQueue)
        throw new JobError("this service has no jobs, mails or text messages: no worker is needed");
      return queueNames(service);
    },
    startWorker(parts: WorkerParts) {
      requireMails(parts.config, service.mails);
      return startServiceWorker(service, parts);
    },
  };
}

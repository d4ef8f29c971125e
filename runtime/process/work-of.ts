import { JobError, registerJobs } from "../modules/jobs/index.ts";
import { requireMails } from "../modules/mail/index.ts";
import type { Service } from "../server/service.ts";
import type { WorkerParts } from "./index.ts";
import { startServiceWorker } from "./start-worker.ts";

/** The parts of a service that its jobs need. */
export function jobRunner(service: Service) {
  return {
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

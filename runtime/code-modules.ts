import { type CodeModules, noMonitoring, noStorage } from "./context/index.ts";
import type { Queryable } from "./database/index.ts";
import { jobsForCode, registerJobs } from "./jobs/index.ts";
import type { Monitoring } from "./monitoring/index.ts";
import type { Service } from "./service.ts";
import type { Storage } from "./storage/index.ts";

/** What the app's own code stands on. */
export interface CodeParts {
  /** Null where the module is off. */
  readonly files: Storage | null;
  /** Null where the module is off. */
  readonly monitoring: Monitoring | null;
  readonly database: Queryable;
}

/** What of a service is at the hand of the app's own code, in its server and in its workers. Throws where its jobs are not in order. */
export function codeModules(
  { errors, jobs }: Service,
  { files, monitoring, database }: CodeParts,
): CodeModules {
  return {
    storage: files?.forHooks ?? noStorage,
    monitoring: monitoring?.forHooks ?? noMonitoring,
    errors,
    jobs: jobsForCode(registerJobs(jobs), database),
  };
}

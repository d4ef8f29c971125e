/** Background jobs: sent in a transaction, stored in PostgreSQL, run by workers (docs/jobs.md). */
export { enqueue, enqueueIn, jobsForCode, type NewJob } from "./enqueue.ts";
export { FinalFailure, JobError } from "./job-errors.ts";
export {
  countDue,
  figuresForMonitoring,
  type ListedJob,
  listJobs,
  makeDue,
  type Outcome,
  type QueueFigures,
  queueFigures,
  removeJob,
  retryJob,
} from "./listing.ts";
export { prepareQueue, queueProblem } from "./queue-schema.ts";
export { type DeclaredJobs, defineJob, type JobRegistry, registerJobs } from "./registered-job.ts";
export { appJobs, type JobRun, type Runnable } from "./run-job.ts";
export { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

/** Background jobs: sent in a transaction, stored in PostgreSQL, run by workers (docs/jobs.md). */
export { enqueue, enqueueIn, jobsForAppCode as jobsForCode, type NewJob } from "./enqueue.ts";
export { FinalFailure, JobError } from "./job-errors.ts";
export {
  countDue,
  figuresForMonitoring,
  type JobChangeResult as Outcome,
  type ListedJob,
  listJobs,
  makeDue,
  type QueueFigures,
  queueFigures,
  removeJob,
  retryJob,
} from "./listing.ts";
export { prepareQueue, queueProblem } from "./queue-schema.ts";
export { type DeclaredJobs, defineJob, type JobRegistry, registerJobs } from "./registered-job.ts";
export { appJobs, type JobRun, type RunnableJob as Runnable } from "./run-job.ts";
export { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

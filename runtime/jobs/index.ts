/** Work that is done later: sent in a transaction, kept in PostgreSQL, run by workers (decisions, part 13). */
export { appJobs } from "./app-jobs.ts";
export { defineJob } from "./define-job.ts";
export { countDue, makeDue } from "./due-jobs.ts";
export { enqueue, enqueueIn, type NewJob } from "./enqueue.ts";
export { FinalFailure } from "./final-failure.ts";
export { JobError } from "./job-error.ts";
export { jobsForCode } from "./jobs-for-code.ts";
export { type ListedJob, listJobs, type Outcome, removeJob, retryJob } from "./listed-jobs.ts";
export { type KnownNames, prepareQueue, queueProblem } from "./prepare-queue.ts";
export { figuresForMonitoring, type QueueFigures, queueFigures } from "./queue-figures.ts";
export { type DeclaredJobs, type JobRegistry, registerJobs } from "./registered-job.ts";
export type { JobRun, Runnable } from "./run-job.ts";
export { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export type { Closers } from "./closers.ts";
export { statementTimeoutMs } from "./database-limits.ts";
export { CommandError, explain } from "./failure.ts";
export { listen } from "./http-lifecycle.ts";
export type { Parts } from "./launch.ts";
export { connectJobs, type StartWorker, type WorkerParts, workerConcurrency } from "./launch-worker.ts";
export { commandOutput, createLog } from "./log.ts";
export { embedded } from "./open-service.ts";
export { loadEnvironment, runProcess, runWorkerProcess, supervise } from "./run.ts";

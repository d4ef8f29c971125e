import { setTimeout as pause } from "node:timers/promises";
import { countDue, type ListedJob, listJobs, makeDue } from "../modules/jobs/index.ts";
import type { WorkerParts } from "../process/index.ts";
import { startServiceWorker } from "../process/job-worker.ts";
import type { Service } from "../server/service.ts";
import { TestServiceError } from "./test-service-error.ts";

export interface RunJobsOptions {
  /** Whether to also run jobs that are scheduled for later, such as retries. Default false. */
  readonly ahead?: boolean;
}

const pollMs = 10;
const longestMs = 10_000;

/** Runs due jobs, and jobs that they send. Throws a TestServiceError if an attempt failed. */
export async function runDueJobs(
  service: Service,
  parts: WorkerParts,
  { ahead = false }: RunJobsOptions,
): Promise<void> {
  const { database, background } = parts;
  await background.drain();
  if (ahead) await makeDue(database);
  if ((await countDue(database)) === 0) return;
  const before = new Map((await listJobs(database)).map(({ id, attempts }) => [id, attempts]));
  await workUntilNoneIsDue(service, parts);
  const failed = (await listJobs(database)).filter(
    ({ id, attempts, error }) => error !== null && attempts > (before.get(id) ?? 0),
  );
  if (failed.length > 0) throw new TestServiceError(failed.map(describeFailure).join("\n"));
}

/** Runs jobs in a worker until none is running or due, and then their work after the commit. */
export async function workUntilNoneIsDue(service: Service, parts: WorkerParts): Promise<void> {
  const worker = startServiceWorker(service, { ...parts, pollMs });
  try {
    while ((await countDue(parts.database)) > 0) await pause(pollMs);
  } finally {
    await worker.stop(longestMs);
    await parts.background.drain();
  }
}

function describeFailure({ name, attempts, max_attempts, error }: ListedJob): string {
  return `the job ${name} failed, attempt ${attempts} of ${max_attempts}: ${error}`;
}

import type { CodeJobs } from "./code-jobs.ts";

/** Jobs where there is no queue, such as in a test that puts its own service together. */
export const noJobs = (): CodeJobs => ({ enqueue: refuse });

async function refuse(): Promise<never> {
  throw new Error("there is no queue of jobs here");
}

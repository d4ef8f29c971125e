import type { Transaction } from "../database/index.ts";
import type { NewJob } from "../jobs/index.ts";
import { attempts } from "./message-jobs.ts";

/** Puts a message into the queue of jobs, as a part of the transaction where there is one. */
export type EnqueueMessage = (transaction: Transaction | null, job: NewJob) => Promise<unknown>;

/** A message as the queue takes it; `payload` is JSON. */
export function messageInQueue(name: string, payload: string): NewJob {
  return { name, payload, attempts, runAt: null, key: null, queue: null };
}

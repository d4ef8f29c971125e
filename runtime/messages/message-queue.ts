import type { Transaction } from "../database/index.ts";

/** A message as the queue takes it. */
export interface MessageInQueue {
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  readonly attempts: number;
}

/** Puts a message into the queue of jobs, as a part of the transaction where there is one. */
export type EnqueueMessage = (transaction: Transaction | null, job: MessageInQueue) => Promise<unknown>;

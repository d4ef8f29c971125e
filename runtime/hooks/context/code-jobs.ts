import type { PayloadOf } from "./job-payload.ts";
import type { Jobs } from "./register.ts";

export type JobName = keyof Jobs & string;

export interface EnqueueOptions {
  /** Not before; default at once. */
  readonly run_at?: Date | string;
  /** A job of that name with that key which waits gets this payload and time, and no second one is made. */
  readonly key?: string;
}

/** `context.jobs` (decisions, part 13). */
export interface CodeJobs {
  /**
   * Has a job run later: part of the transaction, if there is one. Gives its id. Throws where the payload does not fit its schema, which
   * is a mistake of the code that asks.
   */
  enqueue<Name extends JobName>(
    name: Name,
    payload: PayloadOf<Jobs[Name]>,
    options?: EnqueueOptions,
  ): Promise<string>;
  /**
   * Removes the waiting job of that name with that key: part of the transaction, if there is one. Says whether there was one. A job that
   * runs goes on.
   */
  cancel(name: JobName, key: string): Promise<boolean>;
}

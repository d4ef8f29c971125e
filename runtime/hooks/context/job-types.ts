import type { CodeContext } from "./code-context.ts";
import type { HasPayload } from "./job-payload.ts";
import type { ObjectSchema } from "./schema-type.ts";

/** What a job is told beside its payload. It has no caller: the role of its principal is `system`. */
export interface JobContext extends CodeContext {
  /** Aborted once the job has run for too long, or the process stops: who does not end then may meet the next attempt. */
  readonly signal: AbortSignal;
}

/** How a job is run. */
export interface JobOptions {
  /** How often it is tried; default 10. */
  readonly attempts?: number;
  /** How long one attempt may take; default 60. */
  readonly timeout_seconds?: number;
  /** Five fields in UTC, such as `30 4 * * 1-5`: then it is sent with `{}`. */
  readonly cron?: string;
  /** Jobs of one queue run one after the other, over all processes. */
  readonly queue?: string;
}

/** What `defineJob` gives. */
export interface Job<Payload = unknown> extends JobOptions, HasPayload<Payload> {
  readonly payload: ObjectSchema;
  /** What it gets was checked before. */
  run(payload: never, context: JobContext): unknown;
}

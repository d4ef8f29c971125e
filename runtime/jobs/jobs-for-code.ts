import { parseDatetime } from "../../vocabulary/dates.ts";
import { suggestion } from "../../vocabulary/nearest.ts";
import type { CodeJobs, CodeScope, EnqueueOptions } from "../context/index.ts";
import type { Queryable } from "../database/index.ts";
import { cancelIn, enqueueIn } from "./enqueue.ts";
import type { JobRegistry, RegisteredJob } from "./registered-job.ts";

const longestKey = 400;

/** `context.jobs` of code that runs in a transaction, or outside any. */
export function jobsForCode(
  jobs: JobRegistry,
  database: Queryable,
): (scope: Pick<CodeScope, "transaction">) => CodeJobs {
  const jobOf = (name: string): RegisteredJob => {
    const job = jobs.get(name);
    if (job !== undefined) return job;
    throw new Error(`there is no job ${JSON.stringify(name)}${suggestion(name, jobs.keys())}`);
  };
  return ({ transaction }) => ({
    async enqueue(name, payload, options = {}) {
      const job = jobOf(name);
      return enqueueIn(transaction, database, {
        name: job.name,
        payload: checkedPayload(job, payload),
        runAt: momentOf(job, options.run_at),
        key: options.key === undefined ? null : checkedKey(job, options.key),
        attempts: job.attempts,
        queue: job.queue,
      });
    },
    async cancel(name, key) {
      const job = jobOf(name);
      return cancelIn(transaction, database, { name: job.name, key: checkedKey(job, key) });
    },
  });
}

/** The JSON that is stored is what is checked: a date has become a text, and what is undefined is not there. */
function checkedPayload({ name, check }: RegisteredJob, payload: unknown): string {
  const text = JSON.stringify(payload) ?? "null";
  const [problem] = check(JSON.parse(text));
  if (problem === undefined) return text;
  const at = problem.field === "" ? "payload" : `payload.${problem.field}`;
  throw new Error(`the job ${name} cannot be sent: ${at} ${problem.message}`);
}

function momentOf({ name }: RegisteredJob, moment: EnqueueOptions["run_at"]): string | null {
  if (moment === undefined) return null;
  const text = moment instanceof Date ? isoText(moment) : moment;
  const instant = typeof text === "string" ? parseDatetime(text) : null;
  if (instant === null)
    throw new Error(`the job ${name} cannot be sent: run_at must be a Date or an ISO-8601 datetime`);
  return instant;
}

function isoText(moment: Date): string | null {
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

function checkedKey({ name }: RegisteredJob, key: unknown): string {
  if (typeof key === "string" && key !== "" && key.length <= longestKey && !key.includes("\0")) return key;
  throw new Error(`the job ${name}: key must be a text of 1 to ${longestKey} characters`);
}

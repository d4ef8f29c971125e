import type { Principal } from "../access/index.ts";
import { type BackgroundTasks, Later } from "../concurrency/index.ts";
import { type CodeModules, codeContext, extend, noneUnderWay, withCalls } from "../context/index.ts";
import { noTrace } from "../tracing/index.ts";
import type { JobRegistry, RegisteredJob } from "./registered-job.ts";
import type { JobRun, Runnable } from "./run-job.ts";

/** Who a job runs for: nobody who called. */
const system: Principal = Object.freeze({ user_id: null, role: "system", email: null });

/** What runs of jobs share. */
export interface JobSurroundings {
  readonly modules: CodeModules;
  /** Waits for what is to follow a run. */
  readonly background: BackgroundTasks;
}

/** The jobs of the app, as a worker runs them: each run has a context of its own. */
export function appJobs(jobs: JobRegistry, surroundings: JobSurroundings): Runnable[] {
  return [...jobs.values()].map((job) => ({ ...job, run: (run) => runOnce(job, run, surroundings) }));
}

async function runOnce(
  job: RegisteredJob,
  { id, payload, requestId, log, signal }: JobRun,
  { modules, background }: JobSurroundings,
): Promise<void> {
  const later = new Later(background);
  const trace = { trace: noTrace, chain: noneUnderWay };
  const origin = { principal: system, requestId, log, modules, address: `job ${id}`, ...trace, later };
  let isDone = false;
  try {
    await withCalls(`the job ${job.name}`, (calls) => {
      const context = codeContext({ origin, transaction: null }, calls);
      extend(context, { signal });
      return job.run(payload, context);
    });
    isDone = true;
  } finally {
    void later.begin(!isDone || signal.aborted);
  }
}

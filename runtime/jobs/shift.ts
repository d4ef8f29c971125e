import { cronItems } from "./cron-items.ts";
import { queueLogger } from "./queue-logger.ts";
import { queueSchema } from "./queue-tables.ts";
import { type Shift, type ShiftOptions, WorkingShift } from "./working-shift.ts";

/** Begins to take jobs. Rejects where the database does not answer. */
export async function beginShift(options: ShiftOptions): Promise<Shift> {
  const { run } = await import("graphile-worker");
  const shift = new WorkingShift(options);
  const { pool, concurrency, jobs, log, pollMs } = options;
  const runner = await run({
    pgPool: pool,
    schema: queueSchema,
    concurrency,
    pollInterval: pollMs,
    // A pooler may stand between, where nobody has said how PostgreSQL itself is reached.
    noPreparedStatements: true,
    noHandleSignals: true,
    taskList: shift.tasks,
    parsedCronItems: await cronItems(jobs),
    events: shift.events,
    logger: await queueLogger(log),
    // Else what the database refuses at the end of a job would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  shift.follow(runner);
  return shift;
}

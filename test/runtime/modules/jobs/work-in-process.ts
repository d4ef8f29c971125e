import { pino } from "pino";
import { createDatabase } from "#runtime/core/database/index";
import { startWorker } from "#runtime/modules/jobs/index";

/** Runs jobs in a process of its own, which a test kills: one that never ends, and one that notes its run. */
const [url = ""] = process.argv.slice(2);
const log = pino({ enabled: false });
const database = createDatabase({ url, log });
const usual = {
  read: (value: unknown) => ({ problems: [], value }),
  attempts: 10,
  timeoutMs: 60_000,
  cron: null,
  queue: null,
};
const endless = () => {
  process.send?.("begun");
  return new Promise<void>(() => {});
};
const note = async ({ payload }: { readonly payload: unknown }) => {
  await database.run({ name: null, text: "insert into ran values ($1)" }, [String(payload)]);
  process.send?.("noted");
};
const jobs = [
  { ...usual, name: "endless", run: endless },
  { ...usual, name: "noted", run: note },
];
const timing = { renewMs: 40, leaseMs: 400 };
startWorker({ url, concurrency: 3, jobs, log, pollMs: 20, timing });

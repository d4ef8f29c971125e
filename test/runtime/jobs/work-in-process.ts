import { pino } from "pino";
import { startWorker } from "#runtime/jobs/index";

/** Runs jobs that never end, and says so; run by a test as a process of its own. */
const [url = ""] = process.argv.slice(2);
const run = () => {
  process.send?.("begun");
  return new Promise<void>(() => {});
};
const job = {
  name: "killed",
  check: () => [],
  attempts: 10,
  timeoutMs: 60_000,
  cron: null,
  queue: null,
  run,
};
startWorker({ url, concurrency: 1, jobs: [job], log: pino({ enabled: false }), pollMs: 20 });

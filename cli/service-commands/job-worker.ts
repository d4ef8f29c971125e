import type { LoadService } from "../app/lazy-service.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak worker`, for the service that `load` returns. */
export const workerCommand = (load: LoadService) =>
  defineCommand({
    about: "Runs jobs until SIGINT or SIGTERM, without an HTTP server.",
    flags: {
      concurrency: {
        type: "number",
        describe: "jobs at the same time, from 1 to 100; default: jobs.concurrency of the manifest",
      },
    },
    examples: [
      ["", "next to server processes that have jobs.concurrency 0 in the manifest"],
      ["--concurrency 20", "for jobs that mostly wait for other services"],
    ],
    exitCodes: { 0: "stopped by SIGINT or SIGTERM", 1: "the worker cannot start", 2: "bad flags" },
    more: "On SIGTERM, running jobs finish; a job that does not finish in time is taken over by another worker: docs/jobs.md",
    read: (given) => given.number("concurrency"),
    problem: (input) =>
      input === null || (Number.isInteger(input) && input >= 1 && input <= 100)
        ? null
        : "--concurrency must be a whole number from 1 to 100",
    async run(concurrency, root) {
      await work(load, root, concurrency);
      return undefined;
    },
  });

/** Runs the jobs of an app in this process. `concurrency` defaults to the value of the manifest. */
export async function work(load: LoadService, root: string, concurrency: number | null): Promise<void> {
  const service = await load(root);
  const { runServiceWorker } = await import("#runtime/process/operate");
  await runServiceWorker(service, root, concurrency);
}

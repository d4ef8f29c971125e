import type { LoadService } from "../app/load-later.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak worker`, for the services that `load` gives. */
export const workerCommand = (load: LoadService) =>
  defineCommand({
    about: "Runs jobs until it is told to stop, and serves nothing.",
    flags: {
      concurrency: {
        type: "number",
        describe: "how many at once, from 1 to 100; without it as jobs.concurrency of the manifest says",
      },
    },
    examples: [
      ["", "beside processes that serve, with jobs.concurrency 0 in the manifest"],
      ["--concurrency 20", "many jobs that wait for others most of the time"],
    ],
    exitCodes: { 0: "it was told to stop", 1: "it cannot start", 2: "bad flags" },
    more: "SIGTERM lets the jobs that run end; what is not done in time waits for another worker. docs/jobs.md",
    read: (given) => given.number("concurrency"),
    problem: (wanted) =>
      wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= 100)
        ? null
        : "--concurrency must be a whole number from 1 to 100",
    async run(concurrency, root) {
      await work(load, root, concurrency);
      return undefined;
    },
  });

/** Runs the jobs of an app as this process, so many at once, or as many as its manifest says. */
export async function work(load: LoadService, root: string, concurrency: number | null): Promise<void> {
  const service = await load(root);
  const { runServiceWorker } = await import("#runtime/process/operate");
  await runServiceWorker(service, root, concurrency);
}

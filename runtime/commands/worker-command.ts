import type { KnownNames } from "../jobs/index.ts";
import { loadEnvironment, runWorkerProcess, type StartWorker } from "../process/index.ts";
import { readArguments, refuseArguments } from "./command-arguments.ts";

const usage = `usage: npm run worker -- [--concurrency <number>]
  runs jobs until it is told to stop, and serves nothing; without a number as many at once as jobs.concurrency says
`;

/** A service whose jobs are run. */
export interface WorkedService {
  readonly migrations: URL;
  readonly queue: () => KnownNames;
  readonly startWorker: StartWorker;
}

/** `npm run worker`, as this process. */
export async function runWorker(
  service: WorkedService,
  root: string,
  args: readonly string[],
): Promise<void> {
  const options = { concurrency: { type: "string" }, help: { type: "boolean" } } as const;
  const parsed = readArguments(args, { options });
  if ("wrong" in parsed) return refuseArguments(parsed.wrong, usage);
  const { concurrency, help } = parsed.values;
  if (help === true) return void process.stdout.write(usage);
  if (concurrency !== undefined && !/^([1-9]\d?|100)$/.test(concurrency))
    return refuseArguments("--concurrency must be a whole number from 1 to 100", usage);
  await runWorkerProcess({
    ...service,
    root,
    environment: loadEnvironment(root),
    concurrency: concurrency === undefined ? null : Number(concurrency),
  });
}

import { readDatabaseUrl, readLogFormat } from "../config/index.ts";
import { createDatabase } from "../database/index.ts";
import { queueProblem } from "../jobs/index.ts";
import {
  CommandError,
  commandOutput,
  createLog,
  embedded,
  loadEnvironment,
  statementTimeoutMs,
  supervise,
} from "../process/index.ts";
import { refuseArguments } from "./command-arguments.ts";
import { readJobsArguments } from "./jobs-arguments.ts";
import { performJobsCommand } from "./perform-jobs-command.ts";

const usage = `usage: npm run jobs -- [--json | retry <id> | remove <id>]
  lists the jobs that wait, run or are dead; those that are done are gone
  retry <id>   has a job that waits or is dead run at once, and be tried as often as at first
  remove <id>  removes a job that waits or is dead
`;

/** `npm run jobs`, as this process. */
export async function runJobs(root: string, args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return void process.stdout.write(usage);
  const command = readJobsArguments(args);
  if ("wrong" in command) return refuseArguments(command.wrong, usage);
  await supervise(async (closers) => {
    const environment = loadEnvironment(root);
    const log = createLog("jobs", "warn", commandOutput(readLogFormat(environment)));
    const url = readDatabaseUrl(environment) ?? (await embedded(root, log, closers));
    // Until it is done: whoever stops it must not take it for done.
    process.exitCode = 1;
    const problem = await queueProblem(url, log);
    if (problem !== null) throw new CommandError(problem);
    const database = createDatabase({ url, maxConnections: 1, statementTimeoutMs, log });
    closers.add(() => database.close());
    process.stdout.write(await performJobsCommand(command, database));
    process.exitCode = 0;
  });
}

import { readDatabaseUrl, readLogFormat } from "../../core/config/index.ts";
import { createDatabase } from "../../core/database/index.ts";
import { queueProblem } from "../../modules/jobs/index.ts";
import {
  CommandError,
  commandOutput,
  createLog,
  embeddedDatabaseUrl,
  loadEnvironment,
  statementTimeoutMs,
  supervise,
} from "../index.ts";
import { executeJobsCommand, type JobsCommand } from "./perform-jobs-command.ts";

/** Runs `kirak jobs` as this process. */
export async function runJobs(root: string, command: JobsCommand): Promise<never> {
  return supervise(async (closers) => {
    const environment = loadEnvironment(root);
    const log = createLog("jobs", "warn", commandOutput(readLogFormat(environment)));
    const url = readDatabaseUrl(environment) ?? (await embeddedDatabaseUrl(root, log, closers));
    // A process that is stopped early must exit with a failure.
    process.exitCode = 1;
    const problem = await queueProblem(url, log);
    if (problem !== null) throw new CommandError(problem);
    const database = createDatabase({ url, maxConnections: 1, statementTimeoutMs, log });
    closers.add(() => database.close());
    process.stdout.write(await executeJobsCommand(command, database));
    process.exitCode = 0;
  });
}

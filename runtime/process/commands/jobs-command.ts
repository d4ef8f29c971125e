import { readDatabaseUrl, readLogFormat } from "../../core/config/index.ts";
import { createDatabase, type Database } from "../../core/database/index.ts";
import {
  type ListedJob,
  listJobs,
  type Outcome,
  queueProblem,
  removeJob,
  retryJob,
} from "../../modules/jobs/index.ts";
import {
  CommandError,
  commandOutput,
  createLog,
  embeddedDatabaseUrl,
  loadEnvironment,
  statementTimeoutMs,
  supervise,
} from "../index.ts";

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

export type JobsCommand =
  | { readonly command: "list"; readonly json: boolean }
  | { readonly command: "retry" | "remove"; readonly id: string };

/** Returns the output of a `jobs` command. Throws a CommandError if the job is unknown or running. */
export async function executeJobsCommand(command: JobsCommand, database: Database): Promise<string> {
  if (command.command === "list") {
    const jobs = await listJobs(database);
    return command.json ? `${JSON.stringify(jobs, null, 2)}\n` : describeJobs(jobs);
  }
  const { id } = command;
  if (command.command === "retry")
    return resultLine(id, await retryJob(database, id), "runs as soon as a worker is free");
  return resultLine(id, await removeJob(database, id), "is removed");
}

function resultLine(id: string, outcome: Outcome, done: string): string {
  if (outcome === "done") return `job ${id} ${done}\n`;
  throw new CommandError(
    outcome === "running" ? `job ${id} is running: wait until it ends` : `job ${id} does not exist`,
  );
}

function describeJobs(jobs: readonly ListedJob[]): string {
  if (jobs.length === 0) return "no job is waiting, running or dead\n";
  return jobs.map((job) => `${printable(describeJob(job))}\n`).join("");
}

function describeJob(job: ListedJob): string {
  const { id, name, state, attempts, max_attempts, run_at, queue, key, error } = job;
  const tries = `${attempts}/${max_attempts}`.padStart(5);
  const more = [
    ...(queue === null ? [] : [`queue ${queue}`]),
    ...(key === null ? [] : [`key ${key}`]),
    ...(error === null ? [] : [error.replace(/\s+/g, " ").slice(0, 200)]),
  ];
  return [id.padStart(8), state.padEnd(7), run_at, tries, name, ...more].join("  ");
}

/** A key can contain line breaks and terminal control characters. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

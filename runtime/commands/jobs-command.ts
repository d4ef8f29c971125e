import { readDatabaseUrl, readLogFormat } from "../config/index.ts";
import { createDatabase, type Database } from "../database/index.ts";
import { type ListedJob, listJobs, type Outcome, removeJob, retryJob } from "../jobs/index.ts";
import {
  CommandError,
  commandOutput,
  createLog,
  embedded,
  loadEnvironment,
  statementTimeoutMs,
  supervise,
} from "../process/index.ts";
import { readArguments, refuseArguments } from "./command-arguments.ts";

const usage = `usage: npm run jobs -- [--json | retry <id> | remove <id>]
  lists the jobs that wait, run or are dead; those that are done are gone
  retry <id>   has a job that waits or is dead run at once, and be tried as often as at first
  remove <id>  removes a job that waits or is dead
`;

type JobsCommand =
  | { readonly command: "list"; readonly json: boolean }
  | { readonly command: "retry" | "remove"; readonly id: string };

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
    const database = createDatabase({ url, maxConnections: 1, statementTimeoutMs, log });
    closers.add(() => database.close());
    await requireQueue(database);
    process.stdout.write(await perform(command, database));
    process.exitCode = 0;
  });
}

function readJobsArguments(args: readonly string[]): JobsCommand | { readonly wrong: string } {
  const parsed = readArguments(args, { options: { json: { type: "boolean" } }, allowPositionals: true });
  if ("wrong" in parsed) return parsed;
  const { values, positionals } = parsed;
  const [command, id, further] = positionals;
  if (command === undefined) return { command: "list", json: values.json === true };
  if (command !== "retry" && command !== "remove") return { wrong: `unknown command ${command}` };
  if (values.json === true) return { wrong: `${command} has no flag --json` };
  if (id === undefined || !/^[1-9]\d{0,17}$/.test(id)) return { wrong: `${command} needs the id of a job` };
  return further === undefined ? { command, id } : { wrong: `${command} takes no word like ${further}` };
}

async function requireQueue(database: Database): Promise<void> {
  const [row] = await database.run({ name: null, text: "select to_regclass('kirak_jobs.workers')" }, []);
  if (row?.[0] == null)
    throw new CommandError("the database has no queue of jobs, or an older one: run npm run migrate first");
}

async function perform(command: JobsCommand, database: Database): Promise<string> {
  if (command.command === "list") {
    const jobs = await listJobs(database);
    return command.json ? `${JSON.stringify(jobs, null, 2)}\n` : describeJobs(jobs);
  }
  const { id } = command;
  if (command.command === "retry")
    return told(id, await retryJob(database, id), "runs as soon as a worker is free");
  return told(id, await removeJob(database, id), "is removed");
}

function told(id: string, outcome: Outcome, done: string): string {
  if (outcome === "done") return `job ${id} ${done}\n`;
  throw new CommandError(
    outcome === "running" ? `job ${id} is running: wait for its end` : `there is no job ${id}`,
  );
}

function describeJobs(jobs: readonly ListedJob[]): string {
  if (jobs.length === 0) return "no job waits, runs or is dead\n";
  return jobs.map(describeJob).join("");
}

function describeJob({
  id,
  name,
  state,
  attempts,
  max_attempts,
  run_at,
  queue,
  key,
  error,
}: ListedJob): string {
  const more = [
    ...(queue === null ? [] : [`queue ${queue}`]),
    ...(key === null ? [] : [`key ${key}`]),
    ...(error === null ? [] : [error.replace(/\s+/g, " ").slice(0, 200)]),
  ];
  const columns = [
    id.padStart(8),
    state.padEnd(7),
    run_at,
    `${attempts}/${max_attempts}`.padStart(5),
    name,
    ...more,
  ];
  return `${columns.join("  ")}\n`;
}

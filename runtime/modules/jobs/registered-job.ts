import { type CronTimes, jobName, jobNameRule, parseCron } from "../../../vocabulary/jobs.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { isStandardSchema } from "../../../vocabulary/standard-schema.ts";
import type {
  Job,
  JobContext,
  JobOptions,
  PayloadSchema,
  SchemaInput,
  SchemaType,
} from "../../hooks/context/index.ts";
import { type InputReader, inputReader } from "../../models/validation/index.ts";
import { JobError } from "./job-errors.ts";

interface JobDefinition<Schema extends PayloadSchema> extends JobOptions {
  /** An inline JSON Schema, or a schema of a library such as zod; it types the payload. */
  readonly payload: Schema;
  /** Can be async. The type `void` lets a job send jobs with its own name without a circular type. */
  readonly run: (payload: NoInfer<SchemaType<Schema>>, context: JobContext) => void;
}

/** Declares the job of a file of `models/jobs/`, as its default export (docs/jobs.md). */
export function defineJob<const Schema extends PayloadSchema>(
  definition: JobDefinition<Schema>,
): Job<SchemaInput<Schema>> {
  return definition;
}

/** A checked job of the app. */
export interface RegisteredJob {
  readonly name: string;
  readonly read: InputReader;
  run(payload: unknown, context: JobContext): unknown;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly cron: CronTimes | null;
  readonly queue: string | null;
}

export type JobRegistry = ReadonlyMap<string, RegisteredJob>;

/** The app's jobs by name. */
export type DeclaredJobs = Readonly<Record<string, Job>>;

const defaultAttempts = 10;
const defaultTimeoutSeconds = 60;
const longestTimeoutSeconds = 10_800;
const mostAttempts = 1000;
const longestQueueName = 100;

const registered = new WeakMap<DeclaredJobs, JobRegistry>();

/** Checks the app's jobs. Throws a JobError that lists all problems. */
export function registerJobs(declared: DeclaredJobs): JobRegistry {
  const known = registered.get(declared);
  if (known !== undefined) return known;
  const problems: string[] = [];
  const jobs = Object.entries(declared).map(([name, job]) => registeredJob(name, job, problems));
  if (problems.length > 0)
    throw new JobError(`the jobs cannot run:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
  const registry = new Map(jobs.map((job) => [job.name, job]));
  registered.set(declared, registry);
  return registry;
}

function registeredJob(name: string, job: Job, problems: string[]): RegisteredJob {
  const report = (problem: string) => problems.push(`models/jobs/${name}.ts: ${problem}`);
  if (!jobName.test(name)) report(`the name of a job is ${jobNameRule}`);
  const read = readerOf(job, report);
  const cron = cronOf(job, report);
  // A check of a library can need more than there is at the start, such as a database.
  const empty = cron === null || isStandardSchema(job.payload) ? null : read({});
  if (empty !== null && "problems" in empty && empty.problems.length > 0)
    report("cron sends the payload {}, which the schema does not allow");
  const { attempts = defaultAttempts, timeout_seconds = defaultTimeoutSeconds, queue = null } = job;
  requireWhole("attempts", attempts, mostAttempts, report);
  requireWhole("timeout_seconds", timeout_seconds, longestTimeoutSeconds, report);
  if (queue !== null && (queue === "" || queue.length > longestQueueName || queue.includes("\0")))
    report(`queue must be a string of 1 to ${longestQueueName} characters`);
  const run = (payload: unknown, context: JobContext) => Reflect.apply(job.run, job, [payload, context]);
  return { name, read, run, attempts, timeoutMs: timeout_seconds * 1000, cron, queue };
}

type Report = (problem: string) => void;

function readerOf({ payload, run }: Job, report: Report): InputReader {
  if (typeof run !== "function") report("run must be a function");
  const isForObjects = isJsonObject(payload) && payload["type"] === "object";
  try {
    if (isForObjects || isStandardSchema(payload)) return inputReader(payload);
    report('payload must be the JSON Schema of an object, { type: "object", … }, or a schema of a library');
  } catch (error) {
    report(`payload is not a JSON Schema: ${error instanceof Error ? error.message : error}`);
  }
  return (value) => ({ problems: [], value });
}

function cronOf({ cron }: Job, report: Report): CronTimes | null {
  if (cron === undefined) return null;
  try {
    return parseCron(cron);
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function requireWhole(key: string, value: number, most: number, report: Report): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    report(`${key} must be a whole number from 1 to ${most}`);
}

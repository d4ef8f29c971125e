import type { Logger } from "pino";
import { readDatabaseUrl, readLogFormat } from "../../core/config/index.ts";
import { builtInMigrations, serviceMigrations } from "../../migrations/built-in/index.ts";
import {
  begunMigrationNames,
  type Change,
  type CodeMigrations,
  type HistoryOptions,
  isBuiltIn,
  type MigrateOptions,
  MigrationError,
  type MigrationStatus,
  markApplied,
  migrate,
  migrateDown,
  migrationStatus,
  pendingMigrations,
  plannedDown,
  plannedUp,
  unfinishedMigrationNames,
  verifyDatabase,
} from "../../migrations/runner/index.ts";
import { prepareQueue } from "../../modules/jobs/index.ts";
import { commandOutput, createLog, embeddedDatabaseUrl, loadEnvironment, supervise } from "../index.ts";
import {
  countText,
  describeBegun,
  describeChange,
  describeLeftover,
  describeStatuses,
  describeVerification,
} from "./migrate-output.ts";

/** The parts of a service that have migrations: its tables, and the job queue if the code can send jobs. */
interface MigratedService {
  /** A folder; null if the app has no migrations. */
  readonly migrations: URL | null;
  /** Throws a JobError if the jobs cannot run. Missing if the service has no queue. */
  readonly checkJobs?: () => void;
}

export type MigrateCommand =
  | { readonly command: "up"; readonly to?: string; readonly dryRun: boolean }
  | {
      readonly command: "down";
      readonly to?: string;
      readonly dryRun: boolean;
      readonly acceptDataLoss: boolean;
    }
  | { readonly command: "status"; readonly json: boolean }
  | { readonly command: "verify"; readonly json: boolean; readonly strict: boolean }
  | { readonly command: "baseline"; readonly to: string; readonly unverified: boolean };

/** Runs `kirak migrate` as this process. */
export async function runMigrate(
  { migrations: folder, checkJobs }: MigratedService,
  root: string,
  command: MigrateCommand,
): Promise<never> {
  return supervise(async (closers) => {
    const environment = loadEnvironment(root);
    // Commands that print a result write nothing else to standard output.
    const log = createLog(
      "migrate",
      printsText(command) ? "warn" : "info",
      commandOutput(readLogFormat(environment)),
    );
    const url = readDatabaseUrl(environment) ?? (await embeddedDatabaseUrl(root, log, closers));
    // A process that is stopped early must exit with a failure.
    process.exitCode = 1;
    const options = { url, ...(await migrationsFor(command, folder, url)) };
    checkJobs?.();
    const alongside = prepareQueue;
    await execute(command, checkJobs === undefined ? options : { ...options, alongside }, log);
    process.exitCode = 0;
  });
}

/** Down migrations work even if a merge of branches left several last migrations. */
async function migrationsFor(
  { command }: MigrateCommand,
  folder: URL | null,
  url: string,
): Promise<CodeMigrations> {
  if (command !== "down") return serviceMigrations(folder);
  const known = await migrationStatus({ url, builtIn: builtInMigrations, migrations: [] });
  const last = known.findLast(({ name, state }) => state === "unknown" && !isBuiltIn(name));
  return serviceMigrations(folder, last?.name);
}

function printsText(command: MigrateCommand): boolean {
  return (
    command.command === "status" || command.command === "verify" || ("dryRun" in command && command.dryRun)
  );
}

type CommandOptions = HistoryOptions & Pick<MigrateOptions, "alongside">;

async function execute(command: MigrateCommand, options: CommandOptions, log: Logger): Promise<void> {
  switch (command.command) {
    case "up":
      return up(command, options, log);
    case "down":
      return down(command, options, log);
    case "status":
      return status(command, options);
    case "verify":
      return verify(command, options, log);
    case "baseline": {
      const marked = await markApplied({ ...options, to: command.to, unverified: command.unverified, log });
      if (marked.length === 0) log.info(`${command.to} is already applied`);
    }
  }
}

type CommandOf<Name> = Extract<MigrateCommand, { readonly command: Name }>;

async function up(
  { dryRun, ...range }: CommandOf<"up">,
  options: CommandOptions,
  log: Logger,
): Promise<void> {
  if (dryRun) return printPlan(await plannedUp({ ...options, ...range }), options);
  const applied = await migrate({ ...options, ...range, log });
  if (applied.length > 0) return;
  const after = range.to === undefined ? 0 : (await pendingMigrations(options)).length;
  log.info(
    after === 0
      ? "no migration is pending"
      : `no migration is pending up to ${range.to}, but ${after} after it`,
  );
}

async function down(
  { dryRun, ...range }: CommandOf<"down">,
  options: HistoryOptions,
  log: Logger,
): Promise<void> {
  if (dryRun) return printPlan(await plannedDown({ ...options, ...range }), options);
  const taken = await migrateDown({ ...options, ...range, log });
  if (taken.length === 0) log.info("nothing to revert: migrations of the service itself stay");
}

async function printPlan(changes: readonly Change[], options: HistoryOptions): Promise<void> {
  const leftovers = (await unfinishedMigrationNames(options)).map(describeLeftover);
  print([
    ...leftovers,
    ...(await begunMigrationNames(options)).map(describeBegun),
    ...changes.map(describeChange),
  ]);
}

/** Prints the status, then throws if no migration can be applied. Pending migrations are not a failure. */
async function status({ json }: CommandOf<"status">, options: HistoryOptions): Promise<void> {
  const statuses = await migrationStatus(options);
  print(json ? [`${JSON.stringify(statuses, null, 2)}\n`] : describeStatuses(statuses));
  const failing = statuses.filter(({ state }) => failingStates.has(state)).length;
  if (failing > 0)
    throw new MigrationError(`the database does not match this code: ${countText(failing, "migration")}`);
}

const failingStates: ReadonlySet<MigrationStatus["state"]> = new Set(["altered", "unchecked", "unknown"]);

/** Prints the comparison, then throws if the database fails it. */
async function verify(
  { json, strict }: CommandOf<"verify">,
  options: HistoryOptions,
  log: Logger,
): Promise<void> {
  const found = await verifyDatabase({ ...options, log });
  print([json ? `${JSON.stringify(found, null, 2)}\n` : describeVerification(found)]);
  const failing = found.differences.length + (strict ? found.notes.length : 0);
  if (failing > 0)
    throw new MigrationError(`the database differs from its migrations: ${countText(failing, "difference")}`);
}

function print(texts: readonly string[]): void {
  process.stdout.write(texts.join(""));
}

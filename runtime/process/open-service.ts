import { join } from "node:path";
import type { Logger } from "pino";
import { type Cache, connectCache } from "../core/cache/index.ts";
import { BackgroundTasks } from "../core/concurrency/index.ts";
import {
  type Config,
  inServiceSchema,
  readConfig,
  serviceSchemaOf,
  type Variables,
} from "../core/config/index.ts";
import type { Database } from "../core/database/index.ts";
import { flushSpans } from "../core/telemetry/index.ts";
import { serviceMigrations } from "../migrations/built-in/index.ts";
import { startEmbedded } from "../migrations/embedded-postgres/index.ts";
import {
  begunMigrationNames,
  type MigrateOptions,
  migrate,
  pendingMigrations,
  unfinishedMigrationNames,
} from "../migrations/runner/index.ts";
import { prepareQueue, queueProblem } from "../modules/jobs/index.ts";
import { createMailer, type Mailer } from "../modules/mail/index.ts";
import { createMonitoring, LogCapture, type Monitoring } from "../modules/monitoring/index.ts";
import { createSmsSender, type SmsSender } from "../modules/sms/index.ts";
import type { Closers } from "./closers.ts";
import { Deadline } from "./deadline.ts";
import { atAnyLevel, createLog, serviceOutput } from "./log.ts";
import { modelsChanged } from "./models-changed.ts";

export interface ServiceOptions {
  /** The project folder, with `models/manifest.json` and `var/kirak`. */
  readonly root: string;
  readonly environment: Variables;
  /** Folder of the migrations; null if the app has none. */
  readonly migrations: URL | null;
  /** Throws a CommandError if a table does not fit the models. Missing if nothing uses the models. */
  readonly checkTables?: (database: Database) => Promise<void>;
  /** Throws a JobError if the jobs cannot run. Missing if the service has no queue. */
  readonly checkJobs?: () => void;
}

export interface OpenedService {
  readonly config: Config;
  readonly log: Logger;
  readonly capture: LogCapture | null;
  /** Starts when the process gets a signal. */
  readonly deadline: Deadline;
  readonly url: string;
  /** Direct URL of PostgreSQL. */
  readonly directUrl: string;
  /** Whether no migration is pending. */
  readonly isMigrated: boolean;
}

/** Reads the configuration, opens the log, connects to the database and migrates it. */
export async function openService(
  { root, environment, migrations: folder, checkJobs }: ServiceOptions,
  closers: Closers,
  reportTo: (log: Logger) => void,
): Promise<OpenedService> {
  const config = readConfig({ root, manifestPath: join(root, "models", "manifest.json"), environment });
  const capture = config.monitoring === null ? null : new LogCapture(config.monitoring.logs, config.name);
  const output = serviceOutput(config.logFormat, config.name);
  const log = createLog(config.name, config.server.logLevel, output, capture);
  reportTo(log);
  for (const warning of config.warnings) log.warn(warning);
  if (modelsChanged(root)) log.warn("models/ changed after generated/ was written: run npm run generate");
  if (config.setByEnvironment.length > 0)
    atAnyLevel(log).info(`set by the environment: ${config.setByEnvironment.join(", ")}`);
  checkJobs?.();
  const migrations = await serviceMigrations(folder);
  const url = config.databaseUrl ?? (await embeddedDatabaseUrl(root, log, closers));
  // Migrations need a session lock, so they must bypass poolers.
  const directUrl = config.databaseDirectUrl ?? url;
  const isMigrated = await migrateOrWarn(config, {
    url: directUrl,
    ...migrations,
    log,
    ...(checkJobs !== undefined && { alongside: prepareQueue }),
  });
  const deadline = new Deadline(config.server.shutdownTimeoutSeconds * 1000);
  return { config, log, capture, deadline, url, directUrl, isMigrated };
}

/** The services that a process needs in addition to the database. */
export interface Peers {
  readonly cache: Cache | null;
  readonly mailer: Mailer | null;
  readonly sms: SmsSender | null;
  readonly background: BackgroundTasks;
  /** Null if the module is off. */
  readonly monitoring: Monitoring | null;
}

/** Connects to them. Background tasks use all of them, so they end first. */
export async function connectPeers(start: OpenedService, closers: Closers): Promise<Peers> {
  const { config, log, deadline } = start;
  closers.add(() => deadline.orGiveUp(flushSpans(log)));
  const cache = config.redisUrl === null ? null : await connectCache(config.redisUrl, log);
  closers.add(async () => cache?.close());
  const mailer = createMailer(config, log);
  closers.add(async () => mailer?.close());
  const sms = createSmsSender(config, log);
  const monitoring = startMonitoring(start, closers);
  const background = new BackgroundTasks(log);
  closers.add(() => background.drain(deadline.leftMs()));
  return { cache, mailer, sms, background, monitoring };
}

/**
 * Starts monitoring; null if the module is off. Monitoring closes after the last request and its background
 * tasks.
 */
function startMonitoring(
  { config, log, capture, deadline }: OpenedService,
  closers: Closers,
): Monitoring | null {
  const { monitoring: settings } = config;
  if (settings === null) return null;
  const monitoring = createMonitoring({ config, settings, log, capture });
  closers.add(() => deadline.orGiveUp(monitoring.close(deadline.stepMs())));
  return monitoring;
}

/** Starts the embedded PostgreSQL in `var/kirak`. Returns its URL. */
export async function embeddedDatabaseUrl(root: string, log: Logger, closers: Closers): Promise<string> {
  log.info("SERVICE_DATABASE_URL is not set: using the embedded PostgreSQL in var/kirak/postgres");
  const server = await startEmbedded({ home: join(root, "var", "kirak"), log });
  closers.add(() => server.stop());
  return inServiceSchema(server.url, serviceSchemaOf(root));
}

/** Returns whether no migration is pending. */
async function migrateOrWarn(config: Config, options: MigrateOptions): Promise<boolean> {
  if (config.migrateOnStart) {
    await migrate(options);
    return true;
  }
  const pending = await pendingMigrations(options);
  if (pending.length > 0) options.log.warn({ pending }, "migrations are pending: run npm run migrate");
  for (const name of await unfinishedMigrationNames(options))
    options.log.warn(
      { migration: name },
      `${name} is in progress or was interrupted: if it was, npm run migrate removes its preparation`,
    );
  for (const name of await begunMigrationNames(options))
    options.log.warn(
      { migration: name },
      `${name} is in progress or was interrupted: if it was, npm run migrate continues it`,
    );
  const problem = options.alongside === undefined ? null : await queueProblem(options.url, options.log);
  if (problem !== null) options.log.warn(problem);
  return pending.length === 0;
}

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Express } from "express";
import type { Logger } from "pino";
import { serviceMigrations } from "../built-in-migrations/index.ts";
import { type Cache, connectCache } from "../cache/index.ts";
import { BackgroundTasks } from "../concurrency/index.ts";
import { type Config, overviewPageOf, readConfig, signInPageOf, type Variables } from "../config/index.ts";
import { createDatabase, type Database } from "../database/index.ts";
import { startEmbedded } from "../embedded-postgres/index.ts";
import { createHttpServer, type Lifecycle } from "../http/index.ts";
import { createMailer, type Mailer } from "../mail/index.ts";
import {
  begunHalfWay,
  leftHalfWay,
  type MigrateOptions,
  migrate,
  pendingMigrations,
} from "../migrations/index.ts";
import { createMonitoring, LogCapture, type Monitoring } from "../monitoring/index.ts";
import { connectCounters } from "../rate-limit/index.ts";
import type { Closers } from "./closers.ts";
import { Deadline } from "./deadline.ts";
import { drain, listen, listeningAddress } from "./http-lifecycle.ts";
import { createLog, serviceOutput, whateverTheLevel } from "./log.ts";
import { modelsChanged } from "./models-changed.ts";

/** A statement that runs longer than this is cancelled, whoever waits for it has long gone. */
export const statementTimeoutMs = 30_000;
/** Well below it: until then those who wait for one locked row keep everybody else from a connection. */
const lockTimeoutMs = 10_000;

/** What an application is made of. */
export interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  readonly cache: Cache | null;
  readonly counting: Database | null;
  readonly mailer: Mailer | null;
  readonly background: BackgroundTasks;
  /** Null where the module is off. */
  readonly monitoring: Monitoring | null;
}

export interface LaunchOptions {
  /** The project's folder, with `models/manifest.json` and `var/kirak`. */
  readonly root: string;
  readonly environment: Variables;
  /** The folder of the migrations. */
  readonly migrations: URL;
  createApp(parts: Parts): Express;
}

export interface Running {
  /** What it listens on, such as `http://0.0.0.0:3000`. */
  readonly address: string;
  /** The address to call it at on this machine. */
  readonly url: string;
  /** Pages of development on this machine: what the service has, and what accounts are tried with; null in production. */
  readonly overviewPage: string | null;
  readonly signInPage: string | null;
  readonly log: Logger;
}

/**
 * Brings the service up: configuration, database, migrations, HTTP. Each thing that was started is added to `closers`,
 * also when a later step throws. `reportTo` is told the log as soon as there is one.
 */
export async function launch(
  options: LaunchOptions,
  closers: Closers,
  reportTo: (log: Logger) => void,
): Promise<Running> {
  const manifestPath = join(options.root, "models", "manifest.json");
  const config = readConfig({ root: options.root, manifestPath, environment: options.environment });
  const capture = config.monitoring === null ? null : new LogCapture(config.monitoring.logs, config.name);
  const output = serviceOutput(config.logFormat, config.name);
  const log = createLog(config.name, config.server.logLevel, output, capture);
  reportTo(log);
  for (const warning of config.warnings) log.warn(warning);
  if (modelsChanged(options.root))
    log.warn("models/ says something else than when generated/ was made: run npm run generate");
  if (config.setByEnvironment.length > 0)
    whateverTheLevel(log).info(`set by the environment: ${config.setByEnvironment.join(", ")}`);
  const migrations = await serviceMigrations(options.migrations);
  const url = config.databaseUrl ?? (await embedded(options.root, log, closers));
  // What else stands between requests and PostgreSQL: a migration and its lock outlive a transaction.
  const directUrl = config.databaseDirectUrl ?? url;
  await settleMigrations(config, { url: directUrl, ...migrations, log });
  const deadline = new Deadline(config.server.shutdownTimeoutSeconds * 1000);
  const way = { url, directUrl, namedStatements: config.databaseNamedStatements, log };
  const limits = { maxConnections: config.databasePoolSize, statementTimeoutMs, lockTimeoutMs };
  const database = createDatabase({ ...way, ...limits });
  closers.add(() => deadline.orGiveUp(database.close(deadline.leftMs())));
  const countsHere = config.rateLimit.enabled && config.redisUrl === null;
  const counting = countsHere ? await connectCounters(way) : null;
  if (counting !== null) closers.add(() => deadline.orGiveUp(counting.close()));
  const peers = await connectPeers({ config, log, capture, deadline }, closers);
  return { ...(await serve(options, { config, database, counting, log, ...peers }, deadline, closers)), log };
}

interface Start {
  readonly config: Config;
  readonly log: Logger;
  readonly capture: LogCapture | null;
  readonly deadline: Deadline;
}

/** What the service talks to beside the database. Work in the background uses all of it, so that it ends first. */
async function connectPeers(
  start: Start,
  closers: Closers,
): Promise<Pick<Parts, "cache" | "mailer" | "background" | "monitoring">> {
  const { config, log, deadline } = start;
  const cache = config.redisUrl === null ? null : await connectCache(config.redisUrl, log);
  closers.add(async () => cache?.close());
  const mailer = createMailer(config, log);
  closers.add(async () => mailer?.close());
  const monitoring = monitor(start, closers);
  const background = new BackgroundTasks(log);
  closers.add(() => background.drain(deadline.leftMs()));
  return { cache, mailer, background, monitoring };
}

/** Null where the module is off. What waits is written once the last request and its work in the background are over. */
function monitor({ config, log, capture, deadline }: Start, closers: Closers): Monitoring | null {
  const { monitoring: settings } = config;
  if (settings === null) return null;
  const monitoring = createMonitoring({ config, settings, log, capture });
  closers.add(() => deadline.orGiveUp(monitoring.close(deadline.stepMs())));
  return monitoring;
}

/** The embedded PostgreSQL in `var/kirak`. Gives its URL. */
export async function embedded(root: string, log: Logger, closers: Closers): Promise<string> {
  log.info("SERVICE_DATABASE_URL is not set: using the embedded PostgreSQL in var/kirak/postgres");
  const server = await startEmbedded({ home: join(root, "var", "kirak"), log });
  closers.add(() => server.stop());
  return server.url;
}

async function settleMigrations(config: Config, options: MigrateOptions): Promise<void> {
  if (config.migrateOnStart) {
    await migrate(options);
    return;
  }
  const pending = await pendingMigrations(options);
  if (pending.length > 0) options.log.warn({ pending }, "migrations are pending: run npm run migrate");
  for (const name of await leftHalfWay(options))
    options.log.warn(
      { migration: name },
      `${name} is being worked on, or was left half-way: then npm run migrate undoes what is there of it`,
    );
  for (const name of await begunHalfWay(options))
    options.log.warn(
      { migration: name },
      `${name} is being worked on, or was left half-way: then npm run migrate goes on with it`,
    );
}

async function serve(
  options: LaunchOptions,
  parts: Omit<Parts, "lifecycle">,
  deadline: Deadline,
  closers: Closers,
): Promise<Omit<Running, "log">> {
  const { config } = parts;
  const lifecycle = { stopping: false };
  const server = createHttpServer(options.createApp({ ...parts, lifecycle }));
  const url = await listen(server, config.port, config.host);
  closers.add(async (cause) => {
    lifecycle.stopping = true;
    // Nobody knows in which state a crash left it: it takes no further request.
    const acceptMs = cause === "crash" ? 0 : config.server.drainSeconds * 1000;
    await drain(server, { accepting: sleep(Math.min(acceptMs, deadline.leftMs())), deadline });
  });
  const here = { ...config, baseUrl: url };
  return {
    ...{ address: listeningAddress(server), url },
    ...{ overviewPage: overviewPageOf(here), signInPage: signInPageOf(here) },
  };
}

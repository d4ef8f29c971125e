import type pg from "pg";
import type { Logger } from "pino";
import { BackgroundTasks, noTrace } from "../core/concurrency/index.ts";
import type { Config } from "../core/config/index.ts";
import { createDatabase } from "../core/database/index.ts";
import { createHttpServer } from "../core/http/index.ts";
import { jobsForCode, registerJobs } from "../modules/jobs/index.ts";
import { requireMails } from "../modules/mail/index.ts";
import { createMonitoring, type Monitoring } from "../modules/monitoring/index.ts";
import { type Closers, databaseLimits, type ServerParts } from "../process/index.ts";
import { createServer } from "../server/server.ts";
import type { Service } from "../server/service.ts";
import { connectAdmin } from "./admin-connection.ts";
import type { LogLine } from "./captured-log.ts";
import { type CapturedMessages, captureMessages } from "./captured-messages.ts";
import { userFactory } from "./create-user.ts";
import type { ReservedPort } from "./reserved-port.ts";
import { runDueJobs } from "./run-due-jobs.ts";
import { type TestCaller, tokenFor } from "./test-caller.ts";
import { requestsTo } from "./test-request.ts";
import type { TestDatabase, TestOptions, TestService } from "./test-service.ts";

/** The environment of a test service. */
export interface TestEnvironment {
  readonly config: Config;
  readonly log: Logger;
  /** The log lines. */
  readonly lines: readonly LogLine[];
  readonly port: ReservedPort;
  readonly databaseUrl: string;
}

/** Serves a service for a test. */
export async function serveForTests(
  service: Service,
  { createApp = (parts) => createServer(service, parts), monitoring = false }: TestOptions,
  surroundings: TestEnvironment,
  closers: Closers,
): Promise<TestService> {
  const { config, port } = surroundings;
  requireMails(config, service.mails);
  const messages = captureMessages(config);
  const parts = testParts(surroundings, messages, monitoring, closers);
  const server = createHttpServer(createApp(parts));
  await port.handTo(server);
  closers.add(() => {
    server.close();
    server.closeAllConnections();
  });
  return testService(service, surroundings, { parts, messages, closers });
}

interface Served {
  readonly parts: ServerParts;
  readonly messages: CapturedMessages;
  readonly closers: Closers;
}

function testService(
  service: Service,
  { config, lines, port, databaseUrl: url }: TestEnvironment,
  { parts, messages, closers }: Served,
): TestService {
  const { background, database } = parts;
  const token = (caller: TestCaller) => tokenFor(caller, config.secrets.jwt);
  const sql = sqlDatabase(url);
  closers.add(() => sql.close());
  const stop = () => closers.run();
  return {
    url: port.url,
    request: requestsTo(port.url, token),
    createUser: userFactory(service, parts),
    token,
    database: sql,
    mails: messages.mails,
    texts: messages.texts,
    jobs: jobsForCode(
      registerJobs(service.jobs),
      database,
    )({ transaction: null, origin: { trace: noTrace } }),
    runJobs: (options = {}) => runDueJobs(service, { ...parts, url, concurrency: 2 }, options),
    settled: () => background.drain(),
    log: lines,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** An SQL client of a database. The first statement opens its only connection. */
function sqlDatabase(url: string): TestDatabase & { close(): Promise<void> } {
  let connecting: Promise<pg.Client> | null = null;
  return {
    url,
    async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      connecting ??= connectAdmin(url);
      const client = await connecting;
      const result = await client.query<Row & pg.QueryResultRow>(text, values && [...values]);
      // Each statement has a result.
      return [result].flat().at(-1)?.rows ?? [];
    },
    async close() {
      await (await connecting)?.end();
    },
  };
}

interface PartsEnvironment {
  readonly config: Config;
  readonly log: Logger;
  readonly databaseUrl: string;
}

/** The parts of a test service: like those of a process, but messages are captured. */
function testParts(
  { config, log, databaseUrl: url }: PartsEnvironment,
  { mailer, sms }: CapturedMessages,
  isMonitored: boolean,
  closers: Closers,
): ServerParts {
  const database = createDatabase({ url, ...databaseLimits, maxConnections: config.databasePoolSize, log });
  closers.add(() => database.close());
  const monitoring = isMonitored ? monitor(config, log) : null;
  closers.add(() => monitoring?.close());
  const background = new BackgroundTasks(log);
  closers.add(() => background.drain());
  const lifecycle = { stopping: false };
  return {
    config,
    database,
    log,
    lifecycle,
    explains: false,
    counting: null,
    cache: null,
    mailer,
    sms,
    monitoring,
    background,
  };
}

function monitor(config: Config, log: Logger): Monitoring | null {
  const { monitoring: settings } = config;
  return settings === null ? null : createMonitoring({ config, settings, log });
}

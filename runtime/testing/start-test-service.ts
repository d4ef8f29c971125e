import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { Closers } from "../process/index.ts";
import type { Service } from "../service.ts";
import { appMigrations } from "./app-migrations.ts";
import { databasePrefix, freshDatabase } from "./fresh-database.ts";
import { keepLog, type LogLine } from "./kept-log.ts";
import { requireGenerated } from "./require-generated.ts";
import { reservePort } from "./reserved-port.ts";
import { serveForTests } from "./serve-for-tests.ts";
import { testConfig } from "./test-config.ts";
import type { TestOptions } from "./test-options.ts";
import { findTestServer } from "./test-server.ts";
import type { TestService } from "./test-service.ts";

/**
 * Starts a service for tests: on a free port of this machine, with a database of its own, which is dropped when it stops. Throws a
 * TestServiceError that says what is missing.
 */
export async function startTestService(service: Service, options: TestOptions = {}): Promise<TestService> {
  const closers = new Closers();
  try {
    return await start(service, { ...options, root: resolve(options.root ?? ".") }, closers);
  } catch (error) {
    await closers.run();
    throw error;
  }
}

type Options = TestOptions & { readonly root: string };

async function start(service: Service, options: Options, closers: Closers): Promise<TestService> {
  const { root, printLog = false } = options;
  requireGenerated(root);
  const lines: LogLine[] = [];
  // Of migrations too: which of the files that begin at once runs them is chance.
  const early = keepLog(lines, service.name, "warn", printLog);
  const databaseUrl = await ownDatabase(service, options, early, closers);
  const folder = mkdtempSync(join(tmpdir(), "kirak-testing-"));
  closers.add(() => rmSync(folder, { recursive: true, force: true }));
  const port = await reservePort();
  closers.add(() => port.free());
  const config = testConfig({ root, url: port.url, databaseUrl, folder }, options);
  const log = keepLog(lines, config.name, config.server.logLevel, printLog);
  return serveForTests(service, options, { config, log, lines, port, databaseUrl }, closers);
}

async function ownDatabase(
  service: Service,
  { root, databaseUrl }: Options,
  log: Logger,
  closers: Closers,
): Promise<string> {
  const content = {
    ...(await appMigrations(service.migrations)),
    queue: service.usesQueue,
  };
  const server = await findTestServer(root, databaseUrl, log);
  closers.add(() => server.stop());
  const prefix = databasePrefix(service.name, server.url);
  const database = await freshDatabase(server, content, { prefix, log });
  closers.add(() => database.drop());
  return database.url;
}

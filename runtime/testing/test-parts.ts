import type { Logger } from "pino";
import { BackgroundTasks } from "../concurrency/index.ts";
import type { Config } from "../config/index.ts";
import { createDatabase } from "../database/index.ts";
import { createMonitoring, type Monitoring } from "../monitoring/index.ts";
import { type Closers, databaseLimits, type Parts } from "../process/index.ts";
import type { KeptMessages } from "./kept-messages.ts";

interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  readonly databaseUrl: string;
}

/** The parts of a service under test: as a process has them, but for what is kept in place of being sent. */
export function testParts(
  { config, log, databaseUrl: url }: Surroundings,
  { mailer, sms }: KeptMessages,
  isMonitored: boolean,
  closers: Closers,
): Parts {
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

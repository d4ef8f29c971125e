import type { Express } from "express";
import { requireMails, unsentMails } from "../modules/mail/index.ts";
import { createServer } from "../server/server.ts";
import type { Service } from "../server/service.ts";
import { loadEnvironment, runProcess, type ServerParts } from "./index.ts";
import { jobRunner } from "./job-worker.ts";
import { requireColumns } from "./required-columns.ts";

export { type OwnWorker, type OwnWorkerOptions, startWorker } from "./job-worker.ts";

export interface StartOptions {
  /** The project folder, with `models/manifest.json`, `.env` and `var/kirak`. */
  readonly root: string;
}

export interface ServeOptions extends StartOptions {
  /** The application to serve. Default `createServer(service, parts)`; an app can wrap or mount it. */
  readonly createApp?: (parts: ServerParts) => Express;
}

/** Runs `kirak start` until a signal. */
export async function startService(
  service: Service,
  { root, createApp = (parts) => createServer(service, parts) }: ServeOptions,
): Promise<void> {
  await runProcess({
    root,
    environment: loadEnvironment(root),
    migrations: service.migrations,
    checkTables: (database) => requireColumns(database, service),
    createApp(parts) {
      requireMails(parts.config, service.mails);
      const warning = unsentMails(parts.config, service.mails);
      if (warning !== null) parts.log.warn(warning);
      return createApp(parts);
    },
    ...(service.usesQueue && jobRunner(service)),
  });
}

import type { Express } from "express";
import { requireMails } from "./mail/index.ts";
import { loadEnvironment, type Parts, runProcess, type WorkerParts } from "./process/index.ts";
import { createServer } from "./server.ts";
import type { Service } from "./service.ts";
import { queueNames, startServiceWorker } from "./start-worker.ts";

export { type OwnWorker, type OwnWorkerOptions, startWorker } from "./own-worker.ts";

export interface StartOptions {
  /** The project's folder, with `models/manifest.json`, `.env` and `var/kirak`. */
  readonly root: string;
}

export interface ServeOptions extends StartOptions {
  /** The application to serve. Default `createServer(service, parts)`, which an app may wrap or mount in its own. */
  readonly createApp?: (parts: Parts) => Express;
}

/** `npm start`: serves until the process is told to stop. */
export async function startService(
  service: Service,
  { root, createApp = (parts) => createServer(service, parts) }: ServeOptions,
): Promise<void> {
  await runProcess({
    root,
    environment: loadEnvironment(root),
    migrations: service.migrations,
    createApp(parts) {
      requireMails(parts.config, service.mails);
      return createApp(parts);
    },
    ...(service.hasCode && workOf(service)),
  });
}

/** `npm run migrate`, with the arguments after the command's name. */
export async function migrateService(
  service: Service,
  { root }: StartOptions,
  args: readonly string[],
): Promise<void> {
  const { runMigrate } = await import("./commands/index.ts");
  const queue = service.hasCode ? { queue: () => queueNames(service) } : {};
  await runMigrate({ migrations: service.migrations, ...queue }, root, args);
}

/** `npm run create-admin`, with the arguments after the command's name. */
export async function createAdminAccount(
  service: Service,
  { root }: StartOptions,
  args: readonly string[],
): Promise<void> {
  const { runCreateAdmin } = await import("./commands/index.ts");
  await runCreateAdmin(service, root, args);
}

/** `npm run worker`, with the arguments after the command's name. */
export async function runServiceWorker(
  service: Service,
  { root }: StartOptions,
  args: readonly string[],
): Promise<void> {
  const { runWorker } = await import("./commands/index.ts");
  await runWorker({ migrations: service.migrations, ...workOf(service) }, root, args);
}

/** What a process needs to run the jobs of a service. */
function workOf(service: Service) {
  return {
    queue: () => queueNames(service),
    startWorker(parts: WorkerParts) {
      requireMails(parts.config, service.mails);
      return startServiceWorker(service, parts);
    },
  };
}

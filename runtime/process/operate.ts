import { registerJobs } from "../modules/jobs/index.ts";
import type { Service } from "../server/service.ts";
import type { CreateAdmin, MigrateCommand, UsersCommand } from "./commands/index.ts";
import { loadEnvironment, runWorkerProcess } from "./index.ts";
import { jobRunner } from "./job-worker.ts";

/** Runs `kirak migrate` as this process. */
export async function migrateService(
  service: Service,
  root: string,
  command: MigrateCommand,
): Promise<never> {
  const { runMigrate } = await import("./commands/index.ts");
  const queue = service.usesQueue ? { checkJobs: () => void registerJobs(service.jobs) } : {};
  return runMigrate({ migrations: service.migrations, ...queue }, root, command);
}

/** Runs `kirak create-admin` as this process. */
export async function createAdminAccount(
  service: Service,
  root: string,
  account: CreateAdmin,
): Promise<never> {
  const { runCreateAdmin } = await import("./commands/index.ts");
  return runCreateAdmin(service, root, account);
}

/** Runs `kirak users` as this process. */
export async function administerUsers(service: Service, root: string, command: UsersCommand): Promise<never> {
  const { runUsers } = await import("./commands/index.ts");
  return runUsers(service, root, command);
}

/** Runs `kirak worker` until a signal; default concurrency from the manifest. */
export async function runServiceWorker(
  service: Service,
  root: string,
  concurrency: number | null,
): Promise<void> {
  const environment = loadEnvironment(root);
  await runWorkerProcess({
    migrations: service.migrations,
    ...jobRunner(service),
    root,
    environment,
    concurrency,
  });
}

export { type CreateAdmin, runCreateAdmin } from "./create-admin-command.ts";
export type { JobsCommand } from "./jobs-command.ts";
export { runJobs } from "./jobs-command.ts";
export { type MigrateCommand, runMigrate } from "./migrate-command.ts";
export { runPurge } from "./purge-command.ts";
export { runReseal, runSecretsCheck } from "./secrets-command.ts";
export { runUsers, type UsersCommand } from "./users-command.ts";

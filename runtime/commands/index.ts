export { runCreateAdmin } from "./create-admin-command.ts";
export { runMigrate } from "./migrate-command.ts";
export { runPurge } from "./purge-command.ts";

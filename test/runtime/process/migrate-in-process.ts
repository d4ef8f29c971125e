import { runMigrate } from "../../../runtime/process/migrate-command.ts";

/** `npm run migrate` with two migrations; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
await runMigrate(new URL("./migrations/", import.meta.url), root, args);

import { runMigrate } from "../../../runtime/process/migrate-command.ts";
import { grow, initial } from "../database/sample-migrations.ts";

/** `npm run migrate` with two migrations; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
await runMigrate([initial, grow], root, args);

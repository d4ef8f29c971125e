import { runJobs } from "../../../runtime/commands/jobs-command.ts";

/** `npm run jobs`; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
await runJobs(root, args);

import { runPurge } from "../../../runtime/commands/purge-command.ts";

/** `npm run purge`; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
await runPurge(root, args);

import { readCommand } from "#cli/command-line";
import { command } from "#cli/commands/purge";
import { respond } from "#cli/execute-line";

/** `kirak purge`; run by a test as a process of its own. */
const [root = "", ...words] = process.argv.slice(2);
process.exitCode = await respond(await readCommand("kirak purge", command, words), root);

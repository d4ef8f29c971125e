import { readCommand } from "#cli/command-line";
import { command } from "#cli/commands/secrets";
import { respond } from "#cli/execute-line";

/** `kirak secrets` as a process of its own. */
const [root = "", ...words] = process.argv.slice(2);
process.exitCode = await respond(await readCommand("kirak secrets", command, words), root);

import { readCommand } from "#cli/command-line";
import { respond } from "#cli/execute-line";
import { usersCommands } from "#cli/service-commands/users";
import { service } from "../../../http/fixture/generated/index.ts";

/** `kirak users` on the models of the fixture; run by a test as a process of its own. */
const [root = "", ...words] = process.argv.slice(2);
const command = usersCommands(async () => service);
process.exitCode = await respond(await readCommand("kirak users", command, words), root);

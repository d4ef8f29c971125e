import { readCommand } from "#cli/command-line";
import { respond } from "#cli/execute-line";
import { createAdminCommand } from "#cli/service-commands/admin-account";
import { service } from "../../../http/fixture/generated/index.ts";

/** `kirak create-admin` on the models of the fixture; run by a test as a process of its own. */
const [root = "", ...words] = process.argv.slice(2);
const command = createAdminCommand(async () => service);
process.exitCode = await respond(await readCommand("kirak create-admin", command, words), root);

import { readCommand } from "#cli/command-line";
import { respond } from "#cli/execute-line";
import { migrateCommands } from "#cli/service-commands/migrate-commands";
import { service } from "../../../http/fixture/generated/index.ts";

/** `kirak migrate` with two migrations, or those of another folder; run by a test as a process of its own. */
const [root = "", ...words] = process.argv.slice(2);
const folder = process.env["MIGRATIONS"] ?? "migrations";
const migrated = { ...service, usesQueue: false, migrations: new URL(`./${folder}/`, import.meta.url) };
const command = migrateCommands(async () => migrated);
process.exitCode = await respond(await readCommand("kirak migrate", command, words), root);

import { runMigrate } from "../../../runtime/commands/migrate-command.ts";

/** `npm run migrate` with two migrations, or those of another folder; run by a test as a process of its own. */
const [root = "", ...args] = process.argv.slice(2);
const folder = process.env["MIGRATIONS"] ?? "migrations";
await runMigrate({ migrations: new URL(`./${folder}/`, import.meta.url) }, root, args);

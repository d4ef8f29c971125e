/** `npm run seed`: fills the book shop's database with believable rows. Not in production. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import bcrypt from "bcrypt";
import pg from "pg";
import pino from "pino";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import { readConfig } from "#runtime/core/config/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { startEmbedded } from "#runtime/migrations/embedded-postgres/index";
import { migrate } from "#runtime/migrations/runner/index";
import { type Closers, loadEnvironment, supervise } from "#runtime/process/index";
import { developmentPassword } from "./accounts.ts";
import { emptyTables, filledTables, insertTable } from "./insert.ts";
import { knownEmails } from "./people.ts";
import { progress } from "./progress.ts";
import { shop } from "./shop.ts";

const root = process.cwd();
// A hook may read the environment while it is loaded.
loadEnvironment(root);
const { service } = await import("../../generated/index.ts");
const log = pino({ level: "warn" });

const options = await yargs(hideBin(process.argv))
  .scriptName("npm run seed --")
  .usage("$0 [options]\n\nFills the book shop's database with believable rows, the same ones each time.")
  .option("rows", { type: "number", default: 15_000, describe: "about how many rows, over all models" })
  .option("reset", { type: "boolean", default: false, describe: "empty the tables first" })
  .option("force", { type: "boolean", default: false, describe: "run with NODE_ENV=production too" })
  .example("$0", "fill an empty database")
  .example("$0 --reset --rows 200000", "begin again, with more")
  .check(({ rows }) => {
    if (Number.isInteger(rows) && rows >= 100 && rows <= 2_000_000) return true;
    throw new Error("--rows must be a whole number from 100 to 2000000");
  })
  .strict()
  .wrap(100)
  .help()
  .version(false)
  .parseAsync();

async function refuse(closers: Closers, message: string): Promise<never> {
  process.stderr.write(`${message}\n`);
  await closers.run();
  process.exit(1);
}

interface Target {
  readonly url: string;
  /** Password of the accounts. Fixed for the embedded database, else random. */
  readonly password: string;
  readonly bcryptCost: number;
}

/** The configured database, or the embedded one, which `npm start` may be using at the same time. */
async function findTarget(closers: Closers): Promise<Target> {
  const manifestPath = join(root, "models", "manifest.json");
  const config = readConfig({ root, manifestPath, environment: loadEnvironment(root) });
  if (config.production && !options.force) {
    await refuse(closers, "NODE_ENV is production: made-up rows do not belong there; --force overrides this");
  }
  const { bcryptCost } = config.auth;
  if (config.databaseUrl !== null)
    return { url: config.databaseUrl, password: randomBytes(12).toString("base64url"), bcryptCost };
  const embedded = await startEmbedded({ home: join(root, "var", "kirak"), log });
  closers.add(() => embedded.stop());
  return { url: embedded.url, password: developmentPassword, bcryptCost };
}

async function connect(url: string, closers: Closers): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  closers.add(() => client.end());
  return client;
}

await supervise(async (closers) => {
  const { url, password, bcryptCost } = await findTarget(closers);
  await migrate({ url, ...(await serviceMigrations(service.migrations)), log });
  const client = await connect(url, closers);
  const tables = shop(options.rows, await bcrypt.hash(password, bcryptCost));
  const filled = await filledTables(client, tables);
  if (filled.length > 0 && !options.reset) {
    await refuse(closers, `${filled.join(", ")} hold rows already; --reset empties all tables first`);
  }
  const started = performance.now();
  if (filled.length > 0) await emptyTables(client, tables);
  for (const table of tables) {
    await insertTable(client, table, progress(process.stdout, table.name, table.rows.length));
  }
  const total = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${total.toLocaleString("en")} rows in ${tables.length} tables, ${seconds} s\n` +
      `accounts: ${Object.values(knownEmails).join(", ")}; password: ${password}\n`,
  );
});

import { readDatabaseUrl } from "../config/index.ts";
import {
  loadMigrations,
  type Migration,
  type MigrationStatus,
  migrate,
  migrationStatus,
} from "../database/index.ts";
import { type Closers, embedded } from "./launch.ts";
import { createLog } from "./log.ts";
import { loadEnvironment, supervise } from "./run.ts";

const usage =
  "usage: npm run migrate            apply pending migrations\n       npm run migrate -- status  show which are applied\n";

/** `npm run migrate` on the migrations in a folder, as this process. `status` exits 0 also when migrations are pending. */
export async function runMigrate(folder: URL, root: string, args: readonly string[]): Promise<void> {
  const [command = "up", ...rest] = args;
  if (rest.length > 0 || (command !== "up" && command !== "status")) {
    process.stderr.write(usage);
    process.exit(2);
  }
  await supervise(async (closers) => {
    const migrations = await loadMigrations(folder);
    await (command === "up" ? up(migrations, root, closers) : status(migrations, root, closers));
  });
}

async function up(migrations: readonly Migration[], root: string, closers: Closers): Promise<void> {
  const log = createLog("migrate", "info");
  const url = readDatabaseUrl(loadEnvironment(root)) ?? (await embedded(root, log, closers));
  const applied = await migrate({ url, migrations, log });
  if (applied.length === 0) log.info("no migration is pending");
}

async function status(migrations: readonly Migration[], root: string, closers: Closers): Promise<void> {
  const log = createLog("migrate", "warn");
  const url = readDatabaseUrl(loadEnvironment(root)) ?? (await embedded(root, log, closers));
  for (const line of (await migrationStatus({ url, migrations })).map(describe))
    process.stdout.write(`${line}\n`);
}

const notes: Readonly<Record<MigrationStatus["state"], string>> = {
  applied: "",
  pending: "",
  altered: " (the file was changed after it had been applied)",
  unknown: " (not in this code: the database is newer)",
};

function describe({ name, state, appliedAt }: MigrationStatus): string {
  return `${state.padEnd(8)} ${appliedAt?.toISOString() ?? " ".repeat(24)} ${name}${notes[state]}`;
}

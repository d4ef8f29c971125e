import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { readDatabaseUrl, type Variables } from "#runtime/core/config/index";
import { createDatabase } from "#runtime/core/database/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { type MigrationStatus, migrationStatus, verifyDatabase } from "#runtime/migrations/runner/index";
import { type Closers, CommandError, embeddedDatabaseUrl, explain } from "#runtime/process/index";

/** A part that could not be read. */
export interface Unreadable {
  readonly problem: string;
}

/** The state of the database. `null`: not asked, because the part before it is unreadable. */
export interface DatabaseInfo {
  readonly database: { readonly postgresql: string; readonly embedded: boolean } | Unreadable;
  readonly migrations: Migrations | Unreadable | null;
  readonly drift: { readonly differences: number; readonly notes: number } | Unreadable | null;
}

interface Migrations {
  readonly applied: number;
  readonly pending: readonly string[];
  /** Migrations that do not match this code, or are interrupted. */
  readonly others: readonly Pick<MigrationStatus, "name" | "state">[];
}

export interface AskedDatabase {
  readonly root: string;
  readonly environment: Variables;
  /** The folder of the app's migrations; null without one, undefined if the service cannot be loaded. */
  readonly folder: URL | null | undefined;
  readonly log: Logger;
  readonly closers: Closers;
}

/** Connects to the database. Each part that fails has its problem. */
export async function databaseInfo(asked: AskedDatabase): Promise<DatabaseInfo> {
  const { folder, log } = asked;
  const opened = await orProblem(async () => {
    const { url, embedded } = await urlOf(asked);
    return { url, embedded, postgresql: await serverVersion(url, log) };
  });
  if ("problem" in opened) return { database: opened, migrations: null, drift: null };
  const { url, ...database } = opened;
  if (folder === undefined) return { database, migrations: null, drift: null };
  const history = await orProblem(async () => ({ url, ...(await serviceMigrations(folder)) }));
  if ("problem" in history) return { database, migrations: history, drift: null };
  const migrations = await orProblem(async () => migrationsIn(await migrationStatus(history)));
  if ("problem" in migrations || migrations.applied === 0) return { database, migrations, drift: null };
  const drift = await orProblem(async () => {
    const { differences, notes } = await verifyDatabase({ ...history, log });
    return { differences: differences.length, notes: notes.length };
  });
  return { database, migrations, drift };
}

async function orProblem<Result>(read: () => Promise<Result>): Promise<Result | Unreadable> {
  try {
    return await read();
  } catch (error) {
    return { problem: explain(error) };
  }
}

async function urlOf({ root, environment, log, closers }: AskedDatabase) {
  const url = readDatabaseUrl(environment);
  if (url !== null) return { url, embedded: false };
  if (!existsSync(join(root, "var", "kirak", "postgres")))
    throw new CommandError("SERVICE_DATABASE_URL is not set, and the embedded PostgreSQL was never started");
  return { url: await embeddedDatabaseUrl(root, log, closers), embedded: true };
}

async function serverVersion(url: string, log: Logger): Promise<string> {
  const database = createDatabase({ url, log, maxConnections: 1 });
  try {
    const [row] = await database.run({ name: null, text: "select current_setting('server_version')" }, []);
    return String(row?.[0]);
  } finally {
    await database.close();
  }
}

function migrationsIn(statuses: readonly MigrationStatus[]): Migrations {
  const named = (state: MigrationStatus["state"]) => statuses.filter((one) => one.state === state);
  return {
    applied: named("applied").length,
    pending: named("pending").map(({ name }) => name),
    others: statuses
      .filter(({ state }) => state !== "applied" && state !== "pending")
      .map(({ name, state }) => ({ name, state })),
  };
}

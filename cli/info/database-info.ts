import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { readDatabaseUrl, type Variables } from "#runtime/core/config/index";
import { createDatabase } from "#runtime/core/database/index";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { type MigrationStatus, migrationStatus, verifyDatabase } from "#runtime/migrations/runner/index";
import { type Closers, CommandError, embeddedDatabaseUrl, explain } from "#runtime/process/index";

interface AskedDatabase {
  readonly root: string;
  readonly environment: Variables;
  /** The folder of the app's migrations; null without one, undefined if the service cannot be loaded. */
  readonly folder: URL | null | undefined;
  readonly log: Logger;
  readonly closers: Closers;
}

interface DatabaseInfo {
  database: object | null;
  migrations: object | null;
  drift: object | null;
}

/** The state of the database. A part that fails has its problem; null is not asked, because the part before it failed. */
export async function databaseInfo(asked: AskedDatabase): Promise<DatabaseInfo> {
  const { folder, log } = asked;
  const info: DatabaseInfo = { database: null, migrations: null, drift: null };
  let part: keyof DatabaseInfo = "database";
  try {
    const { url, embedded } = await urlOf(asked);
    info.database = { embedded, postgresql: await serverVersion(url, log) };
    if (folder === undefined) return info;
    part = "migrations";
    const history = { url, ...(await serviceMigrations(folder)) };
    const migrations = migrationsIn(await migrationStatus(history));
    info.migrations = migrations;
    if (migrations.applied === 0) return info;
    part = "drift";
    const { differences, notes } = await verifyDatabase({ ...history, log });
    info.drift = { differences: differences.length, notes: notes.length };
  } catch (error) {
    info[part] = { problem: explain(error) };
  }
  return info;
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

function migrationsIn(statuses: readonly MigrationStatus[]) {
  const named = (state: MigrationStatus["state"]) => statuses.filter((one) => one.state === state);
  return {
    applied: named("applied").length,
    pending: named("pending").map(({ name }) => name),
    others: statuses
      .filter(({ state }) => state !== "applied" && state !== "pending")
      .map(({ name, state }) => ({ name, state })),
  };
}

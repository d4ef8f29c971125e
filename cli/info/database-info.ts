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

/** The state of the database. A part that fails has its problem; null is not asked, because the part before it failed. */
export async function databaseInfo({ root, environment, folder, log, closers }: AskedDatabase) {
  const info: Record<"database" | "migrations" | "drift", object | null> = {
    database: null,
    migrations: null,
    drift: null,
  };
  let part: keyof typeof info = "database";
  try {
    const given = readDatabaseUrl(environment);
    if (given === null && !existsSync(join(root, "var", "kirak", "postgres")))
      throw new CommandError(
        "SERVICE_DATABASE_URL is not set, and the embedded PostgreSQL was never started",
      );
    const url = given ?? (await embeddedDatabaseUrl(root, log, closers));
    const database = createDatabase({ url, log, maxConnections: 1 });
    closers.add(() => database.close());
    const [row] = await database.run({ name: null, text: "select current_setting('server_version')" }, []);
    info.database = { embedded: given === null, postgresql: row?.[0] };
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

function migrationsIn(statuses: readonly MigrationStatus[]) {
  const pending = statuses.filter(({ state }) => state === "pending");
  const others = statuses.filter(({ state }) => state !== "applied" && state !== "pending");
  return {
    applied: statuses.length - pending.length - others.length,
    pending: pending.map(({ name }) => name),
    others: others.map(({ name, state }) => `${name} ${state}`),
  };
}

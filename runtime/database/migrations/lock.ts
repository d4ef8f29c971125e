import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { MigrationError } from "./migration-error.ts";
import { sessionSettings } from "./session.ts";
import type { Timing } from "./timing.ts";

/** Advisory locks are numbers that all programs on a database share; the first one spells "kira", the second is ours. */
const space = 0x6b697261;
const migrationLock = 1;

export interface LockOptions {
  readonly url: string;
  readonly timing: Timing;
  readonly log: Logger;
}

export interface MigrationLock {
  /** The connection that holds the lock. What runs on it cannot outlive the lock. */
  readonly client: pg.Client;
  /** Throws when the lock was lost with its connection. */
  assertHeld(): void;
}

/**
 * Runs `work` while no other instance migrates this database. The lock belongs to a connection: however the process
 * ends, it is free again.
 */
export async function withMigrationLock<T>(
  { url, timing, log }: LockOptions,
  work: (lock: MigrationLock) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timing.connectTimeoutMs,
    application_name: "kirak migrations",
    // It may be silent for hours, and networks forget such connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  let lost = false;
  client.on("error", () => {
    lost = true;
  });
  await client.connect();
  try {
    await client.query(sessionSettings(timing.lockTimeoutMs));
    await take(client, timing, log);
    return await work({
      client,
      assertHeld() {
        if (lost)
          throw new MigrationError("the connection that holds the migration lock was lost: start again");
      },
    });
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Asks again and again: a statement that waits for the lock would hold a snapshot, and the instance that has the lock
 * waits for all older snapshots when it makes an index concurrently.
 */
async function take(client: pg.Client, { pollMs }: Timing, log: Logger): Promise<void> {
  for (let asked = 0; ; asked++) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS taken", [
      space,
      migrationLock,
    ]);
    if (rows[0]?.taken === true) return;
    if (asked === 0) log.info("another instance is migrating the database: waiting for it");
    await pause(pollMs);
  }
}

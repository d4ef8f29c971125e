import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { MigrationError } from "../migration-error.ts";
import { endConnection, endsWithin, sessionSettings } from "./session-settings.ts";
import type { Timing } from "./timing.ts";

/** All programs on a database share the numbers of advisory locks. The first number spells "kira". */
const lockNamespace = 0x6b697261;
const migrationLock = 1;

export interface LockOptions {
  readonly url: string;
  readonly timing: Timing;
  readonly log: Logger;
}

export interface MigrationLock {
  /** The connection that holds the lock. Its statements end with the lock. */
  readonly client: pg.Client;
  /** Throws a MigrationError if the lock is no longer held, or PostgreSQL does not respond. */
  requireHeld(): Promise<void>;
  /** Restores the settings of the connection, which custom SQL can have changed. */
  resetSettings(): Promise<void>;
}

const lockRows = `
  select pid from pg_locks where locktype = 'advisory' and granted and classid = ${lockNamespace} and objid = ${migrationLock}
    and objsubid = 2 and database = (select oid from pg_database where datname = current_database())`;
const unlock = `select pg_advisory_unlock(${lockNamespace}, ${migrationLock})`;
const setTokenQuery = "select set_config('kirak.migrating', $1, false)";
const isHeldHere = `exists (select from (${lockRows}) held where pid = pg_backend_pid())`;

/** A pooler can run the next transaction on another server process, while another client gets the lock. */
const poolerMessage =
  "the connection does not keep the migration lock; behind a pooler, set SERVICE_DATABASE_DIRECT_URL to the URL of PostgreSQL itself";

/**
 * Runs `work` while no other instance migrates this database. The lock belongs to a connection, so it is
 * released in any case when the process ends.
 */
export async function withMigrationLock<T>(
  { url, timing, log }: LockOptions,
  work: (lock: MigrationLock) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timing.connectTimeoutMs,
    application_name: "kirak migrations",
    // The connection can be idle for hours, and networks drop idle connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  let lost = false;
  client.on("error", () => {
    lost = true;
  });
  await client.connect();
  try {
    await client.query(sessionSettings(timing));
    const token = await acquire(client, timing, log);
    const requireHeld = () => checkHeld(client, token, timing).catch((cause) => refuse(lost, cause));
    await requireHeld();
    const resetSettings = async () => {
      await client.query(`reset session authorization; reset role; reset all; ${sessionSettings(timing)}`);
      await client.query(setTokenQuery, [token]);
    };
    return await work({ client, requireHeld, resetSettings });
  } finally {
    // Closing a connection to a pooler does not release the lock.
    await endsWithin(timing.answerTimeoutMs, client.query(unlock)).catch(() => {});
    await endConnection(client, timing.answerTimeoutMs);
  }
}

/**
 * Polls for the lock, because a statement that waits for it would hold a snapshot. The instance with the lock
 * waits for all older snapshots when it builds an index concurrently. Returns the token of the session.
 */
async function acquire(client: pg.Client, { pollMs, progressMs }: Timing, log: Logger): Promise<string> {
  // A session can take the lock twice. If it holds it already, another client of the same pooler took it.
  const { rows: sessions } = await client.query<{ held: boolean }>(`select ${isHeldHere} as held`);
  if (sessions[0]?.held === true) throw new MigrationError(poolerMessage);
  for (let loggedAt: number | null = null; ; ) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1, $2) as taken", [
      lockNamespace,
      migrationLock,
    ]);
    if (rows[0]?.taken === true) break;
    if (loggedAt === null || performance.now() - loggedAt >= progressMs) {
      loggedAt = performance.now();
      log.info(`another instance is migrating the database: waiting for it${await describeHolder(client)}`);
    }
    await pause(pollMs);
  }
  const token = randomUUID();
  await client.query(setTokenQuery, [token]);
  return token;
}

/** Describes the connection that holds the lock. */
async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string | null; since: Date | null }>(
    `select pid, application_name as name, backend_start as since from (${lockRows}) held
      left join pg_stat_activity using (pid)`,
  );
  return rows
    .map(
      ({ pid, name, since }) => ` (pid ${pid}, ${name ?? "unknown"}, since ${since?.toISOString() ?? "?"})`,
    )
    .join("");
}

async function checkHeld(client: pg.Client, token: string, { answerTimeoutMs }: Timing): Promise<void> {
  const answer = client.query<{ held: boolean }>(
    `select ${isHeldHere} and current_setting('kirak.migrating', true) = $1 as held`,
    [token],
  );
  if (!(await endsWithin(answerTimeoutMs, answer))) {
    answer.catch(() => {});
    client.connection.stream.destroy();
    throw new Error("no answer");
  }
  const { rows } = await answer;
  if (rows[0]?.held !== true) throw new MigrationError(poolerMessage);
}

function refuse(lost: boolean, cause: unknown): never {
  if (cause instanceof MigrationError && !lost) throw cause;
  throw new MigrationError("the connection that holds the migration lock was lost: migrate again", { cause });
}

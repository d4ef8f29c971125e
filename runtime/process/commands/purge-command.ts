import { join } from "node:path";
import type { Logger } from "pino";
import {
  readDatabaseUrl,
  readLogFormat,
  readStorageSettings,
  type StorageSettings,
} from "../../core/config/index.ts";
import { createDatabase, type Queryable, removeExpiredRows } from "../../core/database/index.ts";
import {
  commandOutput,
  createLog,
  embeddedDatabaseUrl,
  loadEnvironment,
  statementTimeoutMs,
  supervise,
} from "../index.ts";
import { countText } from "./migrate-output.ts";
import { requireTables } from "./require-tables.ts";

/** Rows are unused after `expires_at`; one-time codes count wrong attempts of the hour before. */
const tables = [
  { table: "auth_token_blacklist", keptMinutes: 0 },
  { table: "auth_tokens", keptMinutes: 0 },
  { table: "auth_otp", keptMinutes: 60 },
  { table: "auth_pending_changes", keptMinutes: 0 },
  { table: "kirak_rate_limits", keptMinutes: 0 },
] as const;

const atOnce = 1000;

/** Sessions whose refresh token is gone. */
const endedSessions = {
  name: "kirak_ended_sessions",
  text: `with ended as materialized (
  select id from auth_sessions as session
  where not exists (select from auth_tokens where session_id = session.id) limit $1 for update skip locked
), removed as (delete from auth_sessions where id in (select id from ended) returning id)
select count(*) from removed`,
};

interface Purged {
  readonly table: string;
  readonly removed: number;
}

/** Removes all expired rows; yields the result of each table. */
export async function* purgeExpired(connection: Queryable): AsyncGenerator<Purged> {
  for (const { table, keptMinutes } of tables)
    yield {
      table,
      removed: await inBatches(() => removeExpiredRows(connection, { table, keptMinutes, atOnce })),
    };
  const removed = await inBatches(async () => {
    const [row] = await connection.run(endedSessions, [atOnce]);
    return Number(row?.[0]);
  });
  yield { table: "auth_sessions", removed };
}

/** Repeats until a batch is not full. Returns the sum. */
async function inBatches(remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let step = atOnce; step === atOnce; removed += step) step = await remove();
  return removed;
}

/** Runs `kirak purge` as this process. */
export async function runPurge(root: string): Promise<never> {
  return supervise(async (closers) => {
    const environment = loadEnvironment(root);
    const log = createLog("purge", "info", commandOutput(readLogFormat(environment)));
    const manifestPath = join(root, "models", "manifest.json");
    const storage = readStorageSettings({ root, manifestPath, environment });
    const url = readDatabaseUrl(environment) ?? (await embeddedDatabaseUrl(root, log, closers));
    // A process that is stopped early must exit with a failure.
    process.exitCode = 1;
    const database = createDatabase({ url, maxConnections: 1, statementTimeoutMs, log });
    closers.add(() => database.close());
    await requireTables(database);
    for await (const purged of purgeExpired(database)) report(purged, log);
    if (storage !== null) await purgeFiles(storage, log);
    process.exitCode = 0;
  });
}

function report({ table, removed }: Purged, log: Logger): void {
  log.info({ table, removed }, `${table}: removed ${countText(removed, "expired row")}`);
}

/** Loaded only if the service has storage. */
async function purgeFiles(settings: StorageSettings, log: Logger): Promise<void> {
  const { purgeStorage } = await import("../../modules/storage/index.ts");
  const removed = await purgeStorage(settings, new Date());
  log.info(
    { storage: settings.store.provider, removed },
    `storage: removed ${countText(removed, "leftover")} of uploads`,
  );
}

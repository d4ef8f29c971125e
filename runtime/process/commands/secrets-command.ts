import { join } from "node:path";
import type { Logger } from "pino";
import { type Config, readConfig } from "../../core/config/index.ts";
import { createDatabase, type Database } from "../../core/database/index.ts";
import { previousSecretUse, resealTexts } from "../../modules/auth/index.ts";
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

/** Runs `kirak secrets reseal` as this process. */
export function runReseal(root: string): Promise<never> {
  return withSecrets(root, "secrets reseal", async ({ secrets }, database, log) => {
    let lost = 0;
    for await (const { table, changed, unreadable } of resealTexts(database, secrets)) {
      log.info({ table, changed, unreadable }, `${table}: sealed ${countText(changed, "text")} again`);
      lost += unreadable;
    }
    if (lost > 0) log.warn({ unreadable: lost }, `${countText(lost, "text")} cannot be opened: ${lostHint}`);
    return 0;
  });
}

/** Runs `kirak secrets check` as this process. Exits with 1 if a previous secret is still needed. */
export function runSecretsCheck(root: string): Promise<never> {
  return withSecrets(root, "secrets check", async ({ secrets }, database, log) => {
    const { apiKeys, sealedTexts, unreadable } = await previousSecretUse(database, secrets);
    const keys = countText(apiKeys, "API key");
    log.info({ api_keys: apiKeys }, `${keys} not used since the current secret was set`);
    const texts = `${countText(sealedTexts, "sealed text")} that only a previous key opens`;
    log.info({ sealed_texts: sealedTexts }, sealedTexts > 0 ? `${texts}: run kirak secrets reseal` : texts);
    if (unreadable > 0)
      log.warn({ unreadable }, `${countText(unreadable, "text")} cannot be opened: ${lostHint}`);
    return apiKeys + sealedTexts > 0 ? 1 : 0;
  });
}

const lostHint = "their key is neither the current nor a previous secret (docs/secrets.md)";

/** Runs work on the database with the secrets of the app. Returns its exit code. */
async function withSecrets(
  root: string,
  name: string,
  work: (config: Config, database: Database, log: Logger) => Promise<number>,
): Promise<never> {
  return supervise(async (closers) => {
    // A process that is stopped early must exit with a failure.
    process.exitCode = 1;
    const environment = loadEnvironment(root);
    const config = readConfig({ root, manifestPath: join(root, "models", "manifest.json"), environment });
    const log = createLog(name, "info", commandOutput(config.logFormat));
    const url = config.databaseDirectUrl ?? (await embeddedDatabaseUrl(root, log, closers));
    const database = createDatabase({ url, maxConnections: 1, statementTimeoutMs, log });
    closers.add(() => database.close());
    await requireTables(database);
    process.exitCode = await work(config, database, log);
  });
}

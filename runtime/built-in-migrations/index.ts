import type { Migration } from "../../vocabulary/migration-steps.ts";
import { type CodeMigrations, loadMigrations } from "../migrations/index.ts";
import { accounts } from "./0001-accounts.ts";
import { rateLimits } from "./0002-rate-limits.ts";
import { webAuth } from "./0003-web-auth.ts";

/**
 * The migrations of the service's own tables (contract: "Internal tables"; decisions, part 1), in the order in which releases
 * brought them. One that was released is never changed: databases have its checksum. A new one comes last.
 */
export const builtInMigrations: readonly Migration[] = [accounts, rateLimits, webAuth];

/** All migrations of a service: its own, and the app's in a folder. Throws as `loadMigrations`. */
export async function serviceMigrations(folder: URL, last?: string): Promise<CodeMigrations> {
  return { builtIn: builtInMigrations, migrations: await loadMigrations(folder, last) };
}

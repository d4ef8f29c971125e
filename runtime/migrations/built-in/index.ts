import type { Migration } from "../../../vocabulary/migrations/migration-steps.ts";
import { type CodeMigrations, type LoadModule, loadMigrations } from "../runner/index.ts";
import { accounts } from "./0001-accounts.ts";
import { rateLimits } from "./0002-rate-limits.ts";
import { webAuth } from "./0003-web-auth.ts";
import { accountManagement } from "./0004-account-management.ts";

/**
 * The migrations of the service's own tables, in the order in which releases brought them
 * (docs/migrations.md). A released one never changes: databases hold its checksum. Add new migrations at the
 * end, and name them in CHANGELOG.md.
 */
export const builtInMigrations: readonly Migration[] = [accounts, rateLimits, webAuth, accountManagement];

/** All migrations of a service: its own, and the app's in a folder. Throws as `loadMigrations`. */
export async function serviceMigrations(
  folder: URL | null,
  last?: string,
  load?: LoadModule,
): Promise<CodeMigrations> {
  return { builtIn: builtInMigrations, migrations: await loadMigrations(folder, last, load) };
}

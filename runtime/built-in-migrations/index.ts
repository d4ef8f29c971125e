import type { Migration } from "../../vocabulary/migration-steps.ts";
import { type CodeMigrations, type LoadModule, loadMigrations } from "../migrations/index.ts";
import { accounts } from "./0001-accounts.ts";
import { rateLimits } from "./0002-rate-limits.ts";
import { webAuth } from "./0003-web-auth.ts";

/** A migration of the service's own tables, and the release of kirak that brought it, which is no part of its checksum. */
export interface BuiltInMigration {
  readonly migration: Migration;
  readonly since: string;
}

/**
 * The migrations of the service's own tables (contract: "Internal tables"; decisions, part 1), in the order in which releases
 * brought them. One that was released is never changed: databases have its checksum. A new one comes last, and CHANGELOG.md names it.
 */
export const builtInReleases: readonly BuiltInMigration[] = [
  { migration: accounts, since: "0.1.0" },
  { migration: rateLimits, since: "0.1.0" },
  { migration: webAuth, since: "0.1.0" },
];

/** The same without their releases. */
export const builtInMigrations: readonly Migration[] = builtInReleases.map(({ migration }) => migration);

/** All migrations of a service: its own, and the app's in a folder. Throws as `loadMigrations`. */
export async function serviceMigrations(
  folder: URL | null,
  last?: string,
  load?: LoadModule,
): Promise<CodeMigrations> {
  return { builtIn: builtInMigrations, migrations: await loadMigrations(folder, last, load) };
}

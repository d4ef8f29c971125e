import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInReleases } from "#runtime/built-in-migrations/index";
import { effectOf, type MigrationEffect } from "#runtime/migrations/index";
import { parseChangelog, type Release, releasesAfter } from "./changelog.ts";
import type { RunningPackage } from "./former-version.ts";
import { type GeneratedChanges, generatedChanges } from "./generated-changes.ts";
import { compareVersions } from "./release-version.ts";

/** A migration of the service's own tables that is new to an app. */
export interface NewMigration {
  readonly name: string;
  /** The release that brought it. */
  readonly since: string;
  readonly effect: MigrationEffect;
}

/** What an upgrade changes. */
export interface UpgradeChanges {
  readonly from: string;
  /** What tells that the app had that version. */
  readonly told: string;
  readonly to: string;
  readonly generated: GeneratedChanges;
  /** Newest first. */
  readonly releases: readonly Release[];
  readonly migrations: readonly NewMigration[];
}

/** Looks what an upgrade of an app changes. */
export async function upgradeChanges(
  root: string,
  running: RunningPackage,
  { version: from, told }: { readonly version: string; readonly told: string },
): Promise<UpgradeChanges> {
  const isNewer = from !== running.version;
  const changelog = isNewer ? readFileSync(join(running.folder, "CHANGELOG.md"), "utf8") : "";
  return {
    from,
    told,
    to: running.version,
    generated: await generatedChanges(root),
    releases: releasesAfter(parseChangelog(changelog), from),
    migrations: isNewer ? migrationsAfter(from) : [],
  };
}

/** Migrations of the service's own tables that a version did not have. */
export function migrationsAfter(version: string, all = builtInReleases): NewMigration[] {
  return all
    .filter(({ since }) => compareVersions(since, version) > 0)
    .map(({ migration, since }) => ({ name: migration.name, since, effect: effectOf(migration.up) }));
}

/** Whether there is something to read or to do. */
export function hasNews({ from, to, generated, releases, migrations }: UpgradeChanges): boolean {
  if (from !== to && (releases.length > 0 || migrations.length > 0)) return true;
  return generated.exitCode !== 0;
}

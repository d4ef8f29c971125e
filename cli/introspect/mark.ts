import { markApplied } from "#runtime/migrations/index";
import { createLog } from "#runtime/process/index";
import type { Migration } from "#vocabulary/migration-steps";
import { baselineName } from "#vocabulary/migration-steps";
import { withClient } from "./introspected-database.ts";

/** Notes in a database that it has the baseline, in place of one from an earlier run. */
export async function markBaseline(url: string, baseline: Migration): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass('kirak_migrations') is not null as there",
    );
    if (rows[0]?.there !== true) return;
    await client.query("delete from kirak_migrations where name = $1", [baselineName]);
    await client.query("delete from kirak_migration_checksums where name = $1", [baselineName]);
  });
  // It is near to what is there, and not the same: an enum type is a text, for one.
  await markApplied({ url, migrations: [baseline], unverified: true, log: createLog("introspect", "warn") });
}

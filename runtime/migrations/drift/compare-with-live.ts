import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../../../vocabulary/catalog.ts";
import { ownPrefix } from "../../../vocabulary/internal-tables.ts";
import type { Migration } from "../../../vocabulary/migration-steps.ts";
import type { Timing } from "../apply/timing.ts";
import { readMadeObjects } from "../history/made-objects.ts";
import { compareCatalogs } from "./compare-catalogs.ts";
import type { Comparison } from "./difference.ts";
import { liveTables } from "./live-tables.ts";
import { withoutMade } from "./made-by-own-sql.ts";
import { rebuilt } from "./rebuilt.ts";

/**
 * How the tables of the database differ from those that migrations make when they run once more, in this order, as
 * temporary tables in a transaction that is rolled back. Changes nothing. Kirak's own tables do not count, nor does what
 * migrations of own SQL made beside the others.
 */
export async function compareWithLive(
  client: pg.Client,
  migrations: readonly Migration[],
  timing: Timing,
  log: Logger,
): Promise<Comparison> {
  // Before temporary tables hide those of the same name.
  const live = await liveTables(client, timing, log);
  const made = await readMadeObjects(client);
  const expected = await rebuilt(client, migrations);
  return withoutMade(compareCatalogs(expected, withoutOwn(live, expected)), made, migrations);
}

function withoutOwn(live: readonly CatalogTable[], expected: readonly CatalogTable[]): CatalogTable[] {
  const names = new Set(expected.map(({ name }) => name));
  return live.filter(({ name }) => names.has(name) || !name.startsWith(ownPrefix));
}

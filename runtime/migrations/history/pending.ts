import type { Migration } from "../../../vocabulary/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import { type Applied, requireConsistent } from "./history-table.ts";

export interface Wanted {
  /** In the order in which they build on each other. */
  readonly migrations: readonly Migration[];
  readonly to?: string;
}

/** What is to be applied, up to and with `to`. Throws a MigrationError when the database does not fit the code. */
export function pendingOf({ migrations, to }: Wanted, applied: readonly Applied[]): Migration[] {
  const pending = new Set(requireConsistent(migrations, applied));
  const end = to === undefined ? migrations.length : placeOf(migrations, to) + 1;
  return migrations.slice(0, end).filter(({ name }) => pending.has(name));
}

/** What is to be taken back: the last migration, or all after `to`, the newest first. Throws as `pendingOf`. */
export function toTakeBack({ migrations, to }: Wanted, applied: readonly Applied[]): Migration[] {
  requireConsistent(migrations, applied);
  const done = migrations.slice(0, applied.length);
  if (to !== undefined && placeOf(migrations, to) >= done.length)
    throw new MigrationError(`${to} is not applied to this database`);
  const stay = to === undefined ? Math.max(done.length - 1, 0) : placeOf(done, to) + 1;
  return done.slice(stay).reverse();
}

function placeOf(migrations: readonly Migration[], name: string): number {
  const place = migrations.findIndex((migration) => migration.name === name);
  if (place < 0) throw new MigrationError(`there is no migration ${name} in generated/migrations`);
  return place;
}

import { inRunningOrder, nameFreedFor } from "../../../../vocabulary/migrations/migration-order.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import { type CodeMigrations, isBuiltIn, requireConsistent } from "./compare-history.ts";
import type { Applied } from "./history-tables.ts";

export interface MigrationRange extends CodeMigrations {
  readonly to?: string;
}

/**
 * Returns the migrations to apply, up to `to`. Throws a MigrationError if the database does not match the
 * code.
 */
export function pendingOf(
  { builtIn = [], migrations, to }: MigrationRange,
  applied: readonly Applied[],
): Migration[] {
  requireConsistent({ builtIn, migrations }, applied);
  return notApplied(upTo(inRunningOrder(builtIn, migrations), to), applied);
}

/** The migrations to mark as applied: the app's up to `to`, or the service's. Throws like `pendingOf`. */
export function migrationsToMark(
  { builtIn = [], migrations, to }: MigrationRange,
  applied: readonly Applied[],
): Migration[] {
  requireConsistent({ builtIn, migrations }, applied);
  return notApplied(upTo(to !== undefined && isBuiltIn(to) ? builtIn : migrations, to), applied);
}

/** Returns the migrations to revert, newest first: first a partly applied one. Throws like `pendingOf`. */
export function migrationsToRevert(
  { builtIn = [], migrations, to }: MigrationRange,
  applied: readonly Applied[],
  begun: readonly Migration[],
): Migration[] {
  requireConsistent({ builtIn, migrations }, applied);
  if (to !== undefined && isBuiltIn(to))
    throw new MigrationError(`${to} is a migration of the service itself, which cannot be reverted`);
  const done = findInCode({ migrations }, applied);
  if (to !== undefined && upTo(migrations, to).length > done.length)
    throw new MigrationError(`${to} is not applied to this database`);
  const last = begun.length > 0 ? done.length : Math.max(done.length - 1, 0);
  const stay = to === undefined ? last : upTo(done, to).length;
  const reverted = [...begun, ...done.slice(stay).reverse()];
  requireNamesFree(reverted, findInCode({ migrations: builtIn }, applied));
  return reverted;
}

/** The code's migrations with the given names, in an order in which a new database could apply them. */
export function findInCode(
  { builtIn = [], migrations }: CodeMigrations,
  some: readonly { readonly name: string }[],
): Migration[] {
  const names = new Set(some.map(({ name }) => name));
  return inRunningOrder(builtIn, migrations).filter(({ name }) => names.has(name));
}

function notApplied(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !known.has(name));
}

/** A migration cannot be reverted if a table of the service has the name that it freed. */
function requireNamesFree(reverted: readonly Migration[], builtIn: readonly Migration[]): void {
  for (const migration of reverted)
    for (const other of builtIn) {
      const name = nameFreedFor(migration, other);
      if (name !== null)
        throw new MigrationError(
          `${migration.name} cannot be reverted: it freed the name ${name}, which the service uses since ${other.name}`,
        );
    }
}

function upTo(migrations: readonly Migration[], last: string | undefined): readonly Migration[] {
  if (last === undefined) return migrations;
  const index = migrations.findIndex(({ name }) => name === last);
  const where = isBuiltIn(last) ? "this version of kirak" : "generated/migrations";
  if (index < 0) throw new MigrationError(`${where} has no migration ${last}`);
  return migrations.slice(0, index + 1);
}

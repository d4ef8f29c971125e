import { inRunningOrder, nameFreedFor } from "../../../../vocabulary/migrations/migration-order.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import { type CodeMigrations, isBuiltIn, requireConsistent } from "./compare-history.ts";
import type { Applied } from "./history-table.ts";

export interface Wanted extends CodeMigrations {
  readonly to?: string;
}

/** What is to be applied, up to and with `to`. Throws a MigrationError when the database does not fit the code. */
export function pendingOf(
  { builtIn = [], migrations, to }: Wanted,
  applied: readonly Applied[],
): Migration[] {
  requireConsistent({ builtIn, migrations }, applied);
  return missing(upTo(inRunningOrder(builtIn, migrations), to), applied);
}

/** Returns the migrations to record: the app's up to `to`, or the built-in ones. Throws like `pendingOf`. */
export function toNote({ builtIn = [], migrations, to }: Wanted, applied: readonly Applied[]): Migration[] {
  requireConsistent({ builtIn, migrations }, applied);
  return missing(upTo(to !== undefined && isBuiltIn(to) ? builtIn : migrations, to), applied);
}

/**
 * What is to be taken back: the app's last migration, or all after `to`, the newest first. One that is half-way is the last.
 * Throws as `pendingOf`.
 */
export function toTakeBack(
  { builtIn = [], migrations, to }: Wanted,
  applied: readonly Applied[],
  begun: readonly Migration[],
): Migration[] {
  requireConsistent({ builtIn, migrations }, applied);
  if (to !== undefined && isBuiltIn(to))
    throw new MigrationError(`${to} is one of the service itself, which are not taken back`);
  const done = inCode({ migrations }, applied);
  if (to !== undefined && upTo(migrations, to).length > done.length)
    throw new MigrationError(`${to} is not applied to this database`);
  const last = begun.length > 0 ? done.length : Math.max(done.length - 1, 0);
  const stay = to === undefined ? last : upTo(done, to).length;
  const gone = [...begun, ...done.slice(stay).reverse()];
  requireFree(gone, inCode({ migrations: builtIn }, applied));
  return gone;
}

/** What the code has of some migrations, in an order in which a new database could have them. */
export function inCode(
  { builtIn = [], migrations }: CodeMigrations,
  some: readonly { readonly name: string }[],
): Migration[] {
  const names = new Set(some.map(({ name }) => name));
  return inRunningOrder(builtIn, migrations).filter(({ name }) => names.has(name));
}

function missing(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !known.has(name));
}

/** What freed a name for a table of the service's own cannot have it back. */
function requireFree(gone: readonly Migration[], builtIn: readonly Migration[]): void {
  for (const migration of gone)
    for (const own of builtIn) {
      const name = nameFreedFor(migration, own);
      if (name !== null)
        throw new MigrationError(
          `${migration.name} cannot be taken back: it gave up ${name}, which belongs to the service since ${own.name}`,
        );
    }
}

function upTo(migrations: readonly Migration[], last: string | undefined): readonly Migration[] {
  if (last === undefined) return migrations;
  const place = migrations.findIndex(({ name }) => name === last);
  const where = isBuiltIn(last) ? "this version of kirak" : "generated/migrations";
  if (place < 0) throw new MigrationError(`there is no migration ${last} in ${where}`);
  return migrations.slice(0, place + 1);
}

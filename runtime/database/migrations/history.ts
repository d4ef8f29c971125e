import type pg from "pg";
import { checksumOf } from "./checksum.ts";
import { MigrationError } from "./migration-error.ts";
import type { Migration } from "./operations.ts";

/** knex's own table of the migrations that were applied. */
export const historyTable = "kirak_migrations";
export const checksumTable = "kirak_migration_checksums";

/** A migration that the database knows. */
export interface Applied {
  readonly name: string;
  readonly appliedAt: Date;
  /** Null when somebody removed it. */
  readonly checksum: string | null;
}

export interface MigrationStatus {
  readonly name: string;
  /** `unknown`: the database has it and the code does not. `unfinished`: something is prepared for it, see `unfinished.ts`. */
  readonly state: "applied" | "pending" | "altered" | "unknown" | "unfinished";
  readonly appliedAt: Date | null;
}

/** What was applied, in that order. Changes nothing, also in a database that was never migrated. */
export async function readHistory(client: pg.Client): Promise<Applied[]> {
  if (!(await tableExists(client, historyTable))) return [];
  const hasChecksums = await tableExists(client, checksumTable);
  const checksum = hasChecksums ? `(SELECT checksum FROM ${checksumTable} c WHERE c.name = h.name)` : "NULL";
  const { rows } = await client.query<Applied>(
    `SELECT h.name, h.migration_time AS "appliedAt", ${checksum} AS checksum FROM ${historyTable} h ORDER BY h.id`,
  );
  return rows;
}

/** Whether the search path has a table of this name. */
export async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [
    table,
  ]);
  return rows[0]?.found === true;
}

/** Compares the code's migrations with those of the database: first all of the code, then what only the database has. */
export function compareHistory(
  migrations: readonly Migration[],
  applied: readonly Applied[],
): MigrationStatus[] {
  const byName = new Map(applied.map((entry) => [entry.name, entry]));
  const known = new Set(migrations.map((migration) => migration.name));
  return [
    ...migrations.map((migration) => statusOf(migration, byName.get(migration.name))),
    ...applied
      .filter((entry) => !known.has(entry.name))
      .map(({ name, appliedAt }) => ({ name, state: "unknown" as const, appliedAt })),
  ];
}

function statusOf(migration: Migration, entry: Applied | undefined): MigrationStatus {
  const { name } = migration;
  if (entry === undefined) return { name, state: "pending", appliedAt: null };
  const { appliedAt } = entry;
  return { name, state: entry.checksum === checksumOf(migration) ? "applied" : "altered", appliedAt };
}

/** The names that are still to be applied. Throws a MigrationError when the database does not fit the code. */
export function requireConsistent(migrations: readonly Migration[], applied: readonly Applied[]): string[] {
  requireChain(migrations);
  const statuses = compareHistory(migrations, applied);
  const names = (state: MigrationStatus["state"]) =>
    statuses.filter((status) => status.state === state).map((status) => status.name);
  const unknown = names("unknown");
  if (unknown.length > 0)
    throw new MigrationError(
      `the database is newer than this code: ${unknown.join(", ")} was applied to it and is not in generated/migrations; ` +
        "deploy the code that has it",
    );
  const altered = names("altered");
  if (altered.length > 0)
    throw new MigrationError(
      `${altered.join(", ")} was altered after it had been applied to this database; ` +
        "restore the file, and make the change in a migration of its own",
    );
  const pending = names("pending");
  const late = pending.find((_, index) => statuses[applied.length + index]?.state !== "pending");
  if (late !== undefined)
    throw new MigrationError(`${late} is not applied to this database, but a later migration is`);
  return pending;
}

/** Each migration builds on the one before it. */
function requireChain(migrations: readonly Migration[]): void {
  let parent: string | null = null;
  for (const migration of migrations) {
    if (migration.parent !== parent)
      throw new MigrationError(
        `${migration.name} builds on ${migration.parent ?? "nothing"}, but follows ${parent ?? "nothing"}: run npm run generate`,
      );
    parent = migration.name;
  }
}

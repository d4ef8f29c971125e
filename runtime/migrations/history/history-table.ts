import type pg from "pg";
import type { Migration } from "../../../vocabulary/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import { checksumOf } from "./migration-checksum.ts";

/** The migrations that were applied. */
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
  /** `unchecked`: its checksum is gone. `unknown`: the database has it and the code does not. `unfinished`: something is prepared for it, see `unfinished.ts`. */
  readonly state: "applied" | "pending" | "altered" | "unchecked" | "unknown" | "unfinished";
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

/** What was applied, in that order. Throws a MigrationError when the database does not fit the code. */
export async function readFitting(client: pg.Client, migrations: readonly Migration[]): Promise<Applied[]> {
  const applied = await readHistory(client);
  requireConsistent(migrations, applied);
  if (!(await tableExists(client, checksumTable))) return applied;
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${checksumTable} WHERE name <> ALL ($1) ORDER BY name`,
    [applied.map(({ name }) => name)],
  );
  const names = rows.map(({ name }) => name).join(", ");
  if (rows.length > 0)
    throw new MigrationError(
      `${names} has a row in ${checksumTable} and none in ${historyTable}: somebody deleted that one; ` +
        "put it back where the tables have the changes, else delete the other too",
    );
  return applied;
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
  const { appliedAt, checksum } = entry;
  if (checksum === null) return { name, state: "unchecked", appliedAt };
  return { name, state: checksum === checksumOf(migration) ? "applied" : "altered", appliedAt };
}

/** The names that are still to be applied. Throws a MigrationError when the database does not fit the code. */
export function requireConsistent(migrations: readonly Migration[], applied: readonly Applied[]): string[] {
  requireChain(migrations);
  const statuses = compareHistory(migrations, applied);
  const names = (state: string) =>
    statuses.filter((status) => status.state === state).map((status) => status.name);
  for (const [state, why] of Object.entries(refused)) {
    const found = names(state);
    if (found.length > 0) throw new MigrationError(why(found.join(", ")));
  }
  requireOrder(migrations, applied);
  return names("pending");
}

/** Why nothing can be done where some migrations stand so. */
const refused: Readonly<Record<"unknown" | "altered" | "unchecked", (names: string) => string>> = {
  unknown: (names) =>
    `the database is newer than this code: ${names} (applied to it, and missing in generated/migrations); deploy the code ` +
    "that has them, or take them back with that code (npm run migrate -- down); a development database may be deleted as well",
  altered: (names) =>
    `${names} was altered after it had been applied to this database; ` +
    "restore the file, and make the change in a migration of its own",
  unchecked: (names) =>
    `${names} was applied to this database, but its row in ${checksumTable} is gone, so that nobody can tell whether it was ` +
    "altered since; restore the row from a backup",
};

/** What was applied is the beginning of the chain, in its order: the checksums do not tell what a migration builds on. */
function requireOrder(migrations: readonly Migration[], applied: readonly Applied[]): void {
  const place = applied.findIndex(({ name }, index) => migrations[index]?.name !== name);
  const [wanted, found] = [migrations[place]?.name, applied[place]?.name];
  if (wanted === undefined || found === undefined) return;
  if (!applied.some(({ name }) => name === wanted))
    throw new MigrationError(`${wanted} is not applied to this database, but a later migration is`);
  throw new MigrationError(
    `${found} was applied to this database before ${wanted}, which comes first in this code: somebody changed what they ` +
      "build on; restore the files",
  );
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

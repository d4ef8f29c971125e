import type pg from "pg";
import { internalPrefix } from "../../../../vocabulary/migrations/internal-tables.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import { type Applied, checksumTable, historyTable, readHistory, tableExists } from "./history-table.ts";
import { checksumOf } from "./migration-checksum.ts";

/** The migrations that the code has, each list in the order in which they build on each other. */
export interface CodeMigrations {
  /** Those of the service itself; default none. Their names begin with `kirak_`, which no file of the app's does. */
  readonly builtIn?: readonly Migration[];
  /** The app's. */
  readonly migrations: readonly Migration[];
}

export interface MigrationStatus {
  readonly name: string;
  /** `unchecked`: its checksum is gone. `unknown`: the database has it and the code does not. `unfinished`: something is prepared for it, see `unfinished.ts`. `begun`: own SQL of which a part is done. */
  readonly state: "applied" | "pending" | "altered" | "unchecked" | "unknown" | "unfinished" | "begun";
  readonly appliedAt: Date | null;
  /** How far one is that was begun. */
  readonly progress?: string;
}

/** Whether a migration is one of the service itself. */
export function isBuiltIn(name: string): boolean {
  return name.startsWith(internalPrefix);
}

/** What was applied, in that order. Throws a MigrationError when the database does not fit the code. */
export async function readFitting(client: pg.Client, code: CodeMigrations): Promise<Applied[]> {
  const applied = await readHistory(client);
  requireConsistent(code, applied);
  if (!(await tableExists(client, checksumTable))) return applied;
  const { rows } = await client.query<{ name: string }>(
    `select name from ${checksumTable} where name <> all ($1) order by name`,
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

/** Compares the code's migrations with those of the database: the service's own, then the app's, each with what only the database has. */
export function compareHistory(code: CodeMigrations, applied: readonly Applied[]): MigrationStatus[] {
  return chainsOf(code, applied).flatMap((chain) => statusesOf(chain));
}

/** Migrations that build on each other, and those of them that the database has. */
interface Chain {
  readonly migrations: readonly Migration[];
  readonly applied: readonly Applied[];
  readonly refused: Readonly<Record<"unknown" | "altered" | "unchecked", (names: string) => string>>;
}

/** Of the two no order is known: a release may bring tables at any time. */
function chainsOf({ builtIn = [], migrations }: CodeMigrations, applied: readonly Applied[]): Chain[] {
  const [own, others] = [true, false].map((wanted) =>
    applied.filter(({ name }) => isBuiltIn(name) === wanted),
  );
  return [
    { migrations: builtIn, applied: own ?? [], refused: builtInRefused },
    { migrations, applied: others ?? [], refused },
  ];
}

function statusesOf({ migrations, applied }: Chain): MigrationStatus[] {
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

/** Throws a MigrationError when the database does not fit the code. */
export function requireConsistent(code: CodeMigrations, applied: readonly Applied[]): void {
  for (const chain of chainsOf(code, applied)) {
    requireChain(chain.migrations);
    const statuses = statusesOf(chain);
    for (const [state, why] of Object.entries(chain.refused)) {
      const names = statuses.filter((status) => status.state === state).map(({ name }) => name);
      if (names.length > 0) throw new MigrationError(why(names.join(", ")));
    }
    requireOrder(chain);
  }
}

/** Why nothing can be done where some migrations stand so. */
const refused: Chain["refused"] = {
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

const builtInRefused: Chain["refused"] = {
  ...refused,
  unknown: (names) =>
    `the database is newer than this code: ${names} came with a later version of kirak; deploy the code that uses that version`,
  altered: (names) =>
    `${names} was applied to this database by a version of kirak that has it otherwise; ` +
    "use that version, and leave the files in runtime/migrations/built-in as they were",
};

/** What was applied is the beginning of the chain, in its order: the checksums do not tell what a migration builds on. */
function requireOrder({ migrations, applied }: Chain): void {
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

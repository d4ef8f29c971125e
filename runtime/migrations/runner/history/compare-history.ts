import type pg from "pg";
import { internalPrefix } from "../../../../vocabulary/migrations/internal-tables.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import { type Applied, checksumTable, historyTable, readHistory, tableExists } from "./history-tables.ts";
import { checksumOf } from "./migration-checksum.ts";

/** The migrations of the code. In each list, parents come first. */
export interface CodeMigrations {
  /** Those of the service itself; default none. Their names begin with `kirak_`, which the app's cannot. */
  readonly builtIn?: readonly Migration[];
  /** The app's. */
  readonly migrations: readonly Migration[];
}

export interface MigrationStatus {
  readonly name: string;
  /**
   * `unchecked`: its checksum is missing. `unknown`: the code does not have it. `unfinished`: it has a
   * preparation, see `unfinished.ts`. `begun`: custom SQL that is partly applied.
   */
  readonly state: "applied" | "pending" | "altered" | "unchecked" | "unknown" | "unfinished" | "begun";
  readonly appliedAt: Date | null;
  /** Only for the state `begun`. */
  readonly progress?: string;
}

/** Whether a migration belongs to the service itself. */
export function isBuiltIn(name: string): boolean {
  return name.startsWith(internalPrefix);
}

/** The applied migrations in order. Throws a MigrationError if the database does not match the code. */
export async function readConsistentHistory(client: pg.Client, code: CodeMigrations): Promise<Applied[]> {
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
      `${names} has a row in ${checksumTable} but none in ${historyTable}, where it was deleted; ` +
        `if the tables have its changes, restore that row; otherwise delete its row in ${checksumTable}`,
    );
  return applied;
}

/** The status of each migration of the code and the database: the service's first, then the app's. */
export function compareHistory(code: CodeMigrations, applied: readonly Applied[]): MigrationStatus[] {
  return chainsOf(code, applied).flatMap((chain) => statusesOf(chain));
}

/** Migrations that build on each other, and the applied ones. */
interface Chain {
  readonly migrations: readonly Migration[];
  readonly applied: readonly Applied[];
  readonly refused: Readonly<Record<"unknown" | "altered" | "unchecked", (names: string) => string>>;
}

/** Two independent chains, because any release can add migrations of the service. */
function chainsOf({ builtIn = [], migrations }: CodeMigrations, applied: readonly Applied[]): Chain[] {
  const [ofService, ofApp] = [true, false].map((wanted) =>
    applied.filter(({ name }) => isBuiltIn(name) === wanted),
  );
  return [
    { migrations: builtIn, applied: ofService ?? [], refused: builtInRefusals },
    { migrations, applied: ofApp ?? [], refused: appRefusals },
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

/** Throws a MigrationError if the database does not match the code. */
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

/** Messages for states in which nothing can be applied or reverted. */
const appRefusals: Chain["refused"] = {
  unknown: (names) =>
    `the database is newer than this code: ${names} (applied, but missing in generated/migrations); deploy the code ` +
    "that has them, or revert them with that code (npm run migrate -- down); a development database can also be deleted",
  altered: (names) =>
    `${names} was changed after it was applied to this database; ` +
    "restore the file, and make the change in a new migration",
  unchecked: (names) =>
    `${names} was applied to this database, but its row in ${checksumTable} is missing, so changes of the file cannot be ` +
    "detected; restore the row from a backup",
};

const builtInRefusals: Chain["refused"] = {
  ...appRefusals,
  unknown: (names) =>
    `the database is newer than this code: ${names} is from a later version of kirak; deploy the code that uses that version`,
  altered: (names) =>
    `${names} was applied to this database by a version of kirak that has another text for it; ` +
    "use that version, and do not change the files in runtime/migrations/built-in",
};

/** Applied migrations must be the beginning of the chain, in order. Checksums do not cover the parent. */
function requireOrder({ migrations, applied }: Chain): void {
  const position = applied.findIndex(({ name }, index) => migrations[index]?.name !== name);
  const [wanted, found] = [migrations[position]?.name, applied[position]?.name];
  if (wanted === undefined || found === undefined) return;
  if (!applied.some(({ name }) => name === wanted))
    throw new MigrationError(`${wanted} is not applied to this database, but a later migration is`);
  throw new MigrationError(
    `${found} was applied to this database before ${wanted}, which comes first in this code: the order in the files was ` +
      "changed; restore the files",
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

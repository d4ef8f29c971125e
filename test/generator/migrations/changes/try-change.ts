import pg from "pg";
import { expect } from "vitest";
import type { ServiceDefinition } from "#generator/definition/definition";
import { type MigrationPlan, planMigration, unaccepted } from "#generator/migrations/plan";
import { refusals } from "#generator/migrations/plan-changes";
import { renameCandidates } from "#generator/migrations/rename-candidates";
import { withUsers } from "#generator/migrations/schema-file";
import { readDefinition } from "#generator/pipeline/generate";
import { builtInMigrations } from "#runtime/migrations/built-in/index";
import { migrate, migrateDown } from "#runtime/migrations/runner/index";
import type { Migration, Step } from "#vocabulary/migrations/migration-steps";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";
import { inTrial, withoutDemand } from "../../support/catalogs.ts";
import { project } from "../../support/project.ts";

/** A statement, and its rows or its error message. Its writes are rolled back. */
export type Check = readonly [statement: string, outcome: readonly object[] | RegExp];

/** One kind of change, from models to models, on tables with rows. */
export interface ChangeCase {
  readonly title: string;
  readonly before: object;
  /** Statements that fill the tables of the first models; empty for tables without rows. */
  readonly rows: string;
  readonly after: object;
  /** Whether the migration uses a value that it adds to an enum type. In the one transaction of the comparison, it cannot. */
  readonly usesNewValues?: true;
  /** The ids of all destructive steps. */
  readonly accepted?: readonly string[];
  /** Rows and constraints once the migration has run. */
  readonly up: readonly Check[];
  readonly down: readonly Check[];
  /** After it has run again, where that differs from the first time: what was dropped is gone for good. */
  readonly again?: readonly Check[];
}

/** Migrates up, down and up again, with the real generator, the real runner and a database. */
export async function tryChange(change: Omit<ChangeCase, "title">): Promise<void> {
  const { before, after, rows, accepted = [], up, down, again = up } = change;
  const [old, now] = [await definitionOf(before), await definitionOf(after)];
  const first = planMigration(old, nothing, []);
  expect(refusals(first.after.tables, now)).toEqual([]);
  const second = planMigration(now, first.after, first.history);
  expect(renameCandidates(second, accepted)).toEqual([]);
  expect(unaccepted(second, []).map(({ id }) => id)).toEqual(accepted);
  const [initial, next] = [migrationOf(first), migrationOf(second)];
  const database = await testDatabase([], builtInMigrations);
  const code = { builtIn: builtInMigrations, migrations: [initial, next] };
  const both = { url: database.url, ...code, log: silent };

  await migrate({ ...both, migrations: [initial] });
  if (rows !== "") await database.query(rows);
  await migrate(both);
  await checkAll(database, up, "up");
  await migrateDown({ ...both, acceptDataLoss: true });
  await checkAll(database, down, "down");
  await migrate(both);
  await checkAll(database, again, "up again");
  if (change.usesNewValues !== true)
    await checkCatalogs(database.url, initial.up, next, planMigration(now, nothing, []));
}

/** A change that existing rows can block. */
export interface FailingCase extends Pick<ChangeCase, "before" | "rows" | "after"> {
  readonly message: RegExp;
  /** What is there after it. */
  readonly left: readonly Check[];
}

/** Migrates tables with rows on which the migration fails: nothing of it is applied. */
export async function tryFailing({ before, rows, after, message, left }: FailingCase): Promise<void> {
  const first = planMigration(await definitionOf(before), nothing, []);
  const second = planMigration(await definitionOf(after), first.after, first.history);
  const database = await testDatabase([], builtInMigrations);
  const both = { url: database.url, builtIn: builtInMigrations, log: silent };
  const migrations = [migrationOf(first), migrationOf(second)];
  await migrate({ ...both, migrations: migrations.slice(0, 1) });
  await database.query(rows);
  await expect(migrate({ ...both, migrations })).rejects.toThrow(message);
  await checkAll(database, left, "after the failure");
}

/** The service's own tables exist before the first migration of an app. */
export const nothing = { migration: null, tables: withUsers([]) };
const own = builtInMigrations.flatMap(({ up }) => up);

export async function definitionOf(models: object): Promise<ServiceDefinition> {
  const { root } = project(models);
  const places = { models: "models/models.json", manifest: "models/manifest.json" };
  const { definition, diagnostics } = await readDefinition({ root, ...places });
  if (definition === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

export function migrationOf({ migration }: MigrationPlan): Migration {
  if (migration === null) throw new Error("nothing changes");
  const { name, parent, changes, down } = migration;
  return { name, parent, up: changes.map(({ step }) => step), down };
}

async function checkAll({ query }: TestDatabase, checks: readonly Check[], when: string): Promise<void> {
  for (const [statement, outcome] of checks) {
    await query("BEGIN");
    try {
      const answer = await query(statement).catch((error: Error) => error.message);
      const expected = outcome instanceof RegExp ? expect.stringMatching(outcome) : outcome;
      expect(answer, `${when}: ${statement}`).toEqual(expected);
    } finally {
      await query("ROLLBACK");
    }
  }
}

/** The tables equal those of a fresh database, up and down; and no step can be left out. */
async function checkCatalogs(
  url: string,
  initial: readonly Step[],
  { up, down }: Migration,
  fresh: MigrationPlan,
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // What the service itself has is made once: it takes longer than all that follows.
    await inTrial(client, own, async ({ after, apart }) => {
      const built = await apart(() => after(migrationOf(fresh).up));
      const was = await after(initial);
      const [is, back] = await apart(async () => [await after(up), await after(down)]);
      expect(is).toEqual(built);
      expect(back?.map(withoutDemand)).toEqual(was.map(withoutDemand));
      for (const step of up.filter((it) => !goesAlong(it, up))) {
        const rest = up.filter((other) => other !== step);
        const without = await apart(() => after(rest)).catch(() => null);
        expect(without, `without ${step.step}`).not.toEqual(built);
      }
    });
  } finally {
    await client.end();
  }
}

/** Indexes and constraints go with their columns; the step is for readers, and for dependent objects. */
function goesAlong({ step }: Step, up: readonly Step[]): boolean {
  const part = step === "drop_index" || step === "drop_foreign_key" || step === "drop_check";
  return part && up.some((other) => ["drop_column", "drop_table", "set_id_type"].includes(other.step));
}

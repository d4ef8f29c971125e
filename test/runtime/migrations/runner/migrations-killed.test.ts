import { beforeAll, describe, expect, test } from "vitest";
import { migrate, migrateDown, migrationStatus } from "#runtime/migrations/runner/index";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { CatalogTable } from "#vocabulary/migrations/catalog";
import type { TestDatabase } from "../../../support/database.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { release, startMigrating, stopAt, untilStopped, untilWaiting } from "./migrating-process.ts";
import { base, catalogOf, connect, everything, lines, second, shelf, uniqueIsbn } from "./shelf.ts";

const migrations = [base, everything];

let [before, whole]: CatalogTable[][] = [];
beforeAll(async () => {
  const { url, query } = await shelf();
  before = await catalogOf(url);
  await query(everything.up.map(stepToSql).join(";\n"));
  whole = await catalogOf(url);
});

interface Moment {
  /** Stops a migration at the moment, and returns a function that lets it go on. */
  stop(database: TestDatabase): Promise<() => Promise<unknown>>;
  /** Waits until it stands there. */
  reached(database: TestDatabase): Promise<void>;
}

function atStatement(tag: string, condition?: string): Moment {
  return {
    async stop(database) {
      await stopAt(database, tag, condition);
      return () => release(database);
    },
    reached: untilStopped,
  };
}

/** An index that is made concurrently waits in the end for all snapshots that are older. */
const whileMaking: Moment = {
  async stop({ url }) {
    const old = await connect(url);
    await old.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
    return () => old.query("ROLLBACK");
  },
  reached: (database) => untilWaiting(database, "locktype = 'virtualxid'"),
};

const moments: [string, Moment, boolean][] = [
  ["while it prepares", atStatement("ALTER TABLE"), false],
  ["before an index is made", atStatement("CREATE INDEX"), true],
  ["while an index is made", whileMaking, true],
  ["in the transaction that comes last", atStatement("ALTER INDEX"), true],
];

describe.each(moments)("a process that is killed %s", (_, moment, isPrepared) => {
  async function killed(): Promise<TestDatabase> {
    const database = await shelf();
    const goOn = await moment.stop(database);
    const process = startMigrating(database.url, migrations);
    await moment.reached(database);
    await process.kill();
    await goOn();
    return database;
  }

  test("the next start gives the whole schema", async () => {
    const { url, query } = await killed();
    const { log, matching } = lines();
    expect(await migrate({ url, migrations, log })).toEqual(["0002_second"]);
    expect(await catalogOf(url)).toEqual(whole);
    expect(matching(/^0002_second was interrupted: removing/)).toHaveLength(isPrepared ? 1 : 0);
    expect(await query("SELECT name FROM kirak_migrations ORDER BY id")).toHaveLength(2);
  });

  test("the start of code that does not have the migration gives the schema of before", async () => {
    const { url } = await killed();
    const status = await migrationStatus({ url, migrations: [base] });
    expect(status.filter(({ state }) => state === "unfinished")).toHaveLength(isPrepared ? 1 : 0);
    expect(await migrate({ url, migrations: [base], log })).toEqual([]);
    expect(await catalogOf(url)).toEqual(before);
    expect(await migrationStatus({ url, migrations: [base] })).toHaveLength(1);
  });
});

test("an interrupted migration is undone before down reverts others", async () => {
  const database = await shelf();
  const goOn = await whileMaking.stop(database);
  const process = startMigrating(database.url, migrations);
  await whileMaking.reached(database);
  await process.kill();
  await goOn();
  await migrateDown({ url: database.url, migrations, log, acceptDataLoss: true });
  expect(await catalogOf(database.url)).toEqual([]);
});

test("three processes at once on an index, one of them killed, give one complete schema", async () => {
  const database = await shelf();
  const goOn = await whileMaking.stop(database);
  const first = startMigrating(database.url, migrations);
  await whileMaking.reached(database);
  const others = [startMigrating(database.url, migrations), startMigrating(database.url, migrations)];
  await Promise.all(others.map((other) => other.logs(/^another instance is migrating/)));
  await first.kill();
  // The next run creates the index again while the last one waits for it.
  await Promise.any(others.map((other) => other.logs(/^0002_second was interrupted/)));
  await whileMaking.reached(database);
  await goOn();
  expect(await Promise.all(others.map((other) => other.ends()))).toEqual([0, 0]);
  expect(await catalogOf(database.url)).toEqual(whole);
}, 40_000);

/** Writes the state that a killed process would have left. */
async function noteUnfinished(query: TestDatabase["query"], name: string, undo: string): Promise<void> {
  await query(
    "CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL)",
  );
  await query("INSERT INTO kirak_migration_progress VALUES ($1, $2, 'its')", [name, undo]);
}

test("nothing is applied while an interrupted migration cannot be undone", async () => {
  const { url, query } = await shelf();
  const noted = JSON.stringify([{ drop: "column", table: "books", name: "isbn" }]);
  await noteUnfinished(query, "0009_gone", noted);
  const reader = await connect(url);
  await reader.query("BEGIN; SELECT FROM books");
  const timing = { lockTimeoutMs: 20, attempts: 2, retryDelayMs: 1 };
  await expect(migrate({ url, migrations, log, timing })).rejects.toThrow(
    "the preparation of 0009_gone cannot be removed: canceling statement due to lock timeout",
  );
  expect(await catalogOf(url)).toEqual(before);
  await reader.query("COMMIT");
  await migrate({ url, migrations: [base], log });
  expect((await catalogOf(url))[1]?.columns.map(({ name }) => name)).not.toContain("isbn");
});

describe("a lost connection", () => {
  const lose =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kirak migrations' AND datname = current_database()";

  test("while it prepares: status shows no unfinished migration", async () => {
    const database = await shelf();
    await stopAt(database, "ALTER TABLE");
    const failure = migrate({ url: database.url, migrations, log }).catch((error: Error) => error.message);
    await untilStopped(database);
    await database.query(lose);
    expect(await failure).toMatch(/^0002_second failed at step 4 of 8 .*; nothing of it was applied$/);
  });

  test.each<[string, Moment]>([
    ["while an index is made", whileMaking],
    ["in the transaction that comes last", atStatement("ALTER INDEX")],
  ])("%s: the next start gives the whole schema", async (_, moment) => {
    const database = await shelf();
    const { url, query } = database;
    const goOn = await moment.stop(database);
    const failure = migrate({ url, migrations, log }).catch((error: Error) => error.message);
    await moment.reached(database);
    await query(lose);
    await goOn();
    expect(await failure).toMatch(
      /^0002_second failed at step 6 of 8 .*; its preparation is removed when migrations run again$/,
    );
    expect(await migrate({ url, migrations, log })).toEqual(["0002_second"]);
    expect(await catalogOf(url)).toEqual(whole);
  });
});

test("an instance whose lock was lost does not finish what another one has undone", async () => {
  const database = await shelf();
  const { url, query } = database;
  const goOn = await whileMaking.stop(database);
  const migration = second([uniqueIsbn]);
  const failure = migrate({ url, migrations: [base, migration], log }).catch((error: Error) => error.message);
  await whileMaking.reached(database);
  await query("DELETE FROM kirak_migration_progress");
  await goOn();
  expect(await failure).toMatch(/^another instance removed the preparation of 0002_second: migrate again$/);
  expect(await query("SELECT name FROM kirak_migrations")).toEqual([{ name: "0001_base" }]);
});

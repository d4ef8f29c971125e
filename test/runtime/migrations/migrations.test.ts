import { describe, expect, test } from "vitest";
import { MigrationError, migrate, migrationStatus, pendingMigrations } from "#runtime/migrations/index";
import type { Column, Migration } from "#vocabulary/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { release, startMigrating, stopAt, untilStopped } from "./migrating-process.ts";
import { grow, initial } from "./sample-migrations.ts";

const log = silent;

describe("migrate", () => {
  test("applies what is pending, once, and reports it", async () => {
    const { url, query } = await testDatabase();
    expect(await pendingMigrations({ url, migrations: [initial, grow] })).toEqual([
      "0001_initial",
      "0002_grow",
    ]);
    expect(await query("SELECT to_regclass('kirak_migrations') AS found")).toEqual([{ found: null }]);
    expect(await migrate({ url, migrations: [initial], log })).toEqual(["0001_initial"]);
    expect(await migrationStatus({ url, migrations: [initial, grow] })).toEqual([
      { name: "0001_initial", state: "applied", appliedAt: expect.any(Date) },
      { name: "0002_grow", state: "pending", appliedAt: null },
    ]);
    expect(await migrate({ url, migrations: [initial, grow], log })).toEqual(["0002_grow"]);
    expect(await migrate({ url, migrations: [initial, grow], log })).toEqual([]);
  });

  test("a failing step leaves the database as it was, and names the place", async () => {
    const { url, query } = await testDatabase([initial]);
    const broken: Migration = {
      name: "0002_broken",
      parent: "0001_initial",
      up: [
        { step: "drop_column", table: "books", column: "note" },
        { step: "drop_table", table: "nothing" },
      ],
      down: [],
    };
    await expect(migrate({ url, migrations: [initial, broken], log })).rejects.toThrow(
      /^0002_broken failed at step 2 of 2 \(drop_table on nothing\): .*does not exist; nothing of it was applied$/,
    );
    expect(await query("SELECT note FROM books")).toEqual([]);
    expect(await migrate({ url, migrations: [initial, grow], log })).toEqual(["0002_grow"]);
  });

  test("refuses a database that is newer than the code", async () => {
    const { url } = await testDatabase([initial, grow]);
    const refusal = /the database is newer than this code: 0002_grow/;
    await expect(migrate({ url, migrations: [initial], log })).rejects.toThrow(refusal);
    await expect(pendingMigrations({ url, migrations: [initial] })).rejects.toThrow(refusal);
    expect((await migrationStatus({ url, migrations: [initial] }))[1]).toMatchObject({ state: "unknown" });
  });

  test("refuses a migration that was altered, and does not mind how it is formatted", async () => {
    const { url } = await testDatabase([initial]);
    const reordered: Migration = JSON.parse(
      JSON.stringify({ down: initial.down, up: initial.up, parent: null, name: initial.name }),
    );
    expect(await migrate({ url, migrations: [reordered], log })).toEqual([]);
    const altered = { ...initial, up: initial.up.slice(0, -1) };
    await expect(migrate({ url, migrations: [altered], log })).rejects.toThrow(/0001_initial was altered/);
  });

  test("refuses migrations that do not build on each other", async () => {
    const { url } = await testDatabase();
    await expect(migrate({ url, migrations: [grow], log })).rejects.toThrow(MigrationError);
    const other = { ...grow, name: "0002_other" };
    await expect(migrate({ url, migrations: [initial, grow, other], log })).rejects.toThrow(
      /0002_other builds on 0001_initial, but follows 0002_grow/,
    );
  });

  test("goes on with a history that knex's migrator made", async () => {
    const { url, query } = await testDatabase([initial]);
    await query(`ALTER TABLE kirak_migrations ADD batch integer; UPDATE kirak_migrations SET batch = 1;
      CREATE TABLE kirak_migrations_lock (index serial PRIMARY KEY, is_locked integer);
      INSERT INTO kirak_migrations_lock (is_locked) VALUES (1)`);
    expect(await migrate({ url, migrations: [initial, grow], log })).toEqual(["0002_grow"]);
  });

  test("three processes at once, one of them killed half-way, give one whole schema", async () => {
    const database = await testDatabase();
    const { url, query } = database;
    await stopAt(database, "CREATE TABLE", "to_regclass('first') IS NOT NULL");
    const first = startMigrating(url, slow);
    await untilStopped(database);
    const others = [startMigrating(url, slow), startMigrating(url, slow)];
    await Promise.all(others.map((other) => other.logs(/^another instance is migrating/)));
    await first.kill();
    await release(database);
    expect(await Promise.all(others.map((other) => other.ends()))).toEqual([0, 0]);
    expect(await query("SELECT name FROM kirak_migrations ORDER BY id")).toEqual([
      { name: "0001_slow" },
      { name: "0002_more" },
    ]);
    expect(await query("SELECT count(*)::int AS n FROM kirak_migration_checksums")).toEqual([{ n: 2 }]);
  }, 40_000);
});

const id: Column = { name: "id", type: "uuid", nullable: false };
// biome-ignore format: one case a line
const slow: Migration[] = [
  { name: "0001_slow", parent: null,
    up: [{ step: "create_table", table: "first", columns: [id] }, { step: "create_table", table: "second", columns: [id] }], down: [] },
  { name: "0002_more", parent: "0001_slow", up: [{ step: "drop_table", table: "first" }], down: [] },
];

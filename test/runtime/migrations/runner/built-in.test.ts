import { describe, expect, test } from "vitest";
import { builtInMigrations } from "#runtime/migrations/built-in/index";
import {
  defineMigration,
  markApplied,
  migrate,
  migrateDown,
  migrationStatus,
  pendingMigrations,
  verifyDatabase,
} from "#runtime/migrations/runner/index";
import type { Column, Migration, Step } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../../support/database.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { accounts, id } from "./shelf.ts";

const nickname: Column = { name: "nickname", type: "text", nullable: true };

const counters = defineMigration({
  name: "kirak_0002_counters",
  parent: accounts.name,
  up: [{ step: "create_table", table: "kirak_counters", columns: [id] }],
  down: [],
});
const nicknames = defineMigration({
  name: "kirak_0003_nicknames",
  parent: counters.name,
  up: [{ step: "add_column", table: "users", column: nickname }],
  down: [],
});

/** A table of the app that refers to one of the service. */
// biome-ignore format: many a line
const books = defineMigration({
  name: "0001_initial", parent: null,
  up: [
    {
      step: "create_table", table: "books",
      columns: [id, { name: "owner_id", type: "bigint", nullable: true }],
    },
    {
      step: "add_foreign_key", table: "books",
      foreignKey: {
        name: "books_owner_id_fkey", column: "owner_id", references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
  ],
  down: [{ step: "drop_table", table: "books" }],
});

/** The app's migration after that one. */
const next = (name: string, up: Step, down: Step[] = [], parent = books.name): Migration => ({
  ...{ name, parent, up: [up], down },
});
const ownNickname = next("0002_nickname", { step: "add_column", table: "users", column: nickname }, [
  { step: "drop_column", table: "users", column: "nickname" },
]);

const first = [accounts, counters];
const message = (error: Error) => error.message;

describe("the migrations of the service itself", () => {
  test("come first, and are listed first", async () => {
    const { url } = await testDatabase();
    const code = { url, builtIn: first, migrations: [books], log };
    expect(await pendingMigrations(code)).toEqual([accounts.name, counters.name, books.name]);
    expect(await migrate({ ...code, to: accounts.name })).toEqual([accounts.name]);
    expect((await migrationStatus(code)).map(({ name, state }) => [name, state])).toEqual([
      [accounts.name, "applied"],
      [counters.name, "pending"],
      [books.name, "pending"],
    ]);
    expect(await migrate(code)).toEqual([counters.name, books.name]);
    expect(await migrate(code)).toEqual([]);
    expect(await verifyDatabase(code)).toEqual({
      ...{ differences: [], notes: [], applied: 3, pending: [], unfinished: [] },
    });
  });

  test("come later too, to a database that has the app's", async () => {
    const { url, query } = await testDatabase([books], first);
    const code = { url, builtIn: [...first, nicknames], migrations: [books], log };
    expect(await pendingMigrations(code)).toEqual([nicknames.name]);
    expect(await migrate(code)).toEqual([nicknames.name]);
    expect(await query("SELECT nickname FROM users")).toEqual([]);
    expect(await verifyDatabase(code)).toMatchObject({ differences: [], notes: [], applied: 4 });
  });

  test("are verified as well", async () => {
    const { url, query } = await testDatabase([books], first);
    await query("ALTER TABLE kirak_counters ALTER id TYPE integer; DROP TABLE books");
    const { differences } = await verifyDatabase({ url, builtIn: first, migrations: [books], log });
    expect(differences.map(({ table, kind }) => [table, kind])).toEqual(
      expect.arrayContaining([
        ["books", "table"],
        ["kirak_counters", "type"],
      ]),
    );
  });

  test("cannot be reverted", async () => {
    const { url, query } = await testDatabase([books], first);
    const code = { url, builtIn: first, migrations: [books], log, acceptDataLoss: true };
    await expect(migrateDown({ ...code, to: accounts.name })).rejects.toThrow(
      "kirak_0001_accounts is a migration of the service itself, which cannot be reverted",
    );
    expect(await migrateDown(code)).toEqual([books.name]);
    expect(await migrateDown(code)).toEqual([]);
    expect(await query("SELECT FROM users")).toEqual([]);
    expect(await migrate(code)).toEqual([books.name]);
  });

  test("stop the start where the database has them otherwise, or later ones", async () => {
    const { url } = await testDatabase([books], first);
    const altered = { ...accounts, up: [] };
    await expect(migrate({ url, builtIn: [altered, counters], migrations: [books], log })).rejects.toThrow(
      /^kirak_0001_accounts was applied to this database by a version of kirak that has another text for it/,
    );
    await expect(migrate({ url, builtIn: [accounts], migrations: [books], log })).rejects.toThrow(
      /^the database is newer than this code: kirak_0002_counters is from a later version of kirak/,
    );
  });
});

describe("a name that the app has already", () => {
  test("of a column stops the migration with instructions, and changes nothing", async () => {
    const { url } = await testDatabase([books, ownNickname], first);
    const code = { url, builtIn: [...first, nicknames], migrations: [books, ownNickname], log };
    expect(await migrate(code).catch(message)).toBe(
      'kirak_0003_nicknames failed at step 1 of 1 (add_column on users): column "nickname" of relation "users" already ' +
        "exists; this version of kirak adds a column of that name: with the previous version, rename the app's " +
        'column ("renamed_from") and migrate, then upgrade; nothing of it was applied',
    );
    expect(await pendingMigrations(code)).toEqual([nicknames.name]);
  });

  test("of a column is free once the app has renamed it, in a new database as well", async () => {
    const renamed = next(
      "0003_alias",
      { step: "rename_column", table: "users", column: "nickname", to: "alias" },
      [{ step: "rename_column", table: "users", column: "alias", to: "nickname" }],
      ownNickname.name,
    );
    const code = { builtIn: [...first, nicknames], migrations: [books, ownNickname, renamed], log };
    const old = await testDatabase([books, ownNickname], first);
    const fresh = await testDatabase();
    for (const { url, query } of [old, fresh]) {
      expect((await migrate({ ...code, url })).slice(-2)).toEqual([renamed.name, nicknames.name]);
      expect(await query("SELECT alias, nickname FROM users")).toEqual([]);
      expect(await verifyDatabase({ ...code, url })).toMatchObject({ differences: [], notes: [] });
      await expect(migrateDown({ ...code, url })).rejects.toThrow(
        "0003_alias cannot be reverted: it freed the name users.nickname, which the service uses since kirak_0003_nicknames",
      );
    }
  });

  test("of a table is free once the app has renamed that", async () => {
    const baseline = { ...accounts, name: "0001_baseline" };
    const renaming = next(
      "0002_renaming",
      { step: "rename_table", table: "users", to: "app_users" },
      [],
      baseline.name,
    );
    const code = { builtIn: first, migrations: [baseline, renaming], log };
    const old = await testDatabase();
    await old.query("CREATE TABLE users (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY)");
    const marked = { url: old.url, ...code, to: baseline.name };
    expect(await markApplied(marked)).toEqual([baseline.name]);
    expect(await migrate({ ...code, url: old.url })).toEqual([renaming.name, accounts.name, counters.name]);
    const fresh = await testDatabase();
    expect(await migrate({ ...code, url: fresh.url })).toHaveLength(4);
    for (const { url } of [old, fresh])
      expect(await verifyDatabase({ ...code, url })).toMatchObject({ differences: [], notes: [] });
  });
});

/** The table `people`, which was once called `users`: PostgreSQL left its key and its index their names. */
// biome-ignore format: one case a line
const people: Step[] = [
  { step: "create_table", table: "people", columns: [id, nickname], primaryKey: { name: "users_pkey", columns: ["id"] } },
  { step: "add_index", table: "people", index: { name: "users_email_key", columns: ["nickname"], unique: true, live: false } },
];

test("of an index or a key is free once the app has renamed it, or may keep it", async () => {
  const baseline = { name: "0001_baseline", parent: null, up: people, down: [] };
  const renaming = next(
    "0002_renaming",
    { step: "rename_index", table: "people", name: "users_email_key", to: "app_users_email_key" },
    [],
    baseline.name,
  );
  const code = { builtIn: builtInMigrations, migrations: [baseline, renaming], log };
  const old = await testDatabase([baseline]);
  const names = builtInMigrations.map(({ name }) => name);
  expect(await migrate({ ...code, url: old.url })).toEqual([renaming.name, ...names]);
  const fresh = await testDatabase();
  expect(await migrate({ ...code, url: fresh.url })).toEqual([baseline.name, renaming.name, ...names]);
  for (const { url } of [old, fresh])
    expect(await verifyDatabase({ ...code, url })).toMatchObject({ differences: [], notes: [] });
});

test("a copy of an introspected database without its history gets both, in the order of the guide", async () => {
  const baseline = { ...accounts, name: "0001_baseline" };
  const renaming = next(
    "0002_renaming",
    { step: "rename_table", table: "users", to: "app_users" },
    [],
    baseline.name,
  );
  const third = next("0003_books", books.up[0] ?? { step: "drop_table", table: "" }, [], renaming.name);
  const migrations = [baseline, renaming, third];
  const { url, query } = await testDatabase(migrations, first);
  await query("DROP TABLE kirak_migrations, kirak_migration_checksums");
  const code = { url, builtIn: first, migrations, log };
  expect(await markApplied({ ...code, to: counters.name })).toEqual([accounts.name, counters.name]);
  expect(await markApplied({ ...code, to: third.name })).toEqual(migrations.map(({ name }) => name));
  expect(await verifyDatabase(code)).toMatchObject({ differences: [], notes: [], pending: [] });
});

test("a copy without its history gets the one of the service, and then the app's", async () => {
  const { url, query } = await testDatabase([books], first);
  await query("DROP TABLE kirak_migrations, kirak_migration_checksums");
  const code = { url, builtIn: first, migrations: [books], log };
  expect(await migrate(code).catch(message)).toMatch(
    /run npm run migrate -- baseline kirak_0001_accounts; nothing/,
  );
  expect(await markApplied({ ...code, to: books.name }).catch(message)).toBe(
    '0001_initial cannot be run again for the comparison: relation "users" does not exist; ' +
      "first mark the migration that creates this table as applied (npm run migrate -- baseline …)",
  );
  expect(await markApplied({ ...code, to: counters.name })).toEqual([accounts.name, counters.name]);
  expect(await markApplied({ ...code, to: books.name })).toEqual([books.name]);
  expect(await migrate(code)).toEqual([]);
});

test("a table that is in the way can be renamed as the message advises", async () => {
  const { url, query } = await testDatabase();
  await query("CREATE TABLE users (id serial PRIMARY KEY)");
  const code = { url, builtIn: builtInMigrations, migrations: [], log };
  const message = await migrate(code).then(String, (error: Error) => error.message);
  const [, advice = ""] = /rename it \((ALTER TABLE .*?)\)/.exec(message) ?? [];
  await query(advice.replace("…", "people"));
  expect(await migrate(code)).toHaveLength(builtInMigrations.length);
});

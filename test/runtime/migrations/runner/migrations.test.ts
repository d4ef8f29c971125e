import { describe, expect, test } from "vitest";
import {
  MigrationError,
  markApplied,
  migrate,
  migrateDown,
  migrationStatus,
  pendingMigrations,
  plannedDown,
  plannedUp,
  verifyDatabase,
} from "#runtime/migrations/runner/index";
import type { Column, Migration, Step } from "#vocabulary/migrations/migration-steps";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { release, startMigrating, stopAt, untilStopped, untilWaiting } from "./migrating-process.ts";
import { grow, initial } from "./sample-migrations.ts";
import { base, bookAuthor, catalogOf, connect, requiredIsbn, second, shelf, uniqueIsbn } from "./shelf.ts";

describe("migrate", () => {
  test("applies pending migrations, once, and reports them", async () => {
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
    await expect(migrate({ url, migrations: [altered], log })).rejects.toThrow(/0001_initial was changed/);
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

  test("three processes at once, one of them killed, give one complete schema", async () => {
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

const constrained = second(
  [requiredIsbn, uniqueIsbn],
  [
    { step: "drop_index", table: "books", name: "books_isbn_key" },
    { ...requiredIsbn, nullable: true },
  ],
);
const column = (name: string): Step => ({
  step: "add_column",
  table: "books",
  column: { name, type: "text", nullable: true },
});
const noted = {
  ...second([column("note")], [{ step: "drop_column", table: "books", column: "note" }]),
  name: "0003_noted",
  parent: "0002_second",
};
const migrations = [base, constrained, noted];

async function applied(url: string): Promise<string[]> {
  const statuses = await migrationStatus({ url, migrations });
  return statuses.filter(({ state }) => state === "applied").map(({ name }) => name);
}

test("up to a migration, down to one, and up again", async () => {
  const { url, query } = await shelf();
  const first = await catalogOf(url);
  expect(await migrate({ url, migrations, log, to: "0002_second" })).toEqual(["0002_second"]);
  const middle = await catalogOf(url);
  expect(await migrate({ url, migrations, log, to: "0001_base" })).toEqual([]);
  expect(await migrate({ url, migrations, log })).toEqual(["0003_noted"]);
  const all = await catalogOf(url);
  const acceptDataLoss = true;
  expect(await migrateDown({ url, migrations, log, acceptDataLoss })).toEqual(["0003_noted"]);
  expect(await catalogOf(url)).toEqual(middle);
  expect(await migrate({ url, migrations, log })).toEqual(["0003_noted"]);
  expect(await migrateDown({ url, migrations, log, acceptDataLoss, to: "0001_base" })).toEqual([
    "0003_noted",
    "0002_second",
  ]);
  expect(await catalogOf(url)).toEqual(first);
  expect(await applied(url)).toEqual(["0001_base"]);
  expect(await query("SELECT name FROM kirak_migration_checksums")).toEqual([{ name: "0001_base" }]);
  expect(await migrate({ url, migrations, log })).toEqual(["0002_second", "0003_noted"]);
  expect(await catalogOf(url)).toEqual(all);
  expect(await query("SELECT count(*)::int AS n FROM books")).toEqual([{ n: 3 }]);
});

test("a migration that loses data is undone only if that is accepted", async () => {
  const { url } = await shelf();
  await migrate({ url, migrations, log });
  const before = await catalogOf(url);
  await expect(migrateDown({ url, migrations, log, to: "0001_base" })).rejects.toThrow(
    /^reverting 0003_noted, 0002_second loses data:\n {2}books\.note: the column with all of its values\nto continue, add --accept-data-loss$/,
  );
  expect(await catalogOf(url)).toEqual(before);
  await migrateDown({ url, migrations, log, acceptDataLoss: true });
  expect(await migrateDown({ url, migrations, log })).toEqual(["0002_second"]);
});

test("a way down that fails leaves the migration applied", async () => {
  const { url, query } = await shelf();
  const strict = second([column("note")], [bookAuthor, requiredIsbn]);
  await migrate({ url, migrations: [base, strict], log });
  await query("INSERT INTO books (isbn) VALUES (NULL)");
  const before = await catalogOf(url);
  await expect(migrateDown({ url, migrations: [base, strict], log })).rejects.toThrow(
    /^0002_second could not be reverted: it failed at step 2 of 2 \(set_nullable on books\): .*; nothing of it was reverted$/,
  );
  expect(await catalogOf(url)).toEqual(before);
  expect(await query("SELECT count(*)::int AS n FROM kirak_migrations")).toEqual([{ n: 2 }]);
});

test("a migration that does not exist, or is not applied, cannot be a target", async () => {
  const { url } = await shelf();
  await expect(migrate({ url, migrations, log, to: "0009_x" })).rejects.toThrow(
    "generated/migrations has no migration 0009_x",
  );
  await expect(migrateDown({ url, migrations, log, to: "0003_noted" })).rejects.toThrow(
    "0003_noted is not applied to this database",
  );
});

test("neither way is gone with a migration that was edited, or one that the code does not have", async () => {
  const { url } = await shelf();
  await migrate({ url, migrations: [base, constrained], log });
  const edited = { ...constrained, down: [] };
  for (const run of [migrate, migrateDown]) {
    await expect(run({ url, migrations: [base, edited], log })).rejects.toThrow(/^0002_second was changed/);
    await expect(run({ url, migrations: [base], log })).rejects.toThrow(
      /^the database is newer than this code/,
    );
  }
});

test("nothing is left to revert in the end", async () => {
  const { url } = await shelf();
  expect(await migrateDown({ url, migrations, log, acceptDataLoss: true })).toEqual(["0001_base"]);
  expect(await migrateDown({ url, migrations, log })).toEqual([]);
  expect(await catalogOf(url)).toEqual([]);
});

test("a dry run prints the steps and changes nothing", async () => {
  const { url, query } = await shelf();
  const tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1";
  const before = await query(tables);
  const up = await plannedUp({ url, migrations, to: "0002_second" });
  expect(up.map(({ migration, direction }) => [migration.name, direction])).toEqual([["0002_second", "up"]]);
  expect(up[0]?.plan.online.map(({ sql }) => sql)).toContain(
    'create unique index concurrently "kirak__step_2" on "books" ("isbn")',
  );
  expect((await plannedDown({ url, migrations })).map(({ migration }) => migration.name)).toEqual([
    "0001_base",
  ]);
  expect(await query(tables)).toEqual(before);
});

const tables = `CREATE TABLE authors (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY);
  CREATE TABLE books (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, isbn varchar(20),
    status text NOT NULL DEFAULT 'draft', author_id bigint, extra text)`;

test("a baseline is recorded as applied, and later migrations build on it", async () => {
  const { url, query } = await testDatabase();
  await query(tables);
  expect(await markApplied({ url, migrations, log, to: "0001_base" })).toEqual(["0001_base"]);
  await query("ALTER TABLE books DROP extra, ALTER status DROP DEFAULT");
  expect(await markApplied({ url, migrations, log, to: "0001_base" })).toEqual([]);
  expect(await applied(url)).toEqual(["0001_base"]);
  expect(await migrate({ url, migrations, log })).toEqual(["0002_second", "0003_noted"]);
  const books = (await catalogOf(url)).find(({ name }) => name === "books");
  expect(books?.columns.map(({ name }) => name)).toEqual(["id", "isbn", "status", "author_id", "note"]);
});

test("a baseline is refused if the tables differ, unless it is forced", async () => {
  const { url, query } = await testDatabase();
  const options = { url, migrations, log, to: "0001_base" };
  await expect(markApplied(options)).rejects.toThrow(
    /^the tables differ from the result of 0001_base:\n {2}authors {2}table is missing\n {2}books {4}table is missing\nchange the tables/,
  );
  await query(`${tables}; ALTER TABLE books ALTER isbn TYPE text`);
  await expect(markApplied(options)).rejects.toThrow("  books.isbn  expected varchar(20), is text\n");
  await expect(markApplied({ ...options, to: "0002_second" })).rejects.toThrow(
    /^the tables differ from the result of 0001_base, 0002_second:\n.*\n.*\n {2}books_isbn_key .* is missing/,
  );
  expect(await applied(url)).toEqual([]);
  expect(await query("SELECT to_regclass('kirak_migrations') AS found")).toEqual([{ found: null }]);
  expect(await markApplied({ ...options, unverified: true })).toEqual(["0001_base"]);
});

test("a baseline is compared with the tables where the connection has them", async () => {
  const { url, query } = await testDatabase();
  await query(`CREATE SCHEMA shop; SET search_path = shop; ${tables}; RESET search_path`);
  const own = new URL(url);
  own.searchParams.set("options", "-c search_path=shop");
  expect(await markApplied({ url: own.href, migrations, log, to: "0001_base" })).toEqual(["0001_base"]);
});

/** A table whose ids a sequence makes becomes one with an identity, and back. */
const table = "odd $do$ 'name'";
const inSql = `"${table}"`;
const columns: Column[] = [
  { name: "id", type: "bigint", nullable: false, default: "sequence" },
  { name: "note", type: "text", nullable: true },
];
const counted: Migration = {
  name: "0001_base",
  parent: null,
  up: [{ step: "create_table", table, columns }],
  down: [],
};
const counter = (kind: "identity" | "sequence"): Step => ({
  step: "set_default",
  table,
  column: "id",
  type: "bigint",
  default: kind,
});
const identity: Migration = {
  name: "0002_identity",
  parent: "0001_base",
  up: [counter("identity")],
  down: [counter("sequence")],
};
const counting = [counted, identity];
const fill = `INSERT INTO ${inSql} (note) SELECT 'a' FROM generate_series(1, 10); DELETE FROM ${inSql} WHERE id > 3`;

async function nextId({ query }: TestDatabase): Promise<unknown> {
  const [row] = await query(`INSERT INTO ${inSql} (note) VALUES ('next') RETURNING id::int`);
  return row?.["id"];
}

test("ids are never assigned twice, even if other sessions take some meanwhile", async () => {
  const database = await testDatabase([counted]);
  const writer = await connect(database.url);
  const insert = `INSERT INTO ${inSql} (note) VALUES ('meanwhile')`;
  await writer.query(`BEGIN; ${insert}`);
  const run = migrate({ url: database.url, migrations: counting, log });
  await untilWaiting(database, "locktype = 'relation'");
  for (let count = 0; count < 5; count++) await writer.query(insert);
  await writer.query("COMMIT");
  await run;
  expect(await nextId(database)).toBe(7);
});

test("ids of rows that are gone are not given again, either way", async () => {
  const database = await testDatabase([counted]);
  await database.query(fill);
  await migrate({ url: database.url, migrations: counting, log });
  expect(await nextId(database)).toBe(11);
  await database.query(`DELETE FROM ${inSql} WHERE id > 3`);
  await migrateDown({ url: database.url, migrations: counting, log });
  expect(await nextId(database)).toBe(12);
  expect(await verifyDatabase({ url: database.url, migrations: counting, log })).toMatchObject({
    differences: [],
  });
});

test("a sequence that its column does not own counts, and stays", async () => {
  const database = await testDatabase();
  const { url, query } = database;
  const sequence = `"${table}_id_seq"`;
  await query(`CREATE SEQUENCE ${sequence};
    CREATE TABLE ${inSql} (id bigint PRIMARY KEY DEFAULT nextval('${sequence.replaceAll("'", "''")}'), note text); ${fill}`);
  await markApplied({ url, migrations: counting, log, to: "0001_base" });
  await migrate({ url, migrations: counting, log });
  expect(await nextId(database)).toBe(11);
  await query(`DELETE FROM ${inSql} WHERE id > 3`);
  await migrateDown({ url, migrations: counting, log });
  expect(await nextId(database)).toBe(12);
  expect(await query("SELECT relname FROM pg_class WHERE relkind = 'S' AND relname LIKE 'odd%'")).toEqual([
    { relname: `${table}_id_seq` },
  ]);
  await migrate({ url, migrations: counting, log });
  expect(await nextId(database)).toBe(13);
});

test("a sequence takes another name where its own is taken", async () => {
  const database = await testDatabase([counted, identity]);
  const { url, query } = database;
  await query(`ALTER SEQUENCE "${table}_id_seq" RENAME TO aside; CREATE TABLE "${table}_id_seq" ()`);
  expect(await nextId(database)).toBe(1);
  await migrateDown({ url, migrations: counting, log });
  expect(await nextId(database)).toBe(2);
});

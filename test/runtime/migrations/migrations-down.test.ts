import { expect, test } from "vitest";
import {
  markApplied,
  migrate,
  migrateDown,
  migrationStatus,
  plannedDown,
  plannedUp,
} from "#runtime/migrations/index";
import type { Step } from "#vocabulary/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent as log } from "../../support/silent-log.ts";
import { base, bookAuthor, catalogOf, requiredIsbn, second, shelf, uniqueIsbn } from "./shelf.ts";

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

test("what loses data is taken back only when that is accepted", async () => {
  const { url } = await shelf();
  await migrate({ url, migrations, log });
  const before = await catalogOf(url);
  await expect(migrateDown({ url, migrations, log, to: "0001_base" })).rejects.toThrow(
    /^taking back 0003_noted, 0002_second loses data:\n {2}books\.note: the column with all of its values\nto go on: add --accept-data-loss$/,
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
    /^0002_second could not be taken back: it failed at step 2 of 2 \(set_nullable on books\): .*; nothing of it was taken back$/,
  );
  expect(await catalogOf(url)).toEqual(before);
  expect(await query("SELECT count(*)::int AS n FROM kirak_migrations")).toEqual([{ n: 2 }]);
});

test("a migration that is not there, or not applied, is no place to go to", async () => {
  const { url } = await shelf();
  await expect(migrate({ url, migrations, log, to: "0009_x" })).rejects.toThrow(
    "there is no migration 0009_x in generated/migrations",
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
    await expect(run({ url, migrations: [base, edited], log })).rejects.toThrow(/^0002_second was altered/);
    await expect(run({ url, migrations: [base], log })).rejects.toThrow(
      /^the database is newer than this code/,
    );
  }
});

test("nothing is left to take back in the end", async () => {
  const { url } = await shelf();
  expect(await migrateDown({ url, migrations, log, acceptDataLoss: true })).toEqual(["0001_base"]);
  expect(await migrateDown({ url, migrations, log })).toEqual([]);
  expect(await catalogOf(url)).toEqual([]);
});

test("what would be done is told without doing it", async () => {
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

test("a baseline is noted as applied, and what follows builds on it", async () => {
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

test("a baseline is refused where the tables are others, unless somebody insists", async () => {
  const { url, query } = await testDatabase();
  const options = { url, migrations, log, to: "0001_base" };
  await expect(markApplied(options)).rejects.toThrow(
    /^the tables are not as 0001_base would have made them:\n {2}authors {2}table is missing\n {2}books {4}table is missing\nmake them so/,
  );
  await query(`${tables}; ALTER TABLE books ALTER isbn TYPE text`);
  await expect(markApplied(options)).rejects.toThrow("  books.isbn  expected varchar(20), is text\n");
  await expect(markApplied({ ...options, to: "0002_second" })).rejects.toThrow(
    /^the tables are not as 0001_base, 0002_second would .*\n.*\n.*\n {2}books_isbn_key .* is missing/,
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

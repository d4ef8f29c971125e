import { describe, expect, test } from "vitest";
import { createSqlProgress } from "#runtime/migrations/runner/history/sql-progress";
import {
  linkMigration,
  type Migration,
  migrate,
  migrateDown,
  migrationStatus,
  type SqlMigration,
  verifyDatabase,
} from "#runtime/migrations/runner/index";
import type { TestDatabase } from "../../../support/database.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { startMigrating, untilWaiting } from "./migrating-process.ts";
import { base, catalogOf, connect, lines, shelf } from "./shelf.ts";

function own(sql: Omit<SqlMigration, "class">): Migration {
  return linkMigration({ name: "0002_own", parent: base.name, sql: { class: "additive", ...sql } });
}

/** Books 4 to 1003, with gaps: every third is gone. */
async function filled(): Promise<TestDatabase> {
  const database = await shelf();
  await database.query(`
    INSERT INTO books (isbn) SELECT 'n' FROM generate_series(1, 1000); DELETE FROM books WHERE id % 3 = 0 OR isbn IS NULL;
    ALTER TABLE books ADD COLUMN times int NOT NULL DEFAULT 0; CREATE TABLE batches (low bigint, high bigint, size bigint)`);
  return database;
}

const counting = `
  WITH done AS (UPDATE books SET times = times + 1 WHERE id BETWEEN $1 AND $2 RETURNING id)
  INSERT INTO batches SELECT $1, $2, count(*) FROM done`;
const perBook = own({ batches: [{ table: "books", size: 100, sql: counting }] });

async function timesOf({ query }: TestDatabase): Promise<unknown> {
  return query("SELECT times, count(*)::int AS books FROM books GROUP BY times ORDER BY times");
}

/** Ends the connections of migrating processes, and waits until PostgreSQL has removed them. */
async function endMigrating({ query }: TestDatabase): Promise<void> {
  const sessions =
    "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kirak migrations'";
  await query(`SELECT pg_terminate_backend(pid) ${sessions}`);
  await expect.poll(() => query(`SELECT pid ${sessions}`), { timeout: 15_000, interval: 20 }).toEqual([]);
}

describe("batches", () => {
  test("go over all rows that are there, so many at a time, and are applied once", async () => {
    const database = await filled();
    const options = { url: database.url, migrations: [base, perBook], log };
    expect(await migrate(options)).toEqual(["0002_own"]);
    expect(await timesOf(database)).toEqual([{ times: 1, books: 669 }]);
    const sizes = await database.query("SELECT size::int FROM batches ORDER BY low");
    expect(sizes).toEqual([...Array.from({ length: 6 }, () => ({ size: 100 })), { size: 69 }]);
    expect(await migrate(options)).toEqual([]);
    expect(await database.query("SELECT * FROM kirak_sql_progress")).toEqual([]);
    expect(await verifyDatabase(options)).toMatchObject({ unfinished: [] });
  });

  test("of a table without rows run nothing, not even a statement that fails", async () => {
    const { url } = await shelf();
    const broken = own({
      up: "CREATE TABLE none (id uuid)",
      batches: [{ table: "none", size: 1, sql: "UPDATE nowhere SET x = 1 WHERE id BETWEEN $1 AND $2" }],
    });
    expect(await migrate({ url, migrations: [base, broken], log })).toEqual(["0002_own"]);
  });

  test("go by UUIDs too", async () => {
    const database = await shelf();
    await database.query(`CREATE TABLE things (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), times int NOT NULL DEFAULT 0);
      INSERT INTO things SELECT FROM generate_series(1, 50)`);
    const sql = "UPDATE things SET times = times + 1 WHERE id BETWEEN $1 AND $2";
    const perThing = own({ batches: [{ table: "things", size: 7, sql }] });
    await migrate({ url: database.url, migrations: [base, perThing], log });
    expect(await database.query("SELECT times, count(*)::int AS things FROM things GROUP BY times")).toEqual([
      { times: 1, things: 50 },
    ]);
  });

  test("do not touch rows that are inserted while they run, even if they insert rows", async () => {
    const database = await filled();
    const doubling = "INSERT INTO books (times) SELECT 1 FROM books WHERE id BETWEEN $1 AND $2";
    const doubled = own({ batches: [{ table: "books", size: 50, sql: doubling }] });
    await migrate({ url: database.url, migrations: [base, doubled], log });
    expect(await timesOf(database)).toEqual([
      { times: 0, books: 669 },
      { times: 1, books: 669 },
    ]);
  });

  test("say how far they are", async () => {
    const { url } = await filled();
    const { log: told, matching } = lines();
    await migrate({ url, migrations: [base, perBook], log: told, timing: { progressMs: 0 } });
    const said = matching(/^still working on 0002_own, back-fill of books: \d+ %, \d+ rows, \d+ s so far$/);
    expect(said).toHaveLength(7);
    expect(said[1]).toContain(" 29 %, 200 rows,");
  });

  test("block only writes to the rows of one batch, and wait for locks no longer than other steps", async () => {
    const database = await filled();
    const holder = await connect(database.url);
    await holder.query("BEGIN; SELECT FROM books WHERE id = 500 FOR UPDATE");
    const { log: told, until } = lines();
    const timing = { lockTimeoutMs: 50, retryDelayMs: 10 };
    const run = migrate({ url: database.url, migrations: [base, perBook], log: told, timing });
    await until(
      /the batch of books from id \d+ to \d+: canceling statement due to lock timeout: trying again/,
    );
    await database.query("UPDATE books SET status = 'sold' WHERE id IN (1, 4, 997, 1000)");
    await holder.query("ROLLBACK");
    await run;
    expect(await timesOf(database)).toEqual([{ times: 1, books: 669 }]);
  });

  test("that fail keep the finished part, and continue there once the rest is corrected", async () => {
    const database = await filled();
    const { url, query } = database;
    await query("UPDATE books SET isbn = 'wrong' WHERE id = 502");
    const picky = own({
      up: "CREATE TABLE early ()",
      batches: [
        { table: "authors", size: 1, sql: "SELECT $1, $2::bigint" },
        {
          table: "books",
          size: 100,
          sql: "UPDATE books SET times = times + 1 + (isbn = 'wrong')::int / (isbn <> 'wrong')::int WHERE id BETWEEN $1 AND $2",
        },
      ],
    });
    const options = { url, migrations: [base, picky], log };
    await expect(migrate(options)).rejects.toThrow(
      /^0002_own failed at the batch of books from id 451 to 599: division by zero; the finished part stays, and npm run migrate continues from there \(1 text and 302 rows done, 44 % of a back-fill\)$/,
    );
    expect(await migrationStatus(options)).toMatchObject([
      { state: "applied" },
      { name: "0002_own", state: "pending" },
      { name: "0002_own", state: "begun", progress: expect.stringContaining("302 rows") },
    ]);
    const other = own({ ...picky.sql, up: "CREATE TABLE other ()" });
    await expect(migrate({ ...options, migrations: [base, other] })).rejects.toThrow(
      /^0002_own is partly applied \(1 text and 302 rows done, .*\), and this part was changed since then; restore the file/,
    );
    await expect(migrate({ ...options, migrations: [base] })).rejects.toThrow(
      "the database is newer than this code: 0002_own is partly applied",
    );
    await query("UPDATE books SET isbn = 'right' WHERE id = 502");
    expect(await migrate(options)).toEqual(["0002_own"]);
    expect(await timesOf(database)).toEqual([{ times: 1, books: 669 }]);
  });

  test("that are partly applied can be reverted by down", async () => {
    const { url, query } = await filled();
    const failing = own({
      up: "CREATE TABLE early ()",
      down: "DROP INDEX IF EXISTS i; DROP TABLE IF EXISTS early",
      batches: [{ table: "books", size: 100, sql: "SELECT 1 / ($1::bigint - $1), $2::bigint" }],
    });
    const options = { url, migrations: [base, failing], log, acceptDataLoss: true };
    await expect(migrate(options)).rejects.toThrow("division by zero");
    expect(await migrateDown(options)).toEqual(["0002_own"]);
    expect(await query("SELECT to_regclass('early') AS early")).toEqual([{ early: null }]);
    expect(await migrationStatus(options)).toMatchObject([{ state: "applied" }, { state: "pending" }]);
  });
});

describe("a stop", () => {
  test("at any moment leaves each row done once", async () => {
    const database = await filled();
    const { url, query } = database;
    const migrations = [base, own({ batches: [{ table: "books", size: 20, sql: counting }] })];
    for (const id of [1, 200, 400, 601, 1000]) {
      const holder = await connect(url);
      await holder.query(`BEGIN; SELECT FROM books WHERE id = ${id} FOR UPDATE`);
      const run = migrate({ url, migrations, log, timing: { lockTimeoutMs: 20_000, answerTimeoutMs: 200 } });
      const stopped = expect(run).rejects.toThrow();
      await untilWaiting(database, "locktype = 'transactionid'");
      await endMigrating(database);
      await holder.query("ROLLBACK");
      await stopped;
    }
    expect(await migrate({ url, migrations, log })).toEqual(["0002_own"]);
    expect(await timesOf(database)).toEqual([{ times: 1, books: 669 }]);
    expect(await query("SELECT sum(size)::int AS rows FROM batches")).toEqual([{ rows: 669 }]);
  });

  test("of the process, too", async () => {
    const database = await filled();
    const holder = await connect(database.url);
    await holder.query("BEGIN; SELECT FROM books WHERE id = 602 FOR UPDATE");
    const process = startMigrating(database.url, [base, perBook], { lockTimeoutMs: 20_000 });
    await untilWaiting(database, "locktype = 'transactionid'");
    await process.kill();
    await holder.query("ROLLBACK");
    const { log: told, matching } = lines();
    expect(await migrate({ url: database.url, migrations: [base, perBook], log: told })).toEqual([
      "0002_own",
    ]);
    expect(matching(/^0002_own was interrupted: continuing \(0 texts and [34]00 rows done/)).toHaveLength(1);
    expect(await timesOf(database)).toEqual([{ times: 1, books: 669 }]);
  });
});

describe("outside a transaction", () => {
  const concurrently = own({
    transaction: false,
    up: [
      "CREATE TYPE mood AS ENUM ('good')",
      "ALTER TYPE mood ADD VALUE IF NOT EXISTS 'better'",
      "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS by_isbn ON books (isbn)",
    ],
    down: ["DROP INDEX CONCURRENTLY IF EXISTS by_isbn", "DROP TYPE IF EXISTS mood"],
  });

  test("each text runs and is reverted by itself", async () => {
    const { url } = await shelf();
    const before = await catalogOf(url);
    const options = { url, migrations: [base, concurrently], log };
    await migrate(options);
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await migrateDown({ ...options, acceptDataLoss: true });
    expect(await catalogOf(url)).toEqual(before);
  });

  test("a failure leaves no invalid index, and the next run continues after the finished part", async () => {
    const { url, query } = await shelf();
    await query("UPDATE books SET isbn = 'same'");
    const options = { url, migrations: [base, concurrently], log };
    await expect(migrate(options)).rejects.toThrow(
      /^0002_own failed at text 3 of 3: could not create unique index "by_isbn"; the finished part stays, and npm run migrate continues from there \(2 texts and 0 rows done\)$/,
    );
    expect(await query("SELECT to_regclass('by_isbn') AS found")).toEqual([{ found: null }]);
    await query("UPDATE books SET isbn = id::text");
    expect(await migrate(options)).toEqual(["0002_own"]);
    expect(await query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_isbn'::regclass")).toEqual([
      { indisvalid: true },
    ]);
  });

  test("a stop during the creation of an index leaves an invalid one, which the next run creates again", async () => {
    const database = await shelf();
    const { url, query } = database;
    const old = await connect(url);
    await old.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
    const process = startMigrating(url, [base, concurrently]);
    await untilWaiting(database, "locktype = 'virtualxid'");
    await process.kill();
    await endMigrating(database);
    await old.query("ROLLBACK");
    const invalid = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('by_isbn')";
    expect(await query(invalid)).toEqual([{ indisvalid: false }]);
    expect(await migrate({ url, migrations: [base, concurrently], log })).toEqual(["0002_own"]);
    expect(await query(invalid)).toEqual([{ indisvalid: true }]);
  });

  test("a text that may run in a transaction is done once, also where a stop comes before it is noted", async () => {
    const { url, query } = await shelf();
    const once = own({
      transaction: false,
      up: ["CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON books (isbn)", "INSERT INTO authors DEFAULT VALUES"],
    });
    const options = { url, migrations: [base, once], log };
    await createSqlProgress(await connect(url));
    await query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'stopped'; END$$;
      CREATE TRIGGER stop BEFORE UPDATE ON kirak_sql_progress FOR EACH ROW WHEN (new.texts = 2) EXECUTE FUNCTION stop()`);
    await expect(migrate(options)).rejects.toThrow(/stopped.*\(1 text and 0 rows done\)/);
    await query("DROP TRIGGER stop ON kirak_sql_progress");
    expect(await migrate(options)).toEqual(["0002_own"]);
    expect(await query("SELECT count(*)::int AS authors FROM authors")).toEqual([{ authors: 3 }]);
  });

  test("runs outside a transaction if only PostgreSQL knows that it must", async () => {
    const { url, query } = await shelf();
    const cluster = own({
      transaction: false,
      up: ["CLUSTER", "DO $$ BEGIN CREATE TABLE kept (); COMMIT; RAISE 'too late'; END $$"],
    });
    await expect(migrate({ url, migrations: [base, cluster], log })).rejects.toThrow(
      /^0002_own failed at text 2 of 2: too late; .* \(1 text and 0 rows done\)$/,
    );
    expect(await query("SELECT to_regclass('kept')::text AS kept")).toEqual([{ kept: "kept" }]);
  });

  test("down continues after the finished part, and must finish before up can run again", async () => {
    const { url, query } = await shelf();
    const viewed = own({
      transaction: false,
      up: ["CREATE VIEW v AS SELECT FROM books", "CREATE TABLE t ()"],
      down: ["DROP VIEW v", "DROP INDEX CONCURRENTLY IF EXISTS kept_isbn_key", "DROP TABLE t"],
    });
    const options = { url, migrations: [base, viewed], log, acceptDataLoss: true };
    await migrate(options);
    await query("CREATE TABLE kept (isbn text UNIQUE)");
    await expect(migrateDown(options)).rejects.toThrow(
      /^0002_own could not be reverted: it failed at text 2 of 3: .*; the finished part stays reverted, and npm run migrate -- down continues from there$/,
    );
    await query("DROP TABLE kept");
    expect(await migrateDown(options)).toEqual(["0002_own"]);
    expect(await query("SELECT to_regclass('t') AS found")).toEqual([{ found: null }]);
    expect(await migrate(options)).toEqual(["0002_own"]);
    expect(await migrateDown(options)).toEqual(["0002_own"]);
  });

  test("a partly applied migration whose down was interrupted is reverted first", async () => {
    const { url, query } = await shelf();
    const failing = own({
      transaction: false,
      up: ["CREATE TABLE t ()", "SELECT 1 / 0"],
      down: ["DROP TABLE t", "DROP TABLE IF EXISTS u"],
    });
    const options = { url, migrations: [base, failing], log, acceptDataLoss: true };
    await expect(migrate(options)).rejects.toThrow("division by zero");
    await query("CREATE TABLE u (); CREATE VIEW needs_u AS SELECT FROM u");
    await expect(migrateDown(options)).rejects.toThrow("text 2 of 2");
    await expect(migrate(options)).rejects.toThrow(
      "0002_own is partly reverted: revert the rest first, with npm run migrate -- down",
    );
    await query("DROP VIEW needs_u");
    const other = own({ ...failing.sql, down: ["DROP TABLE IF EXISTS t", "DROP TABLE IF EXISTS u"] });
    await expect(migrateDown({ ...options, migrations: [base, other] })).rejects.toThrow(
      "0002_own is partly reverted (1 of 2 texts), and these texts of down were changed since then; restore the file",
    );
    expect(await migrateDown(options)).toEqual(["0002_own"]);
    await expect(migrate(options)).rejects.toThrow("division by zero");
  });

  // biome-ignore format: one case a line
  test.each([
    [{ up: "SELECT 1; SELECT 2" }, "up 1 has 2 statements: with transaction: false, write a list of texts with one statement each"],
    [{ up: "CREATE INDEX CONCURRENTLY i ON books (isbn)" }, "it can run again after an interruption, and would then fail: write IF NOT EXISTS"],
    [{ up: [], down: "DROP INDEX CONCURRENTLY i" }, "the migration needs up or batches"],
  ])("%j is refused", async (sql, message) => {
    const { url } = await shelf();
    await expect(
      migrate({ url, migrations: [base, own({ transaction: false, ...sql })], log }),
    ).rejects.toThrow(message);
  });
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { lockTables } from "#runtime/migrations/runner/apply/lock-tables";
import { type MigrateOptions, migrate } from "#runtime/migrations/runner/index";
import { planOnline } from "#runtime/migrations/runner/plan/online-plan";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { Migration, Step } from "#vocabulary/migrations/migration-steps";
import { silent as log } from "../../../support/silent-log.ts";
import { untilWaiting } from "./migrating-process.ts";
import {
  base,
  bookAuthor,
  catalogOf,
  connect,
  everything,
  knownStatus,
  lines,
  note,
  requiredIsbn,
  second,
  shelf,
  uniqueIsbn,
} from "./shelf.ts";

test("online steps give the same tables as the plain steps, and nothing else is left", async () => {
  const [plain, database] = [await shelf(), await shelf()];
  await plain.query(everything.up.map(stepToSql).join(";\n"));
  await migrate({ url: database.url, migrations: [base, everything], log });
  expect(await catalogOf(database.url)).toEqual(await catalogOf(plain.url));
  expect(await database.query("SELECT * FROM kirak_migration_progress")).toEqual([]);
  expect(await database.query("SELECT code FROM books ORDER BY id")).toEqual([
    { code: "a" },
    { code: "b" },
    { code: "c" },
  ]);
});

describe("a migration that fails leaves the database as it was, and the error names the place", () => {
  // biome-ignore format: one case a line
  test.each<[string, Step, string, string]>([
    ["a unique index on duplicates", uniqueIsbn, "INSERT INTO books (isbn) VALUES ('a')",
      'add_index on books): could not create unique index "books_isbn_key"'],
    ["a foreign key that points nowhere", bookAuthor, "INSERT INTO books (author_id) VALUES (99)",
      'add_foreign_key on books): insert or update on table "books" violates foreign key constraint "books_author_id_fkey"'],
    ["a check that a row breaks", knownStatus, "INSERT INTO books (status) VALUES ('lost')",
      'add_check on books): check constraint "books_status_check" of relation "books" is violated by some row'],
    ["a required column with nulls", requiredIsbn, "INSERT INTO books (isbn) VALUES (NULL)",
      'set_nullable on books): check constraint "isbn is not null" of relation "books" is violated by some row'],
    ["a type that a view keeps, which is named", { step: "set_type", table: "books", column: "isbn", type: "text" },
      "CREATE VIEW shown AS SELECT isbn FROM books",
      'set_type on books): cannot alter type of a column used by a view or rule (rule _RETURN on view shown depends on column "isbn")'],
    ["a step of the transaction that comes last", { step: "drop_table", table: "nothing" }, "SELECT",
      'drop_table on nothing): table "nothing" does not exist'],
  ])("%s", async (_, step, row, reason) => {
    const { url, query } = await shelf();
    await query(row);
    const before = await catalogOf(url);
    const index: Step = { step: "add_index",
      table: "books",
      index: { name: "books_author_id_idx", columns: ["author_id"], unique: false, live: false },
    };
    await expect(migrate({ url, migrations: [base, second([note, index, step])], log })).rejects.toThrow(
      `0002_second failed at step 3 of 3 (${reason}; nothing of it was applied`,
    );
    expect(await catalogOf(url)).toEqual(before);
    expect(await query("SELECT name FROM kirak_migrations")).toEqual([{ name: "0001_base" }]);
    expect(await migrate({ url, migrations: [base, second([note, index])], log })).toEqual(["0002_second"]);
  });
});

test("a new required column with a default does not rewrite rows", async () => {
  const { url, query } = await shelf();
  const files = "SELECT pg_relation_filenode('books') AS file, (SELECT min(xmin::text) FROM books) AS writer";
  const before = await query(files);
  const column = { name: "stock", type: "integer", nullable: false, default: { literal: 7 } } as const;
  const migration = second([
    { step: "add_column", table: "books", column },
    { ...uniqueIsbn, index: { ...uniqueIsbn.index, columns: ["stock", "isbn"] } },
  ]);
  await migrate({ url, migrations: [base, migration], log });
  expect(await query(files)).toEqual(before);
  expect(await query("SELECT DISTINCT stock FROM books")).toEqual([{ stock: 7 }]);
});

test("writes go on while an index waits for an old transaction, and the log names what it waits for", async () => {
  const { url, query } = await shelf();
  const [old, writer] = [await connect(url), await connect(url)];
  await old.query("BEGIN; UPDATE books SET status = 'sold' WHERE id = 1");
  const { log, until } = lines();
  const migrating = migrate({
    url,
    migrations: [base, second([uniqueIsbn])],
    log,
    timing: { progressMs: 10 },
  });
  await untilWaiting({ query }, "locktype = 'virtualxid'");
  const { rows } = await old.query("SELECT pg_backend_pid() AS pid");
  await until(
    new RegExp(
      `^still working on 0002_second, step 1 of 1 \\(add_index on books\\): waiting for writers before build, waits for the session with pid ${rows[0]?.pid}, \\d+ s so far$`,
    ),
  );
  await writer.query("SET lock_timeout = '5s'; INSERT INTO books (isbn) VALUES ('new')");
  await old.query("COMMIT");
  await migrating;
  await expect(query("INSERT INTO books (isbn) VALUES ('new')")).rejects.toThrow(/books_isbn_key/);
});

describe("a table that another session has locked", () => {
  const required = second([note, { step: "drop_column", table: "books", column: "isbn" }]);
  const timing = { lockTimeoutMs: 50, retryDelayMs: 1 };

  test("is retried, and no session queues behind it meanwhile", async () => {
    const { url, query } = await shelf();
    const reader = await connect(url);
    await reader.query("BEGIN; SELECT FROM books");
    const { log, until } = lines();
    const migrating = migrate({
      url,
      migrations: [base, required],
      log,
      timing: { ...timing, attempts: 10_000 },
    });
    await untilWaiting({ query }, "locktype = 'relation'");
    expect(await query("SELECT count(*)::int AS n FROM books")).toEqual([{ n: 3 }]);
    await until(
      /^0002_second, step 1 of 2 \(add_column on books\): .* lock timeout: trying again in 1 ms \(attempt 2 of 10000\)$/,
    );
    await reader.query("COMMIT");
    expect(await migrating).toEqual(["0002_second"]);
  });

  test.each<[string, Migration]>([
    ["in one transaction", required],
    ["with a part that is prepared", second([...required.up, bookAuthor])],
  ])("is given up in the end: %s", async (_, migration) => {
    const { url } = await shelf();
    const before = await catalogOf(url);
    const reader = await connect(url);
    await reader.query("BEGIN; SELECT FROM books");
    const { log, matching } = lines();
    await expect(
      migrate({ url, migrations: [base, migration], log, timing: { ...timing, attempts: 3 } }),
    ).rejects.toThrow(/^0002_second failed at step 1 of \d .* lock timeout; nothing of it was applied$/);
    expect(matching(/trying again/)).toHaveLength(2);
    expect(await catalogOf(url)).toEqual(before);
  });
});

test("waits no longer than it must, where others would wait behind it; limits of the role are not for migrations", async () => {
  const { url, query } = await shelf();
  const [database] = await query("SELECT current_database() AS name");
  await query(`ALTER DATABASE ${database?.["name"]} SET statement_timeout = '1h'`);
  await query(`
    CREATE TABLE seen (tag text, lock_timeout text, statement_timeout text);
    CREATE FUNCTION look() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO seen VALUES (tg_tag, current_setting('lock_timeout'), current_setting('statement_timeout'));
    END $$;
    CREATE EVENT TRIGGER look ON ddl_command_start WHEN TAG IN ('ALTER TABLE', 'CREATE INDEX', 'ALTER INDEX')
      EXECUTE FUNCTION look()`);
  await migrate({ url, migrations: [base, second([note, uniqueIsbn])], log });
  expect(await query("SELECT tag, lock_timeout AS lock, statement_timeout AS statement FROM seen")).toEqual([
    { tag: "ALTER TABLE", lock: "2s", statement: "0" },
    { tag: "CREATE INDEX", lock: "0", statement: "0" },
    { tag: "ALTER INDEX", lock: "2s", statement: "0" },
  ]);
});

test("a step of the transaction logs its progress, too", async () => {
  const { url } = await shelf();
  const reader = await connect(url);
  const { rows } = await reader.query("SELECT pg_backend_pid() AS pid");
  await reader.query("BEGIN; SELECT FROM books");
  const { log, until } = lines();
  const timing = { progressMs: 10, lockTimeoutMs: 60_000 };
  const migrating = migrate({ url, migrations: [base, second([note])], log, timing });
  await until(
    new RegExp(
      `^still working on 0002_second, step 1 of 1 \\(add_column on books\\): waits for the session with pid ${rows[0]?.pid}, \\d+ s so far$`,
    ),
  );
  await reader.query("COMMIT");
  expect(await migrating).toEqual(["0002_second"]);
});

afterEach(() => {
  vi.useRealTimers();
});

const noteOn = (table: string): Step => ({
  step: "add_column",
  table,
  column: { name: "note", type: "text", nullable: true },
});

test("the transaction waits for all of its tables before its long steps begin", async () => {
  const { url, query } = await shelf();
  await query(`CREATE SEQUENCE rewrites;
    CREATE FUNCTION seen() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''rewrites''); END';
    CREATE EVENT TRIGGER seen ON table_rewrite EXECUTE FUNCTION seen()`);
  const reader = await connect(url);
  await reader.query("BEGIN; SELECT FROM authors");
  const change = second([
    { step: "set_type", table: "books", column: "author_id", type: "text" },
    noteOn("authors"),
  ]);
  const options: MigrateOptions = {
    url,
    migrations: [base, change],
    log,
    timing: { lockTimeoutMs: 20, retryDelayMs: 1, attempts: 3 },
  };
  await expect(migrate(options)).rejects.toThrow(
    /^0002_second failed at step 2 of 2 \(add_column on authors\): .* lock timeout/,
  );
  expect(await query("SELECT is_called FROM rewrites")).toEqual([{ is_called: false }]);
  await reader.query("COMMIT");
  await migrate(options);
  expect(await query("SELECT last_value::int AS n, is_called FROM rewrites")).toEqual([
    { n: 1, is_called: true },
  ]);
});

test("the next table has only the rest of the time", async () => {
  const { url } = await shelf();
  const client = await connect(url);
  await client.query("BEGIN; CREATE TABLE shelves ()");
  vi.useFakeTimers({ toFake: ["performance"] });
  const statements: string[] = [];
  const { locks } = planOnline(["shelves", "books", "books", "authors", "gone"].map(noteOn));
  await lockTables(client, locks.main, 2000, async ({ sql }) => {
    statements.push(sql);
    vi.advanceTimersByTime(1500);
  });
  expect(statements).toEqual([
    "set local lock_timeout = 2000; lock table authors in access exclusive mode",
    "set local lock_timeout = 500; lock table books in access exclusive mode",
    "set local lock_timeout = 1; lock table shelves in access exclusive mode",
  ]);
  expect((await client.query("SHOW lock_timeout")).rows).toEqual([{ lock_timeout: "2s" }]);
});

/** The tables of before on which a transaction has locks that hold up writers. */
const blocked = `
  SELECT DISTINCT relation FROM pg_locks JOIN pg_class c ON c.oid = relation
  WHERE pid = pg_backend_pid() AND relkind = 'r' AND c.oid = ANY ($1) AND mode ~ '^(Share|Exclusive|AccessExclusive)'`;

/**
 * What is locked by a transaction of a plan, in a database with a foreign key from books to authors; its statements then
 * find all that they need.
 */
async function locked(phase: "ahead" | "main", steps: readonly Step[]): Promise<string[]> {
  const { url, query } = await shelf();
  await query(`ALTER TABLE books ADD CONSTRAINT books_author_id_fkey FOREIGN KEY (author_id) REFERENCES authors;
    CREATE TABLE shops (id bigint PRIMARY KEY); INSERT INTO shops VALUES (1), (2)`);
  const client = await connect(url);
  const plan = planOnline(steps);
  const before = await query("SELECT array_agg(oid::int) AS oids FROM pg_class WHERE relkind = 'r'");
  if (phase === "main") for (const { sql } of [...plan.ahead, ...plan.online]) await query(sql);
  await client.query("BEGIN");
  const tables: string[] = [];
  await lockTables(client, plan.locks[phase], 1000, async ({ sql }) => {
    tables.push(sql.replace(/^.*lock table (\w+) in (.*) mode$/, "$1 $2"));
    await client.query(sql);
  });
  const held = async () => (await client.query(blocked, [before[0]?.["oids"]])).rows;
  const taken = await held();
  for (const { sql } of plan[phase]) await client.query(sql);
  expect(taken).toEqual(expect.arrayContaining(await held()));
  await client.query("ROLLBACK");
  return tables;
}

const toShops: Step = {
  ...bookAuthor,
  foreignKey: { ...bookAuthor.foreignKey, name: "to_shops", references: { table: "shops", column: "id" } },
};

// biome-ignore format: one case a line
test.each<[string, "ahead" | "main", Step[], string[]]>([
  ["a foreign key that is prepared", "ahead", [toShops], ["books share row exclusive", "shops share row exclusive"]],
  ["a foreign key that is prepared", "main", [toShops], ["books access exclusive"]],
  ["an index that is prepared", "main", [uniqueIsbn], []],
  ["a required column", "ahead", [requiredIsbn], ["books access exclusive"]],
  ["a foreign key that goes", "main", [{ step: "drop_foreign_key", table: "books", name: "books_author_id_fkey" }],
    ["authors access exclusive", "books access exclusive"]],
  ["a column that goes with its foreign key, by its former name", "main",
    [{ step: "rename_column", table: "books", column: "author_id", to: "writer_id" }, { step: "drop_column", table: "books", column: "writer_id" }],
    ["authors access exclusive", "books access exclusive"]],
  ["a column without one", "main", [{ step: "drop_column", table: "books", column: "isbn" }], ["books access exclusive"]],
  ["a column that another table refers to", "main", [{ step: "set_type", table: "authors", column: "id", type: "integer" }],
    ["authors access exclusive", "books access exclusive"]],
  ["ids of another type, and what refers to them", "main",
    [{ step: "drop_foreign_key", table: "books", name: "books_author_id_fkey" },
      { step: "set_id_type", table: "authors", type: "uuid", references: [{ table: "books", column: "author_id", nullable: true }] }],
    ["authors access exclusive", "books access exclusive"]],
  ["a table that goes", "main", [{ step: "drop_table", table: "books" }], ["authors access exclusive", "books access exclusive"]],
  ["a table under its new name, and one that is new", "main",
    [{ step: "rename_table", table: "books", to: "works" }, noteOn("works"), { step: "create_table", table: "books", columns: [] }, noteOn("books")],
    ["books access exclusive"]],
])("is locked at once: %s, %s", async (_, phase, steps, tables) => {
  expect(await locked(phase, steps)).toEqual(tables);
});

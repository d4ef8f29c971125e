import { describe, expect, test } from "vitest";
import {
  differenceLines,
  linkMigration,
  type Migration,
  migrate,
  migrateDown,
  migrationStatus,
  plannedDown,
  type SqlMigration,
  verifyDatabase,
} from "#runtime/migrations/index";
import { testDatabase } from "../../support/database.ts";
import { silent as log } from "../../support/silent-log.ts";
import { base, second, shelf } from "./shelf.ts";

/** SQL of one's own, as the second migration. */
function own(sql: Omit<SqlMigration, "class">, parent: string | null = base.name): Migration {
  return linkMigration({ name: "0002_own", parent, sql: { class: "additive", ...sql } });
}

const audit = own({
  up: [
    `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN INSERT INTO audit (book) VALUES (NEW.id); RETURN NEW; END $$;
     CREATE TABLE audit (id bigint GENERATED ALWAYS AS IDENTITY, book bigint NOT NULL);`,
    "CREATE TRIGGER books_note AFTER INSERT ON books FOR EACH ROW EXECUTE FUNCTION note()",
  ],
  down: "DROP TRIGGER books_note ON books; DROP FUNCTION note; DROP TABLE audit",
});

describe("own SQL in a transaction", () => {
  test("is applied, shown, and taken back like others", async () => {
    const { url, query } = await shelf();
    const options = { url, migrations: [base, audit], log };
    expect(await migrate(options)).toEqual(["0002_own"]);
    await query("INSERT INTO books (isbn) VALUES ('x')");
    expect(await query("SELECT book FROM audit")).toEqual([{ book: "4" }]);
    expect(await migrationStatus(options)).toMatchObject([
      { name: "0001_base", state: "applied" },
      { name: "0002_own", state: "applied" },
    ]);
    expect(await migrate(options)).toEqual([]);
    await expect(migrateDown(options)).rejects.toThrow(
      "taking back 0002_own loses data:\n  0002_own: whatever its own SQL takes away\n",
    );
    expect(await migrateDown({ ...options, acceptDataLoss: true })).toEqual(["0002_own"]);
    expect(await query("SELECT to_regclass('audit') AS audit")).toEqual([{ audit: null }]);
    expect(await migrationStatus(options)).toMatchObject([{}, { name: "0002_own", state: "pending" }]);
  });

  test("that fails leaves nothing, and says where", async () => {
    const { url, query } = await shelf();
    const failing = own({ up: ["CREATE TABLE kept ()", "SELECT 1;\n\nSELECT nonsense FROM books"] });
    await expect(migrate({ url, migrations: [base, failing], log })).rejects.toThrow(
      '0002_own failed at text 2 of 2: column "nonsense" does not exist (line 3); nothing of it was applied',
    );
    expect(await query("SELECT to_regclass('kept') AS kept")).toEqual([{ kept: null }]);
    expect(await query("SELECT name FROM kirak_migrations")).toHaveLength(1);
  });

  test("leaves the settings of the connection as they were", async () => {
    const { url, query } = await shelf();
    const third = linkMigration({
      name: "0003_after",
      parent: "0002_own",
      sql: {
        class: "additive",
        up: "CREATE TABLE settings AS SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS patience",
      },
    });
    const spoiling = own({
      up: "CREATE SCHEMA elsewhere; SET search_path = elsewhere; SET statement_timeout = '1ms'; SET SESSION lock_timeout = '1h'",
    });
    expect(await migrate({ url, migrations: [base, spoiling, third], log })).toEqual([
      "0002_own",
      "0003_after",
    ]);
    expect(await query("SELECT * FROM settings")).toEqual([{ path: '"$user", public', patience: "0" }]);
  });

  // biome-ignore format: one case a line
  test.each([
    ["COMMIT", /^0002_own cannot be applied: up 1: COMMIT: a migration neither begins nor ends transactions/],
    ["CREATE INDEX CONCURRENTLY i ON books (isbn)", /PostgreSQL refuses that in a transaction: say transaction: false/],
    ["-- nothing", /^0002_own cannot be applied: up 1 holds no statement/],
  ])("%s is refused before anything runs", async (text, message) => {
    const { url, query } = await testDatabase();
    await expect(migrate({ url, migrations: [own({ up: text }, null)], log })).rejects.toThrow(message);
    expect(await query("SELECT to_regclass('kirak_migrations') AS history")).toEqual([{ history: null }]);
  });

  test("without a way back is not taken back, and neither is what came after it", async () => {
    const { url } = await shelf();
    const third = { ...second([]), name: "0003_third", parent: "0002_own" };
    const options = { url, migrations: [base, own({ up: "CREATE TABLE kept ()" }), third], log };
    await migrate(options);
    const message = "0002_own cannot be taken back: its file says no way (down)";
    await expect(migrateDown({ ...options, to: "0001_base", acceptDataLoss: true })).rejects.toThrow(message);
    await expect(plannedDown({ ...options, to: "0001_base" })).rejects.toThrow(message);
    expect((await migrationStatus(options)).map(({ state }) => state)).toEqual([
      "applied",
      "applied",
      "applied",
    ]);
  });

  test("that was edited after it had been applied is refused; ends of lines and its class are no edit", async () => {
    const { url } = await shelf();
    await migrate({ url, migrations: [base, own({ up: "CREATE TABLE a ();\nCREATE TABLE b ()" })], log });
    const windows = own({ up: ["CREATE TABLE a ();\r\nCREATE TABLE b ()\r\n"] });
    const breaking = linkMigration({
      name: "0002_own",
      parent: base.name,
      sql: { ...windows.sql, class: "breaks-older-code" },
    });
    expect(await migrate({ url, migrations: [base, breaking], log })).toEqual([]);
    await expect(migrate({ url, migrations: [base, own({ up: "CREATE TABLE a ()" })], log })).rejects.toThrow(
      "0002_own was altered after it had been applied to this database; restore the file",
    );
  });
});

const extension = "CREATE EXTENSION IF NOT EXISTS pg_trgm";

describe("what own SQL made is no drift", () => {
  const everything = own({
    up: [
      extension,
      "CREATE INDEX books_isbn_trgm ON books USING gin (isbn gin_trgm_ops)",
      "CREATE UNIQUE INDEX ON books (lower(isbn))",
      "CREATE VIEW drafts AS SELECT id FROM books WHERE status = 'draft'",
      "CREATE MATERIALIZED VIEW counts AS SELECT status, count(*) FROM books GROUP BY status",
      "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
      "CREATE TRIGGER touch BEFORE UPDATE ON books FOR EACH ROW EXECUTE FUNCTION touch()",
      "ALTER TABLE books ADD CHECK (status <> 'never'), ADD COLUMN searched tsvector NOT NULL DEFAULT ''",
      "CREATE TABLE log (at timestamptz)",
      "ALTER TABLE authors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
      "CREATE POLICY everybody ON authors USING (true)",
      "CREATE RULE nothing AS ON DELETE TO log DO INSTEAD NOTHING",
    ],
  });

  test("neither at once, nor after a table got another name; what it alters of the models is", async () => {
    const { url, query } = await shelf();
    const renaming = {
      ...second([{ step: "rename_table", table: "books", to: "titles" }]),
      name: "0003_rename",
      parent: "0002_own",
    };
    const options = { url, migrations: [base, everything, renaming], log };
    await migrate({ ...options, to: "0002_own" });
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await migrate(options);
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query(
      "CREATE UNIQUE INDEX by_hand ON titles (status, id); ALTER TABLE titles ALTER isbn TYPE text",
    );
    expect(differenceLines((await verifyDatabase(options)).differences)).toEqual([
      "titles.isbn  expected varchar(20), is text",
      "by_hand      unique index (status, id) on titles is not in the migrations",
    ]);
  });

  test("nor where it was noted as applied", async () => {
    const { url, query } = await shelf();
    for (const text of [everything.sql?.up ?? []].flat()) await query(text);
    const { markApplied } = await import("#runtime/migrations/index");
    const options = { url, migrations: [base, everything], log };
    expect(await markApplied({ ...options, to: "0002_own" })).toEqual(["0002_own"]);
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
  });

  test("what it changes of the models' own tables is", async () => {
    const { url } = await shelf();
    const options = {
      url,
      migrations: [base, own({ up: "ALTER TABLE books ALTER status DROP NOT NULL" })],
      log,
    };
    await migrate(options);
    expect(differenceLines((await verifyDatabase(options)).differences)).toEqual([
      "books.status  expected not null, is nullable",
    ]);
  });
});

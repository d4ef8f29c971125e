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
} from "#runtime/migrations/runner/index";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { CheckCondition } from "#vocabulary/conditions/check-tree";
import type { Column, Step } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../../support/database.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { untilWaiting } from "./migrating-process.ts";
import { authoredBooks, base, catalogOf, connect, note, second, shelf } from "./shelf.ts";

/** Custom SQL, as the second migration. */
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

describe("custom SQL in a transaction", () => {
  test("is applied, shown, and reverted like others", async () => {
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
      "reverting 0002_own loses data:\n  0002_own: data that its custom SQL removes\n",
    );
    expect(await migrateDown({ ...options, acceptDataLoss: true })).toEqual(["0002_own"]);
    expect(await query("SELECT to_regclass('audit') AS audit")).toEqual([{ audit: null }]);
    expect(await migrationStatus(options)).toMatchObject([{}, { name: "0002_own", state: "pending" }]);
  });

  test("that fails leaves nothing, and the error names the place", async () => {
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
    ["COMMIT", /^0002_own cannot be applied: up 1: COMMIT: a migration must not begin or end transactions/],
    ["CREATE INDEX CONCURRENTLY i ON books (isbn)", /PostgreSQL refuses this in a transaction: set transaction: false/],
    ["-- nothing", /^0002_own cannot be applied: up 1 has no statement/],
  ])("%s is refused before anything runs", async (text, message) => {
    const { url, query } = await testDatabase();
    await expect(migrate({ url, migrations: [own({ up: text }, null)], log })).rejects.toThrow(message);
    expect(await query("SELECT to_regclass('kirak_migrations') AS history")).toEqual([{ history: null }]);
  });

  test("without down SQL cannot be reverted, and neither can later migrations", async () => {
    const { url } = await shelf();
    const third = { ...second([]), name: "0003_third", parent: "0002_own" };
    const options = { url, migrations: [base, own({ up: "CREATE TABLE kept ()" }), third], log };
    await migrate(options);
    const message = "0002_own cannot be reverted: its file has no down";
    await expect(migrateDown({ ...options, to: "0001_base", acceptDataLoss: true })).rejects.toThrow(message);
    await expect(plannedDown({ ...options, to: "0001_base" })).rejects.toThrow(message);
    expect((await migrationStatus(options)).map(({ state }) => state)).toEqual([
      "applied",
      "applied",
      "applied",
    ]);
  });

  test("that was edited after it had been applied is refused; ends of lines and its class do not count as edits", async () => {
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
      "0002_own was changed after it was applied to this database; restore the file",
    );
  });
});

const extension = "CREATE EXTENSION IF NOT EXISTS pg_trgm";

describe("objects of custom SQL are not drift", () => {
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
    const { markApplied } = await import("#runtime/migrations/runner/index");
    const options = { url, migrations: [base, everything], log };
    expect(await markApplied({ ...options, to: "0002_own" })).toEqual(["0002_own"]);
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
  });

  test("its changes to the models' own tables are drift", async () => {
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

const columns: Column[] = [
  { name: "id", type: "bigint", nullable: false, default: "identity" },
  ...(
    [
      ["Name", "varchar(20)"],
      ["number_of_rows", "integer"],
      ["most", "bigint"],
      ["price", "double precision"],
      ["is_open", "boolean"],
      ["day", "date"],
      ["moment", "timestamptz(3)"],
      ["one", "uuid"],
      ["sum", "numeric(20,2)"],
      ["tags", "varchar(20)[]"],
      ["sums", "numeric(20,2)[]"],
      ["opens", "time(3)"],
    ] as const
  ).map(([name, type]): Column => ({ name, type, nullable: true })),
];
const both = (...conditions: CheckCondition[]): CheckCondition => ({ op: "and", conditions });

describe("the rows that a condition accepts and refuses", () => {
  // biome-ignore format: one case a line
  test.each<[string, CheckCondition, string[], string[]]>([
    ["a text with quotes, dollars and a backslash", { op: "ne", field: "Name", value: "it's $do$ \\n" }, ["\"Name\" = 'its'", '"Name" = null'],
      ["\"Name\" = 'it''s $do$ \\n'"]],
    ["a pattern in which a backslash is itself", { op: "like", field: "Name", value: "a\\%" }, ["\"Name\" = 'a\\b'", "\"Name\" = 'a\\'"],
      ["\"Name\" = 'a%'", "\"Name\" = 'A\\b'"]],
    ["a pattern in any case", { op: "ilike", field: "Name", value: "a_c" }, ["\"Name\" = 'aBC'"], ["\"Name\" = 'ac'"]],
    ["two columns of other types",
      both({ op: "lte", field: "number_of_rows", value: { field: "most" } }, { op: "lt", field: "most", value: { field: "price" } }),
      ["number_of_rows = 3, most = 3", "number_of_rows = 3", "most = 1, price = 1.5"],
      ["number_of_rows = 4, most = 3", "number_of_rows = 3, most = 3, price = 3"]],
    ["numbers, exactly",
      both({ op: "eq", field: "price", value: 0.1 }, { op: "gte", field: "most", value: -9007199254740991 },
        { op: "between", field: "number_of_rows", from: -2, to: 2 }), ["price = 0.1, most = -9007199254740991, number_of_rows = -2"],
      ["price = 0.1000000001", "most = -9007199254740992", "number_of_rows = 3"]],
    ["lists, of which one with NULL is unknown",
      both({ op: "in", field: "Name", values: ["a", "b"] }, { op: "not_in", field: "number_of_rows", values: [1, 2] }),
      ["\"Name\" = 'b', number_of_rows = 3", "number_of_rows = null"], ["\"Name\" = 'c'", "number_of_rows = 2"]],
    ["exact numbers, and lists of them",
      both({ op: "gte", field: "sum", value: "123456789012345678.91" },
        { op: "overlaps", field: "sums", values: ["0.10", "123456789012345678.91"] }),
      ["sum = 123456789012345678.91, sums = '{1, 123456789012345678.91}'", "sum = null, sums = null"],
      ["sum = 123456789012345678.90", "sums = '{123456789012345678.90}'", "sums = '{}'"]],
    ["elements of lists, with commas, quotes, braces and backslashes",
      both({ op: "contains", field: "tags", value: `a,"b'{}\\` },
        { op: "not", condition: { op: "overlaps", field: "tags", values: ["NULL", ""] } }), [`tags = array['x', 'a,"b''{}\\']`, "tags = null"],
      ["tags = array['a']", `tags = array['', 'a,"b''{}\\']`, `tags = array['NULL', 'a,"b''{}\\']`]],
    ["booleans and what is not unknown", { op: "not", condition: { op: "eq", field: "is_open", value: true } },
      ["is_open = false", "is_open = null"], ["is_open = true"]],
    ["dates, moments and UUIDs",
      both({ op: "gt", field: "day", value: "2026-01-31" }, { op: "lt", field: "moment", value: "2026-01-31T12:00:00.000Z" },
        { op: "ne", field: "one", value: "00000000-0000-4000-8000-000000000000" }), ["day = '2026-02-01', moment = '2026-01-31T11:59:59.999Z'"],
      ["day = '2026-01-31'", "moment = '2026-01-31T12:00Z'", "one = '00000000-0000-4000-8000-000000000000'"]],
    ["exact numbers and times of day",
      both({ op: "lte", field: "sum", value: "123456789012345678.25" }, { op: "gte", field: "sum", value: { field: "most" } },
        { op: "lt", field: "opens", value: "12:00:00.000" }), ["sum = 123456789012345678.25, most = 123456789012345678, opens = '11:59:59.999'"],
      ["sum = 123456789012345678.26", "sum = 2.99, most = 3", "opens = '12:00'"]],
    ["null checks", { op: "or", conditions: [{ op: "is_null", field: "day" }, { op: "is_not_null", field: "moment" }] },
      ["day = null", "day = now(), moment = now()"], ["day = now()"]],
  ])("%s", async (_, condition, fine, broken) => {
    const add: Step = { step: "add_check", table: "things", check: { name: "things_01_check", condition } };
    const create: Step = { step: "create_table", table: "things", columns };
    const { query } = await testDatabase([]);
    await query([create, add].map(stepToSql).join(";\n"));
    const row = (change: string) =>
      `insert into things default values; update things set ${change} where id = lastval()`;
    for (const change of fine) await query(row(change));
    for (const change of broken)
      await expect(query(row(change)), change).rejects.toMatchObject({ code: "23514",
        constraint: "things_01_check",
      });
    // A check that is added after the rows finds the same violations.
    await query("alter table things drop constraint things_01_check");
    for (const change of broken) await query(row(change));
    const rows = broken.length === 1 ? "1 row breaks" : `${broken.length} rows break`;
    await expect(query(stepToSql(add))).rejects.toThrow(`${rows} the check "things_01_check": SELECT * from`);
  });
});

test("no statement is advised on a name that the failed migration would have given", async () => {
  const { url } = await shelf();
  const renamed: Step = { step: "rename_table", table: "books", to: "novels" };
  const migration = second([renamed, { ...authoredBooks, table: "novels" }]);
  await expect(migrate({ url, migrations: [base, migration], log })).rejects.toThrow(
    '2 rows break the check "books_01_authored_check"; nothing of it was applied',
  );
});

describe("rows that break a check stop the migration, the error has their number, and nothing of the step stays", () => {
  const retyped: Step = { step: "set_type", table: "books", column: "status", type: "varchar(20)" };
  test.each<[string, Step[]]>([
    ["while the database is in use", [note, authoredBooks]],
    ["in one transaction, where a column of it changes", [retyped, authoredBooks]],
  ])("%s", async (_, steps) => {
    const { url, query } = await shelf();
    const before = await catalogOf(url);
    const migration = second(steps);
    await expect(migrate({ url, migrations: [base, migration], log })).rejects.toThrow(
      '0002_second failed at step 2 of 2 (add_check on books): 2 rows break the check "books_01_authored_check": ' +
        'SELECT * from "books" where not (("author_id" is null) or ("status" <> \'draft\')); nothing of it was applied',
    );
    expect(await catalogOf(url)).toEqual(before);
    const advised = `SELECT * from "books" where not (("author_id" is null) or ("status" <> 'draft'))`;
    expect(await query(advised)).toHaveLength(2);
    expect(await query("SELECT name FROM kirak_migrations")).toEqual([{ name: "0001_base" }]);
    await query("UPDATE books SET status = 'sold' WHERE author_id IS NOT NULL");
    expect(await migrate({ url, migrations: [base, migration], log })).toEqual(["0002_second"]);
    await expect(query("UPDATE books SET status = 'draft'")).rejects.toThrow(/books_01_authored_check/);
  });
});

test("while the rows that are there are read, others read and write", async () => {
  const { url, query } = await shelf();
  await query("UPDATE books SET status = 'sold'");
  // At its end the validation waits, with all of its locks, for the session that holds this one.
  await query(`CREATE FUNCTION hold() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'books'::regclass AND contype = 'c' AND convalidated)
      THEN PERFORM pg_advisory_xact_lock(1); END IF;
    END $$;
    CREATE EVENT TRIGGER hold ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION hold()`);
  const [holder, other] = [await connect(url), await connect(url)];
  await holder.query("SELECT pg_advisory_lock(1)");
  const migrating = migrate({ url, migrations: [base, second([authoredBooks])], log });
  await untilWaiting({ query }, "locktype = 'advisory'");
  await other.query(`SET lock_timeout = '5s'; SELECT FROM books;
    INSERT INTO books (isbn) VALUES ('new'); UPDATE books SET isbn = 'newer' WHERE isbn = 'new'`);
  // By then no session can add rows that it refuses.
  await expect(other.query("INSERT INTO books (author_id) VALUES (1)")).rejects.toMatchObject({
    code: "23514",
  });
  await holder.query("SELECT pg_advisory_unlock(1)");
  expect(await migrating).toEqual(["0002_second"]);
});

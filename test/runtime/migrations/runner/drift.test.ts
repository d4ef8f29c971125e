import { describe, expect, test } from "vitest";
import { defineMigration, differenceLines, verifyDatabase } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";

// biome-ignore format: many a line
const shop = defineMigration({
  name: "0001_shop", parent: null,
  up: [
    {
      step: "create_table", table: "authors",
      columns: [{ name: "id", type: "bigint", nullable: false, default: "identity" }],
    },
    {
      step: "create_table", table: "books",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(200)", nullable: false },
        { name: "isbn", type: "varchar(17)", nullable: true },
        { name: "author_id", type: "bigint", nullable: true },
        { name: "status", type: "varchar(9)", nullable: false, default: { literal: "draft" } },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index", table: "books",
      index: { name: "books_isbn_key", columns: ["isbn"], unique: true, live: true },
    },
    {
      step: "add_index", table: "books",
      index: { name: "books_author_id_idx", columns: ["author_id"], unique: false, live: false },
    },
    {
      step: "add_index", table: "books",
      index: { name: "books_author_id_key", columns: ["author_id", "status"], unique: true, live: false },
    },
    {
      step: "add_check", table: "books",
      check: { name: "books_status_check", column: "status", oneOf: ["draft", "it's out"] },
    },
    {
      step: "add_check", table: "books",
      check: {
        name: "books_01_sold_check",
        condition: {
          op: "or",
          conditions: [
            { op: "not", condition: { op: "like", field: "status", value: "a\\%" } },
            { op: "in", field: "status", values: ["draft", "it's out"] },
          ],
        },
      },
    },
    {
      step: "add_foreign_key", table: "books",
      foreignKey: {
        name: "books_author_id_fkey", column: "author_id", references: { table: "authors", column: "id" },
        onDelete: "cascade",
      },
    },
  ],
  down: [],
});

interface Drift {
  readonly by: string;
  readonly undo: string;
  readonly lines: readonly string[];
}

const drop = (constraint: string) => `ALTER TABLE books DROP CONSTRAINT ${constraint}`;
const addSold = (condition: string) =>
  `ALTER TABLE books ADD CONSTRAINT books_01_sold_check CHECK (${condition})`;
const addForeignKey = (rule: string) =>
  `ALTER TABLE books ADD CONSTRAINT books_author_id_fkey FOREIGN KEY (author_id) REFERENCES ${rule}`;
const foreignKey = "FOREIGN KEY (author_id) REFERENCES authors(id) ON DELETE CASCADE";
const rebuildForeignKey = `${drop("books_author_id_fkey")}; ${addForeignKey("authors ON DELETE CASCADE")}`;
const addCheck = (values: string) =>
  `ALTER TABLE books ADD CONSTRAINT books_status_check CHECK (status IN (${values}))`;
const addUnique =
  "DROP INDEX IF EXISTS books_isbn_key; CREATE UNIQUE INDEX books_isbn_key ON books (isbn) WHERE deleted_at IS NULL";

/** Each does harm: to what a service writes, to what it is promised, or to the next migration. */
// biome-ignore format: many a line
const faults: Readonly<Record<string, Drift>> = {
  "a table that is gone": {
    by: "ALTER TABLE authors RENAME TO writers", undo: "ALTER TABLE writers RENAME TO authors",
    lines: [
      "authors               table is missing",
      expect.stringMatching(/^books_author_id_fkey {2}expected FOREIGN KEY .*, is FOREIGN KEY .* writers\(id\)/),
    ],
  },
  "a view in place of a table": {
    by: "ALTER TABLE authors RENAME TO writers; CREATE VIEW authors AS SELECT id FROM writers",
    undo: "DROP VIEW authors; ALTER TABLE writers RENAME TO authors",
    lines: ["authors               expected table, is view", expect.stringContaining("writers")],
  },
  "a column that is gone": {
    by: "ALTER TABLE books RENAME title TO headline; ALTER TABLE books ALTER headline DROP NOT NULL",
    undo: "ALTER TABLE books RENAME headline TO title; ALTER TABLE books ALTER title SET NOT NULL",
    lines: ["books.title  column varchar(200) not null is missing"],
  },
  "a column that every row needs": {
    by: "ALTER TABLE books ADD shelf integer NOT NULL", undo: "ALTER TABLE books DROP shelf",
    lines: ["books.shelf  column integer not null is not in the migrations"],
  },
  "another length": {
    by: "ALTER TABLE books ALTER title TYPE varchar(100)",
    undo: "ALTER TABLE books ALTER title TYPE varchar(200)",
    lines: ["books.title  expected varchar(200), is varchar(100)"],
  },
  "another type": {
    by: "ALTER TABLE books ALTER deleted_at TYPE timestamp",
    undo: "ALTER TABLE books ALTER deleted_at TYPE timestamptz(3)",
    lines: ["books.deleted_at  expected timestamptz(3), is timestamp"],
  },
  "a column that may be null": {
    by: "ALTER TABLE books ALTER title DROP NOT NULL", undo: "ALTER TABLE books ALTER title SET NOT NULL",
    lines: ["books.title  expected not null, is nullable"],
  },
  "a column that must not be null": {
    by: "ALTER TABLE books ALTER isbn SET NOT NULL", undo: "ALTER TABLE books ALTER isbn DROP NOT NULL",
    lines: ["books.isbn  expected nullable, is not null"],
  },
  "another default": {
    by: "ALTER TABLE books ALTER status SET DEFAULT 'it''s out'",
    undo: "ALTER TABLE books ALTER status SET DEFAULT 'draft'",
    lines: [
      "books.status  expected default 'draft'::character varying, is default 'it''s out'::character varying",
    ],
  },
  "no default": {
    by: "ALTER TABLE books ALTER created_at DROP DEFAULT",
    undo: "ALTER TABLE books ALTER created_at SET DEFAULT CURRENT_TIMESTAMP",
    lines: ["books.created_at  expected default now(), is no default"],
  },
  "a column that PostgreSQL computes": {
    by: "ALTER TABLE books DROP isbn; ALTER TABLE books ADD isbn varchar(17) GENERATED ALWAYS AS (title) STORED",
    undo: `ALTER TABLE books DROP isbn; ALTER TABLE books ADD isbn varchar(17); ${addUnique}`,
    lines: [
      "books.isbn      expected no default, is generated as title",
      "books_isbn_key  unique index (isbn) where (deleted_at IS NULL) on books is missing",
    ],
  },
  "no identity": {
    by: "ALTER TABLE books ALTER id DROP IDENTITY",
    undo: "ALTER TABLE books ALTER id ADD GENERATED BY DEFAULT AS IDENTITY",
    lines: ["books.id  expected identity (generated by default), is no identity"],
  },
  "an identity that takes no value": {
    by: "ALTER TABLE books ALTER id SET GENERATED ALWAYS",
    undo: "ALTER TABLE books ALTER id SET GENERATED BY DEFAULT",
    lines: ["books.id  expected identity (generated by default), is identity (generated always)"],
  },
  "an identity that comes to its end": {
    by: "ALTER TABLE books ALTER id SET MAXVALUE 5", undo: "ALTER TABLE books ALTER id SET NO MAXVALUE",
    lines: ["books.id  expected counting to 9223372036854775807 by 1, is counting to 5 by 1"],
  },
  "an identity that restarts": {
    by: "ALTER TABLE books ALTER id SET CYCLE", undo: "ALTER TABLE books ALTER id SET NO CYCLE",
    lines: [
      expect.stringMatching(/^books\.id {2}expected counting to \d+ by 1, is .* by 1, then from the beginning$/),
    ],
  },
  "an identity that counts down": {
    by: "ALTER TABLE books ALTER id SET INCREMENT -1", undo: "ALTER TABLE books ALTER id SET INCREMENT 1",
    lines: [expect.stringMatching(/^books\.id {2}expected counting to \d+ by 1, is counting to \d+ by -1$/)],
  },
  "a NOT NULL that was not validated": {
    by: "ALTER TABLE books ALTER title DROP NOT NULL, ADD CONSTRAINT titled NOT NULL title NOT VALID",
    undo: "ALTER TABLE books VALIDATE CONSTRAINT titled",
    lines: ["books.title  expected not null, is not null, not validated: older rows can be null"],
  },
  "a rule": {
    by: "CREATE RULE away AS ON INSERT TO books DO INSTEAD NOTHING", undo: "DROP RULE away ON books",
    lines: ["away  rule that rewrites statements on books is not in the migrations"],
  },
  "a table that is not logged": {
    by: "ALTER TABLE books SET UNLOGGED", undo: "ALTER TABLE books SET LOGGED",
    lines: ["books  expected logged, is unlogged: a crash empties it"],
  },
  "tables that inherit": {
    by: "CREATE SCHEMA away; CREATE TABLE away.more () INHERITS (books); CREATE TABLE more () INHERITS (books)",
    undo: "DROP SCHEMA away CASCADE; DROP TABLE more",
    lines: ["books  expected not inherited, is inherited by away.more, more"],
  },
  "no primary key": {
    by: "ALTER TABLE books DROP CONSTRAINT books_pkey", undo: "ALTER TABLE books ADD PRIMARY KEY (id)",
    lines: ["books  PRIMARY KEY (id) is missing"],
  },
  "another primary key": {
    by: "ALTER TABLE books DROP CONSTRAINT books_pkey; ALTER TABLE books ADD PRIMARY KEY (id, title)",
    undo: "ALTER TABLE books DROP CONSTRAINT books_pkey; ALTER TABLE books ADD PRIMARY KEY (id)",
    lines: ["books  expected PRIMARY KEY (id), is PRIMARY KEY (id, title)"],
  },
  "a unique index that is gone": {
    by: "DROP INDEX books_isbn_key", undo: addUnique,
    lines: ["books_isbn_key  unique index (isbn) where (deleted_at IS NULL) on books is missing"],
  },
  "an index that is no longer unique": {
    by: "DROP INDEX books_isbn_key; CREATE INDEX books_isbn_key ON books (isbn) WHERE deleted_at IS NULL",
    undo: addUnique,
    lines: [
      "books_isbn_key  expected unique index (isbn) where (deleted_at IS NULL), is index (isbn) where (deleted_at IS NULL)",
    ],
  },
  "an index over all rows": {
    by: "DROP INDEX books_isbn_key; CREATE UNIQUE INDEX books_isbn_key ON books (isbn)", undo: addUnique,
    lines: [
      "books_isbn_key  expected unique index (isbn) where (deleted_at IS NULL), is unique index (isbn)",
    ],
  },
  "an index over something else": {
    by: "DROP INDEX books_author_id_idx; CREATE INDEX books_author_id_idx ON books USING hash (author_id)",
    undo: "DROP INDEX books_author_id_idx; CREATE INDEX books_author_id_idx ON books (author_id) WITH (fillfactor = 70)",
    lines: ["books_author_id_idx  expected index (author_id), is index USING hash (author_id)"],
  },
  "an index that is not valid": {
    by: "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'books_isbn_key'::regclass",
    undo: "REINDEX INDEX books_isbn_key",
    lines: ["books_isbn_key  expected a valid index, is invalid: its creation failed"],
  },
  "an unexpected unique index": {
    by: "CREATE UNIQUE INDEX one_title ON books (title)", undo: "DROP INDEX one_title",
    lines: ["one_title  unique index (title) on books is not in the migrations"],
  },
  "a foreign key that is gone": {
    by: drop("books_author_id_fkey"), undo: addForeignKey("authors ON DELETE CASCADE"),
    lines: [`books_author_id_fkey  ${foreignKey} on books is missing`],
  },
  "a foreign key with another rule": {
    by: `${drop("books_author_id_fkey")}; ${addForeignKey("authors")}`, undo: rebuildForeignKey,
    lines: [
      `books_author_id_fkey  expected ${foreignKey}, is FOREIGN KEY (author_id) REFERENCES authors(id)`,
    ],
  },
  "a foreign key into another schema": {
    by: `CREATE SCHEMA away; CREATE TABLE away.authors (id bigint PRIMARY KEY);
      ${drop("books_author_id_fkey")}; ${addForeignKey("away.authors ON DELETE CASCADE")}`,
    undo: `${rebuildForeignKey}; DROP SCHEMA away CASCADE`,
    lines: [
      `books_author_id_fkey  expected ${foreignKey}, is FOREIGN KEY (author_id) REFERENCES away.authors(id) ON DELETE CASCADE`,
    ],
  },
  "a foreign key that is checked too late": {
    by: `${drop("books_author_id_fkey")}; ${addForeignKey("authors ON DELETE CASCADE INITIALLY DEFERRED")}`,
    undo: rebuildForeignKey,
    lines: [`books_author_id_fkey  expected ${foreignKey}, is ${foreignKey} DEFERRABLE INITIALLY DEFERRED`],
  },
  "a foreign key that was not validated": {
    by: `${drop("books_author_id_fkey")}; ${addForeignKey("authors ON DELETE CASCADE NOT VALID")}`,
    undo: "ALTER TABLE books VALIDATE CONSTRAINT books_author_id_fkey",
    lines: ["books_author_id_fkey  expected validated, is not validated: older rows can violate it"],
  },
  "a foreign key that is not enforced": {
    by: "ALTER TABLE books DISABLE TRIGGER ALL", undo: "ALTER TABLE books ENABLE TRIGGER ALL",
    lines: ["books_author_id_fkey  expected enforced, is not enforced: it was turned off"],
  },
  "a check that is gone": {
    by: drop("books_status_check"), undo: addCheck("'draft', 'it''s out'"),
    lines: [expect.stringMatching(/^books_status_check {2}CHECK \(.*'it''s out'.*\) on books is missing$/)],
  },
  "a check of other values": {
    by: `${drop("books_status_check")}; ${addCheck("'draft', 'out'")}`,
    undo: `${drop("books_status_check")}; ${addCheck("'draft', 'it''s out'")}`,
    lines: [expect.stringMatching(/^books_status_check {2}expected CHECK .*'it''s out'.*, is CHECK .*'out'/)],
  },
  "a condition that is another one": {
    by: `${drop("books_01_sold_check")}; ${addSold("status NOT LIKE 'b%'")}`,
    undo: `${drop("books_01_sold_check")}; ${addSold(String.raw`NOT (status LIKE 'a\\%') OR status IN ('draft', 'it''s out')`)}`,
    lines: [expect.stringMatching(/^books_01_sold_check {2}expected CHECK .*~~ 'a.*, is CHECK .*'b%'/)],
  },
  "a check that was not validated": {
    by: `${drop("books_status_check")}; ${addCheck("'draft', 'it''s out'")} NOT VALID`,
    undo: "ALTER TABLE books VALIDATE CONSTRAINT books_status_check",
    lines: ["books_status_check  expected validated, is not validated: older rows can violate it"],
  },
  "an unexpected check": {
    by: "ALTER TABLE books ADD CONSTRAINT long CHECK (title <> '')", undo: drop("long"),
    lines: ["long  CHECK (((title)::text <> ''::text)) on books is not in the migrations"],
  },
  "a unique constraint that upserts cannot use": {
    by: "ALTER TABLE books ADD CONSTRAINT one UNIQUE (title) DEFERRABLE", undo: drop("one"),
    lines: ["one  UNIQUE (title) DEFERRABLE on books is not in the migrations"],
  },
};

/** What a service can live with. */
// biome-ignore format: many a line
const additions: Readonly<Record<string, Drift>> = {
  "a table": {
    by: "CREATE TABLE audit (id bigint PRIMARY KEY, book bigint REFERENCES books)", undo: "DROP TABLE audit",
    lines: ["audit  table is not in the migrations"],
  },
  "a view": {
    by: "CREATE VIEW recent AS SELECT id FROM books", undo: "DROP VIEW recent",
    lines: ["recent  view is not in the migrations"],
  },
  "columns that fill themselves": {
    by: `ALTER TABLE books ADD note text, ADD rank integer NOT NULL DEFAULT 1,
      ADD number bigint GENERATED ALWAYS AS IDENTITY`,
    undo: "ALTER TABLE books DROP note, DROP rank, DROP number",
    lines: [
      "books.note    column text is not in the migrations",
      "books.rank    column integer not null is not in the migrations",
      "books.number  column bigint not null is not in the migrations",
    ],
  },
  "an index": {
    by: "CREATE INDEX by_hand ON books (lower(title))", undo: "DROP INDEX by_hand",
    lines: ["by_hand  index USING btree (lower(title::text)) on books is not in the migrations"],
  },
  "a default where the models have none": {
    by: "ALTER TABLE books ALTER isbn SET DEFAULT 'none'", undo: "ALTER TABLE books ALTER isbn DROP DEFAULT",
    lines: ["books.isbn  expected no default, is default 'none'::character varying"],
  },
  "a domain of the right type": {
    by: "CREATE DOMAIN code AS varchar(17) CHECK (VALUE <> ''); ALTER TABLE books ALTER isbn TYPE code",
    undo: "ALTER TABLE books ALTER isbn TYPE varchar(17); DROP DOMAIN code",
    lines: ["books.isbn  expected varchar(17), is code"],
  },
  "a required column that a trigger fills": {
    by: `CREATE FUNCTION shelve() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.shelf = 1; RETURN NEW; END';
      ALTER TABLE books ADD shelf integer NOT NULL; CREATE TRIGGER shelve BEFORE INSERT ON books FOR EACH ROW EXECUTE FUNCTION shelve()`,
    undo: "DROP TRIGGER shelve ON books; ALTER TABLE books DROP shelf; DROP FUNCTION shelve",
    lines: [
      "books.shelf  column integer not null is not in the migrations", expect.stringContaining("shelve"),
    ],
  },
  "another collation": {
    by: 'ALTER TABLE books ALTER title TYPE varchar(200) COLLATE "C"',
    undo: "ALTER TABLE books ALTER title TYPE varchar(200)",
    lines: ["books.title  expected collation default, is collation C"],
  },
  "a trigger": {
    by: `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER watch BEFORE INSERT ON books FOR EACH ROW EXECUTE FUNCTION nothing()`,
    undo: "DROP FUNCTION nothing CASCADE",
    lines: [
      "watch  trigger before each row, which can change or skip the row, on books is not in the migrations",
    ],
  },
  "a trigger that only looks on": {
    by: `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER watch AFTER INSERT ON books FOR EACH ROW EXECUTE FUNCTION nothing();
      CREATE TRIGGER count BEFORE INSERT ON books EXECUTE FUNCTION nothing()`,
    undo: "DROP FUNCTION nothing CASCADE",
    lines: [
      "count  trigger on books is not in the migrations", "watch  trigger on books is not in the migrations",
    ],
  },
  "ids with gaps": {
    by: "ALTER TABLE books ALTER id SET INCREMENT 10", undo: "ALTER TABLE books ALTER id SET INCREMENT 1",
    lines: [
      "books.id  expected counting to 9223372036854775807 by 1, is counting to 9223372036854775807 by 10",
    ],
  },
  "a constraint in place of an index": {
    by: "DROP INDEX books_author_id_key; ALTER TABLE books ADD CONSTRAINT books_author_id_key UNIQUE (author_id, status)",
    undo: `${drop("books_author_id_key")}; CREATE UNIQUE INDEX books_author_id_key ON books (author_id, status)`,
    lines: ["books_author_id_key  UNIQUE (author_id, status) on books is not in the migrations"],
  },
  "a foreign key that follows keys which never change": {
    by: `${drop("books_author_id_fkey")}; ${addForeignKey("authors ON DELETE CASCADE ON UPDATE CASCADE")}`,
    undo: rebuildForeignKey,
    lines: [expect.stringMatching(/^books_author_id_fkey {2}expected .*, is .* ON UPDATE CASCADE/)],
  },
};

describe("drift", async () => {
  const { url, query } = await testDatabase([shop]);
  const verify = async () => {
    const { differences, notes } = await verifyDatabase({ url, migrations: [shop], log: silent });
    return { differences: differenceLines(differences), notes: differenceLines(notes) };
  };
  const nothing = { differences: [], notes: [] };

  test("no drift after a migration", async () => {
    expect(await verify()).toEqual(nothing);
  });

  test.each(Object.entries(faults))("%s", async (_, { by, undo, lines }) => {
    await query(by);
    const { differences } = await verify();
    await query(undo);
    expect(differences).toEqual(lines);
    expect(await verify()).toEqual(nothing);
  });

  test.each(Object.entries(additions))("no harm: %s", async (_, { by, undo, lines }) => {
    await query(by);
    const found = await verify();
    await query(undo);
    expect(found).toEqual({ differences: [], notes: lines });
    expect(await verify()).toEqual(nothing);
  });

  test("is data too", async () => {
    await query("ALTER TABLE books ALTER title TYPE text; ALTER TABLE books ADD note text");
    expect(await verifyDatabase({ url, migrations: [shop], log: silent })).toEqual({
      differences: [
        { kind: "type", table: "books", name: "title", expected: "varchar(200)", actual: "text" },
      ],
      notes: [{ kind: "column", table: "books", name: "note", expected: null, actual: "column text" }],
      applied: 1,
      pending: [],
      unfinished: [],
    });
    await query("ALTER TABLE books ALTER title TYPE varchar(200); ALTER TABLE books DROP note");
  });

  test("the name of a primary key does not count: it stays when a table is renamed", async () => {
    await query("ALTER TABLE books RENAME CONSTRAINT books_pkey TO named_otherwise");
    expect(await verify()).toEqual(nothing);
    await query("ALTER TABLE books RENAME CONSTRAINT named_otherwise TO books_pkey");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { differenceLines, migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import { password } from "../../support/accounts.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { type AdoptedProject, adoptedProject } from "./adopted-project.ts";
import { chinook } from "./chinook.ts";
import { pagila } from "./pagila.ts";

const cinema = `
  CREATE TYPE rating AS ENUM ('G', 'PG');
  CREATE SEQUENCE numbers;
  CREATE FUNCTION code() RETURNS text LANGUAGE sql AS 'SELECT ''a''::text';
  CREATE TABLE language (language_id serial PRIMARY KEY, name char(20) NOT NULL);
  COMMENT ON TABLE language IS 'What is spoken';
  CREATE TABLE film (
    film_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title varchar(128) NOT NULL,
    code text NOT NULL DEFAULT code(),
    language_id smallint NOT NULL REFERENCES language,
    rating rating DEFAULT 'G',
    rental_rate numeric(4,2) NOT NULL DEFAULT 4.99,
    half numeric GENERATED ALWAYS AS (rental_rate / 2) STORED,
    special text[] DEFAULT '{}',
    fulltext tsvector NOT NULL DEFAULT '',
    poster bytea,
    "Weird Column" real,
    created_at timestamp NOT NULL DEFAULT now(),
    updated_at date,
    deleted_at timestamptz
  );
  CREATE INDEX film_title ON film (title);
  CREATE INDEX film_lower ON film (lower(title));
  ALTER TABLE film ADD CONSTRAINT positive CHECK (rental_rate > 0);
  CREATE TABLE film_actor (film_id integer REFERENCES film ON DELETE CASCADE, actor_no integer, PRIMARY KEY (film_id, actor_no));
  CREATE TABLE detail (film_id integer PRIMARY KEY REFERENCES film, note text UNIQUE);
  CREATE TABLE codes (code varchar(10) PRIMARY KEY, valid_until timestamptz);
  CREATE TABLE notes (body text);
  CREATE TABLE big (id bigint PRIMARY KEY, at timestamp DEFAULT now());
  CREATE VIEW titles AS SELECT film_id FROM film;
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER touch BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION touch();
  INSERT INTO codes VALUES ('a', 'infinity');
  INSERT INTO language (name) VALUES ('English');
`;

/** Two schemas with equal names, and a table with the name of one of Kirak's own. */
const shops = `
  CREATE SCHEMA sales;
  CREATE TYPE sales.state AS ENUM ('open', 'paid');
  CREATE TABLE items (id uuid PRIMARY KEY, name text NOT NULL);
  CREATE TABLE sales.orders (order_no integer PRIMARY KEY, item uuid NOT NULL REFERENCES items, state sales.state NOT NULL);
  CREATE INDEX by_item ON sales.orders (item);
  CREATE TABLE sales.items (id bigserial PRIMARY KEY, order_no integer REFERENCES sales.orders ON DELETE CASCADE);
  CREATE TABLE sales.countries (iso text PRIMARY KEY);
  CREATE TABLE sales.a_table_whose_name_is_nearly_as_long_as_postgresql_allows_it (iso text PRIMARY KEY REFERENCES sales.countries);
  CREATE TABLE sales.cities (id serial PRIMARY KEY, iso text
    REFERENCES sales.a_table_whose_name_is_nearly_as_long_as_postgresql_allows_it, name text);
  CREATE UNIQUE INDEX an_index_with_a_name_that_is_as_long_as_postgresql_allows_1 ON sales.cities (name);
  CREATE INDEX an_index_with_a_name_that_is_as_long_as_postgresql_allows_2 ON sales.cities (iso);
  CREATE SCHEMA reports;
  CREATE VIEW reports.paid AS SELECT order_no FROM sales.orders WHERE state = 'paid';
`;

interface Adopted {
  readonly own: AdoptedProject;
  readonly db: TestDatabase;
  readonly models: Record<string, unknown>;
}

async function adopted(statements: string, ...flags: readonly string[]): Promise<Adopted> {
  const db = await testDatabase();
  await db.query(statements);
  const own = adoptedProject(db.url);
  expect(await own.introspect(...flags)).toMatchObject({ status: 0, stderr: "" });
  return { own, db, models: JSON.parse(readFileSync(join(own.root, "models/models.json"), "utf8")) };
}

/** Runs the migrations of a project, and compares the database with them. */
async function database(own: AdoptedProject, url: string) {
  const options = { url, ...(await own.migrations()), log: silent };
  return {
    migrate: async () => (await migrate(options)).filter((name) => !name.startsWith("kirak_")),
    async verify() {
      const { differences, notes } = await verifyDatabase(options);
      return { differences: differenceLines(differences), notes };
    },
  };
}

const clean = { differences: [], notes: [] };

test("tables are described as they are", async () => {
  const { own, models } = await adopted(cinema, "--views", "--remarks", "remarks.txt");
  expect(models).toMatchObject({
    film: {
      columns: {
        id: { column: "film_id", db_type: "integer" },
        created_at: { db_type: "timestamp" },
        updated_at: null,
      },
      fields: {
        title: { type: "string", max_length: 128, required: true, index: true },
        code: { type: "text", required: true, default: { sql: true } },
        language_id: { type: "belongs_to", db_type: "smallint", relationship: { model: "language" } },
        rating: { type: "string", db_type: "rating", enum: ["G", "PG"], default: "G" },
        rental_rate: { type: "decimal", precision: 4, scale: 2, default: "4.99" },
        half: { type: "decimal", db_type: "numeric", generated: true },
        special: { type: "text[]", default: { sql: true } },
        fulltext: { type: "text", db_type: "tsvector" },
        Weird_Column: { type: "float", db_type: "real", column: "Weird Column" },
        updated_at_column: { type: "date", column: "updated_at" },
        deleted_at_column: { type: "datetime", db_type: "timestamptz", column: "deleted_at" },
      },
      access: {},
      lint_ignore: { "unreachable-model": "as found" },
    },
    language: {
      description: "What is spoken",
      columns: { id: { column: "language_id", db_type: "integer" }, created_at: null, updated_at: null },
      fields: { name: { type: "string", db_type: "char(20)", max_length: 20, required: true } },
    },
    film_actor: { read_only: true, columns: { id: null }, key: ["film_id", "actor_no"] },
    detail: {
      columns: { id: "film_id" },
      fields: { film_id: { type: "belongs_to", required: true }, note: { type: "text", unique: true } },
    },
    codes: {
      id_type: "string",
      columns: { id: { column: "code", db_type: "varchar(10)" } },
      fields: { valid_until: { db_type: "timestamptz", out_of_range: "null" } },
    },
    notes: { read_only: true, columns: { id: null } },
    big: { id_type: "bigint", columns: { id: { generated: false } } },
    titles: { view: true, columns: { id: null } },
  });
  expect(models["film"]).not.toHaveProperty("fields.poster");
  expect(readFileSync(join(own.root, "remarks.txt"), "utf8").split("\n")).toEqual([
    "left-out\tfilm.poster\tno field can hold bytea",
    'soft-delete\tfilm.deleted_at\trows with a deleted_at are answered too: see "soft_delete"',
    "trigger\tfilm\ttouch",
    "kept-index\tfilm\tfilm_lower, positive",
    "read-only\tfilm_actor\tno column is a key by itself: the model has only fetch, search, count and exists",
    "read-only\tnotes\tno column is a key by itself: the model has only fetch, search, count and exists",
    expect.stringMatching(/^out-of-range\tcodes\.valid_until\t1 row: SELECT \* FROM /),
    "",
  ]);
});

test("no migration follows, and verify reports only what was dropped or altered since", async () => {
  const { own, db } = await adopted(cinema, "--views");
  expect(own.generator()).toMatchObject({ status: 0, stderr: expect.not.stringContaining("0002") });
  expect(own.generator("--check")).toMatchObject({ status: 0 });
  const here = await database(own, db.url);
  expect(await here.migrate()).toEqual([]);
  expect(await here.verify()).toEqual(clean);
  await db.query(`
    ALTER TABLE film ADD COLUMN more text NOT NULL DEFAULT '', ADD CHECK (title <> '');
    CREATE INDEX more ON film (more);
    CREATE VIEW others AS SELECT 1 AS one;
  `);
  expect(await here.verify()).toEqual(clean);
  await db.query(`
    DROP TRIGGER touch ON film;
    ALTER TABLE film DROP CONSTRAINT positive;
    DROP INDEX film_title, film_lower;
    ALTER TABLE film ALTER title TYPE varchar(200), ALTER code SET DEFAULT 'b', ALTER rating DROP DEFAULT;
    ALTER TABLE notes DROP COLUMN body;
    CREATE OR REPLACE VIEW titles AS SELECT film_id FROM film WHERE film_id > 0;
  `);
  expect((await here.verify()).differences.map((line) => line.replace(/ +/g, " "))).toMatchInlineSnapshot(`
    [
      "film.title expected varchar(128), is varchar(200)",
      "film.rating expected default 'G'::rating, is no default",
      "film_title index (title) on film is missing",
      "notes.body column text is missing",
      "positive check on film is missing",
      "film.code expected the default of the baseline, is altered since",
      "film_lower index on film is missing",
      "touch trigger on film is missing",
      "titles expected the view of the baseline, is altered since",
    ]
  `);
}, 60_000);

test("an empty database gets the tables, types and keys of the models", async () => {
  const { own } = await adopted(cinema, "--views", "--open", "admin");
  const empty = await testDatabase();
  const there = await database(own, empty.url);
  expect(await there.migrate()).toEqual(["0001_baseline"]);
  expect(await there.verify()).toEqual(clean);
  await empty.query("INSERT INTO language (name) VALUES ('x')");
  expect(
    await empty.query(
      "INSERT INTO film (title, code, language_id) VALUES ('a', 'b', 1) RETURNING film_id, rating, half::text",
    ),
  ).toEqual([{ film_id: 1, rating: "G", half: "2.4950000000000000" }]);
  await empty.query("DROP TABLE film_actor");
  expect((await there.verify()).differences).toEqual(["film_actor  table is missing"]);
});

test("tables of several schemas", async () => {
  const { own, db, models } = await adopted(shops, "--schema", "public,sales,reports", "--open", "admin");
  expect(models).toMatchObject({
    items: { id_type: "uuid", access: { $all: [{ role: "admin" }] } },
    sales_items: { table: "items", schema_name: "sales", fields: { order_no: { type: "belongs_to" } } },
    orders: {
      schema_name: "sales",
      columns: { id: { column: "order_no", db_type: "integer", generated: false } },
      fields: {
        item: { type: "belongs_to", relationship: { model: "items" } },
        state: { db_type: "sales.state" },
      },
    },
  });
  const here = await database(own, db.url);
  expect(await here.migrate()).toEqual([]);
  expect(await here.verify()).toEqual(clean);
  await db.query("DROP VIEW reports.paid");
  expect((await here.verify()).differences).toEqual([
    expect.stringContaining("view on reports.paid is missing"),
  ]);
  const empty = await testDatabase();
  const there = await database(own, empty.url);
  expect(await there.migrate()).toEqual(["0001_baseline"]);
  expect(await there.verify()).toEqual(clean);
  await empty.query("ALTER TABLE sales.orders ALTER state TYPE text");
  expect((await there.verify()).differences).toMatchInlineSnapshot(`
    [
      "sales.orders.state  expected state, is text",
    ]
  `);
});

test.each([
  ["chinook", chinook],
  ["pagila", `SET TimeZone = 'UTC'; ${pagila}`],
])(
  "%s is taken over without a step",
  async (_, statements) => {
    const { own, db } = await adopted(statements, "--views", "--open", "admin");
    const made = own.generator();
    expect(made).toMatchObject({ status: 0 });
    expect(own.generator("--check")).toMatchObject({ status: 0 });
    const here = await database(own, db.url);
    expect(await here.migrate()).toEqual([]);
    expect(await here.verify()).toEqual(clean);
    const empty = await testDatabase();
    const there = await database(own, empty.url);
    expect(await there.migrate()).toEqual(["0001_baseline"]);
    expect(await there.verify()).toEqual(clean);
  },
  120_000,
);

test("Kirak's own tables are in another schema if their names are taken", async () => {
  const db = await testDatabase();
  await db.query("CREATE TABLE users (login text PRIMARY KEY); INSERT INTO users VALUES ('me')");
  const own = adoptedProject(db.url);
  own.write("models/manifest.json", { name: "logins", docs: { title: "Logins" } });
  const refused = await own.introspect("--dry-run");
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("the schema kirak") });
  expect(await own.introspect("--open", "admin")).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(own.read("models/manifest.json"))).toEqual({
    name: "logins",
    docs: { title: "Logins" },
    service_schema: "kirak",
  });
  expect(JSON.parse(own.read("models/models.json"))).toMatchObject({
    app_users: { table: "users", schema_name: "public", id_type: "string" },
  });
  expect(own.generator()).toMatchObject({ status: 0 });
  expect(own.migrate()).toMatchObject({ status: 0 });
  expect(own.migrate("verify")).toMatchObject({ status: 0 });
  expect(
    await db.query("SELECT to_regclass('kirak.users') IS NOT NULL AS own, login FROM public.users"),
  ).toEqual([{ own: true, login: "me" }]);
  const request = await own.serve();
  expect(await request("GET /app_users/fetch")).toEqual({ status: 200, data: [{ id: "me" }] });
  expect(await request("POST /auth/register", { email: "a@example.com", password })).toMatchObject({
    status: 200,
  });
}, 120_000);

test("a foreign key between an integer and a bigint that is no id stays a plain field", async () => {
  const db = await testDatabase();
  await db.query(`CREATE TABLE events (id serial PRIMARY KEY, number integer NOT NULL UNIQUE);
    CREATE TABLE holders (id serial PRIMARY KEY, event bigint REFERENCES events (number))`);
  const own = adoptedProject(db.url);
  expect(await own.introspect()).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(own.read("models/models.json")).holders.fields.event).toEqual({ type: "bigint" });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { differenceLines, migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { adoptedProject } from "./adopted-project.ts";

const tables = `
  CREATE TYPE rating AS ENUM ('G', 'PG');
  CREATE FUNCTION code() RETURNS text LANGUAGE sql AS 'SELECT ''a''::text';
  CREATE TABLE language (language_id serial PRIMARY KEY, name varchar(20) NOT NULL, old_code text);
  CREATE TABLE studio (studio_id integer PRIMARY KEY, name text);
  CREATE TABLE film (
    film_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title varchar(128) NOT NULL,
    contact varchar(100),
    code text NOT NULL DEFAULT code(),
    language_id integer NOT NULL REFERENCES language,
    original_id integer,
    studio_id integer REFERENCES studio,
    rating rating DEFAULT 'G',
    cost numeric(4,2) NOT NULL DEFAULT 4.99,
    shelf text,
    place text,
    created_at timestamp NOT NULL DEFAULT now(),
    updated_at timestamptz(3)
  );
  CREATE INDEX film_title ON film (title);
  CREATE UNIQUE INDEX film_place ON film (shelf, place);
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER touch BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION touch();
  CREATE VIEW titles AS SELECT film_id FROM film;
`;

/** What a person has made of the models: other names, rules, presets and texts. */
const written = {
  $conditions: { cheap: { on: "movies", condition: "price < 3", description: "Costs little." } },
  movies: {
    description: "What is shown",
    table: "film",
    max_limit: 50,
    fields: {
      name: { description: "On the poster", column: "title", min_length: 2, searchable: true },
      contact: { type: "email", db_type: "varchar(100)", max_length: 100 },
      spoken_id: { column: "language_id" },
      price: { column: "cost", minimum: "1.00" },
      owner: { type: "string", max_length: 40, preset: "{user_id}" },
    },
    access: {
      $all: [{ role: "admin" }],
      fetch: [
        { role: "guest", condition: "cheap()" },
        { role: "user", condition: "spoken.name = 'English'" },
      ],
      fields: { price: { read: ["admin"] } },
    },
  },
};

type Entries = Record<string, unknown>;
const entries = (value: unknown): Entries => Object(value);

const db = await testDatabase();
const own = adoptedProject(db.url);
const modelsFile = join(own.root, "models/models.json");
const models = (): Record<string, Entries> => JSON.parse(readFileSync(modelsFile, "utf8"));

/** Renames the model `film` and its fields, and adds what a person has written. */
function rewrite(): void {
  const { film = {}, language = {}, ...others } = models();
  const fields = entries(film["fields"]);
  const { title, language_id, cost, ...rest } = fields;
  const { movies } = written;
  const has = (name: keyof typeof movies.fields, from: unknown) => [
    name,
    { ...entries(from), ...movies.fields[name] },
  ];
  const all = {
    ...Object.fromEntries([
      has("name", title),
      has("spoken_id", language_id),
      has("price", cost),
      ...Object.entries(rest),
      has("contact", rest["contact"]),
      has("owner", {}),
    ]),
  };
  const spoken = entries(entries(language)["fields"]);
  const { film: collection, ...ofLanguage } = spoken;
  const list = { ...entries(collection), relationship: { model: "movies", foreign_key: "spoken_id" } };
  const studio = entries(others["studio"]);
  const { film: shown, ...ofStudio } = entries(studio["fields"]);
  writeFileSync(
    modelsFile,
    JSON.stringify({
      ...others,
      $conditions: written.$conditions,
      studio: {
        ...studio,
        fields: {
          ...ofStudio,
          movies: { ...entries(shown), relationship: { model: "movies", foreign_key: "studio_id" } },
        },
      },
      language: { ...language, fields: { ...ofLanguage, movies: list } },
      movies: { ...film, ...movies, fields: all },
    }),
  );
}

async function verify(url: string): Promise<readonly string[]> {
  const { differences } = await verifyDatabase({ url, ...(await own.migrations()), log: silent });
  return differenceLines(differences);
}

beforeAll(async () => {
  await db.query(tables);
  expect(await own.introspect()).toMatchObject({ status: 0, stderr: "" });
  rewrite();
  const opened = [
    ...["fetch to guest: cheap()", "fetch to user: spoken.name = 'English'"],
    ...["search", "create", "update", "delete", "destroy"].map(
      (operation) => `${operation} to admin: all rows`,
    ),
  ];
  own.write("models/access-acknowledged.json", {
    acknowledged: Object.fromEntries(opened.map((id) => [`movies.${id}`, "a test"])),
  });
  const made = own.generator();
  expect(made).toMatchObject({ status: 0, stderr: "" });
  await migrate({ url: db.url, ...(await own.migrations()), log: silent });
}, 240_000);

test("without a difference nothing happens, and all that a person wrote is kept", async () => {
  const before = own.files("");
  for (const flags of [[], ["--check"], ["--dry-run"]])
    expect(await own.introspect(...flags)).toEqual({
      ...{ status: 0, stdout: "the models describe the database; nothing to do\n", stderr: "" },
    });
  expect(own.files("")).toEqual(before);
});

// biome-ignore format: one case a line
const changes: readonly [string, readonly (readonly [statement: string, line: string, model: object])[]][] = [
    ["new columns", [
      ["ALTER TABLE film ADD year integer NOT NULL DEFAULT 2000", 'movies: new column "year" (integer)', { movies: { fields: { year: { type: "integer", required: true, default: 2000 } } } }],
      ["ALTER TABLE film ADD name text", 'movies: new column "name" (text)', { movies: { fields: { name_2: { type: "text", column: "name" } } } }],
      ["CREATE TYPE mood AS ENUM ('a', 'b'); ALTER TABLE film ADD mood mood", 'movies: new column "mood" ("mood")', { movies: { fields: { mood: { enum: ["a", "b"], db_type: "mood" } } } }],
      ["ALTER TABLE language ADD created_at timestamptz(3) NOT NULL DEFAULT now()", 'language: new column "created_at" (timestamptz(3))', { language: { columns: { id: { column: "language_id" } } } }],
    ]],
    ["other types", [
      ["ALTER TABLE film ALTER title TYPE varchar(200)", 'movies: the column "title" is varchar(200), was varchar(128)', { movies: { fields: { name: { type: "string", max_length: 200, min_length: 2, description: "On the poster", searchable: true } } } }],
      ["ALTER TABLE film ALTER contact TYPE varchar(120)", 'movies: the column "contact" is varchar(120), was varchar(100)', { movies: { fields: { contact: { type: "email", db_type: "varchar(120)", max_length: 120 } } } }],
      ["ALTER TABLE film ALTER cost TYPE numeric(6,2)", 'movies: the column "cost" is numeric(6,2), was numeric(4,2)', { movies: { fields: { price: { precision: 6, scale: 2, minimum: "1.00", default: "4.99" } } } }],
      ["ALTER TYPE rating ADD VALUE 'R'", 'movies: the type of "rating" has other values: G, PG, R', { movies: { fields: { rating: { enum: ["G", "PG", "R"], default: "G" } } } }],
      ["ALTER TABLE film ALTER created_at TYPE timestamptz(3)", 'movies: the column "created_at" is timestamptz(3), was timestamp', { movies: { columns: { id: { column: "film_id" } } } }],
    ]],
    ["nullability and defaults", [
      ["ALTER TABLE film ALTER code DROP NOT NULL", 'movies: the column "code" is optional now', { movies: { fields: { code: { type: "text" } } } }],
      ["ALTER TABLE film ALTER code DROP DEFAULT", 'movies: the default of "code" is another one', {}],
      ["ALTER TABLE film ALTER cost SET DEFAULT 2", 'movies: the default of "cost" is another one', { movies: { fields: { price: { default: "2.00" } } } }],
    ]],
    ["a foreign key", [
      ["ALTER TABLE film ADD FOREIGN KEY (original_id) REFERENCES language ON DELETE SET NULL", 'movies: "original_id" refers to language now', { movies: { fields: { original_id: { type: "belongs_to", relationship: { model: "language", on_delete: "set_null" } } } } }],
    ]],
    ["another rule of a foreign key", [
      ["ALTER TABLE film DROP CONSTRAINT film_original_id_fkey, ADD FOREIGN KEY (original_id) REFERENCES language", 'movies: "original_id" refers to language now', { movies: { fields: { original_id: { type: "belongs_to", relationship: { model: "language" } } } } }],
    ]],
    ["what is gone", [
      ["ALTER TABLE film DROP CONSTRAINT film_original_id_fkey", 'movies: "original_id" no longer refers to language', { movies: { fields: { original_id: { type: "integer" } } } }],
      ["DROP INDEX film_title", "movies: the index (title) is gone", { movies: { fields: { name: { type: "string" } } } }],
      ["ALTER TABLE film DROP place", 'movies: the column "place" is gone', { movies: { fields: { shelf: { type: "text" } } } }],
      ["ALTER TABLE film DROP updated_at", 'movies: the column "updated_at" is gone', { movies: { columns: { updated_at: null } } }],
    ]],
    ["an enum type that was created again", [
      ["ALTER TYPE rating RENAME TO former; CREATE TYPE rating AS ENUM ('R', 'G'); ALTER TABLE film ALTER rating DROP DEFAULT, ALTER rating TYPE rating USING rating::text::rating, ALTER rating SET DEFAULT 'R'; DROP TYPE former",
        'movies: the type of "rating" has other values: R, G', { movies: { fields: { rating: { enum: ["R", "G"], default: "R" } } } }],
    ]],
    ["new keys and tables", [
      ["ALTER TABLE film ADD UNIQUE (title)", "movies: new unique key (title)", { movies: { fields: { name: { unique: true } } } }],
      ["CREATE INDEX by_year ON film (year, title)", "movies: new index (year, title)", { movies: { indexes: [["year", "name"]] } }],
      ["CREATE TABLE film_note (id serial PRIMARY KEY, film_id integer NOT NULL REFERENCES film ON DELETE CASCADE, body text)", "film_note: new table, 3 columns", { film_note: { fields: { film_id: { relationship: { model: "movies", on_delete: "cascade" } } }, access: {}, lint_ignore: { "unreachable-model": "as found" } }, movies: { fields: { film_note: { type: "has_many", relationship: { model: "film_note", foreign_key: "film_id" } } } } }],
      ["CREATE TABLE movies (id serial PRIMARY KEY)", "movies_2: new table, 1 column", { movies_2: { table: "movies" } }],
    ]],
    ["tables and objects that are gone or altered", [
      ["DROP TABLE studio CASCADE", "studio: the table is gone", { movies: { fields: { studio_id: { type: "integer" } } } }],
      ["", 'movies: "studio_id" no longer refers to studio', {}],
      ["DROP TABLE film_note", "film_note: the table is gone", {}],
      ["DROP TRIGGER touch ON film", "trigger touch of film: is gone", {}],
      ["CREATE OR REPLACE VIEW titles AS SELECT film_id FROM film WHERE film_id > 0", "view titles: is altered", {}],
    ]],];

describe.sequential("a change of the database is a change of the models", () => {
  test.each(changes)(
    "%s",
    async (_, cases) => {
      const before = models();
      await db.query(cases.map(([statement]) => statement).join(";"));
      const files = own.files("");
      const lines = cases.map(([, line]) => line);
      const check = await own.introspect("--check");
      expect(check).toMatchObject({ status: 1, stderr: "" });
      expect(check.stdout.split("\n").slice(0, -2).toSorted()).toEqual(lines.toSorted());
      expect(own.files("")).toEqual(files);
      expect(await own.introspect()).toMatchObject({
        status: 0,
        stderr: "",
        stdout: expect.stringMatching(/^next: npm run generate$/m),
      });
      const after = models();
      for (const [, , expected] of cases) expect(after).toMatchObject(expected);
      expect(after["movies"]).toMatchObject({
        description: before["movies"]?.["description"],
        access: written.movies.access,
        max_limit: 50,
      });
      expect(after["$conditions"]).toEqual(written.$conditions);
      const text = own.read("models/models.json");
      expect(await own.introspect("--dry-run")).toMatchObject({
        status: 0,
        stderr: "",
        stdout: expect.stringMatching(/^the models describe/),
      });
      expect(own.read("models/models.json")).toBe(text);
      expect(await verify(db.url)).toEqual([]);
    },
    90_000,
  );

  test("the models generate without a further migration, and without a finding about new tables", async () => {
    expect(Object.keys(models())).not.toContain("studio");
    expect(models()["movies"]).not.toHaveProperty("fields.film_note");
    expect(models()["movies"]).not.toHaveProperty("fields.code.default");
    expect(models()["movies"]).not.toHaveProperty("fields.original_id.relationship");
    expect(models()["movies"]).not.toHaveProperty("unique");
    // New fields of an open model are wider access, which a person acknowledges.
    const { stderr } = own.generator();
    const ids = [...stderr.matchAll(/^ *"(.+)": "<why>"/gm)].map(([, id = ""]) => id);
    const { acknowledged } = JSON.parse(own.read("models/access-acknowledged.json"));
    const more = Object.fromEntries(ids.map((id) => [id, "a test"]));
    own.write("models/access-acknowledged.json", { acknowledged: { ...acknowledged, ...more } });
    const made = own.generator();
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(made.stdout).not.toMatch(/migration \d{4}_/);
    // Lint finds mistakes of the person's rules only.
    expect(own.generator("--check").stderr).not.toContain("movies_2");
    expect(await verify(db.url)).toEqual([]);
  }, 240_000);

  const all = changes.flatMap(([, cases]) => cases.map(([statement]) => statement)).join(";");

  test("an empty database gets the tables", async () => {
    const empty = await testDatabase();
    await migrate({ url: empty.url, ...(await own.migrations()), log: silent });
    expect(await verify(empty.url)).toEqual([]);
  }, 240_000);

  test("a database that the other application has migrated only records the migrations", async () => {
    const other = await testDatabase();
    await other.query(`${tables}; ${all}`);
    await other.query(
      "INSERT INTO language (name) VALUES ('English'); INSERT INTO film (title, language_id) VALUES ('a', 1)",
    );
    await migrate({ url: other.url, ...(await own.migrations()), log: silent });
    expect(await verify(other.url)).toEqual([]);
    expect(await other.query("SELECT title, year FROM film")).toEqual([{ title: "a", year: 2000 }]);
  }, 240_000);

  test("a database that is between two states is refused", async () => {
    const half = await testDatabase();
    await half.query(`${tables}; ALTER TABLE film ADD year integer`);
    await expect(migrate({ url: half.url, ...(await own.migrations()), log: silent })).rejects.toThrow(
      /has only a part of 0003_as_found.*\n(.*\n)* {2}film\.name: the column does not exist\n(.*\n)+nothing was changed/,
    );
  }, 240_000);
});

test("models that cannot be compared are refused, with what is to do", async () => {
  const other = adoptedProject((await testDatabase()).url);
  expect(await other.introspect("--check")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^--check compares existing models/),
  });
  other.write("models/models.json", { books: { fields: { title: { type: "strin" } } } });
  expect(await other.introspect()).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^the models have errors\nmodels\/models\.json:\d/),
  });
  other.write("models/models.json", {
    books: { fields: { title: { type: "string" } }, access: { $all: [{ role: "admin" }] } },
  });
  expect(await other.introspect()).toMatchObject({
    ...{
      status: 2,
      stderr: expect.stringMatching(
        /^the models have changes without a migration.*\nto go on: npm run generate, then/,
      ),
    },
  });
  await other.generate();
  expect(await other.introspect()).toMatchObject({
    ...{
      status: 2,
      stderr: expect.stringMatching(
        /^the database lacks migrations of the project: 0001_initial.*\nto go on: npm run migrate, then/,
      ),
    },
  });
}, 240_000);

test("tables of several schemas, also next to Kirak's own in another one", async () => {
  const other = await testDatabase();
  await other.query(`
    CREATE SCHEMA sales;
    CREATE TYPE sales.state AS ENUM ('open', 'paid');
    CREATE TABLE users (login text PRIMARY KEY);
    CREATE TABLE sales.orders (order_no integer PRIMARY KEY, login text NOT NULL REFERENCES users, state sales.state NOT NULL)`);
  const shop = adoptedProject(other.url);
  const run = (...flags: readonly string[]) => shop.introspect(...flags);
  expect(await run("--schema", "public,sales", "--open", "admin")).toMatchObject({ status: 0, stderr: "" });
  expect(await run("--check")).toMatchObject({ status: 0, stderr: "" });
  await other.query(`
    ALTER TABLE sales.orders ADD note text;
    CREATE TABLE sales.lines (id bigserial PRIMARY KEY, order_no integer NOT NULL REFERENCES sales.orders, state sales.state);
    CREATE TABLE kirak.unnamed (id serial PRIMARY KEY);
    CREATE TABLE public.logins (id serial PRIMARY KEY, login text REFERENCES users)`);
  expect(await run("--schema", "public", "--check")).toMatchObject({
    ...{
      status: 1,
      stdout: "logins: new table, 2 columns\nthe models differ from the database: run npm run introspect\n",
    },
  });
  const { status, stdout, stderr } = await run("--open", "admin", "--remarks", "remarks.txt");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    ...["logins: new table, 2 columns", "lines: new table, 3 columns", 'orders: new column "note" (text)'],
  ]);
  expect(JSON.parse(shop.read("models/models.json"))).toMatchObject({
    lines: {
      schema_name: "sales",
      fields: { order_no: { relationship: { model: "orders" } }, state: { db_type: "sales.state" } },
    },
    logins: {
      fields: { login: { relationship: { model: "app_users" } } },
      access: { $all: [{ role: "admin" }] },
    },
    orders: { fields: { note: { type: "text" }, lines: { type: "has_many" } } },
  });
  expect(await run("--check")).toMatchObject({ status: 0, stderr: "" });
}, 240_000);

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
}, 120_000);

test("without a difference nothing happens, and all that a person wrote is kept", async () => {
  const before = own.files("");
  for (const flags of [[], ["--check"], ["--dry-run"]])
    expect(await own.introspect(...flags)).toEqual({
      ...{ status: 0, stdout: "the models describe the database; nothing to do\n", stderr: "" },
    });
  expect(own.files("")).toEqual(before);
});

describe.sequential("a change of the database is a change of the models", () => {
  // biome-ignore format: one case a line
  test.each<[string, string, string, Record<string, unknown>]>([
    ["a new column", "ALTER TABLE film ADD year integer NOT NULL DEFAULT 2000", 'movies: new column "year" (integer)', { movies: { fields: { year: { type: "integer", required: true, default: 2000 } } } }],
    ["a new column with a taken name", "ALTER TABLE film ADD name text", 'movies: new column "name" (text)', { movies: { fields: { name_2: { type: "text", column: "name" } } } }],
    ["a longer text", "ALTER TABLE film ALTER title TYPE varchar(200)", 'movies: the column "title" is varchar(200), was varchar(128)', { movies: { fields: { name: { type: "string", max_length: 200, min_length: 2, description: "On the poster", searchable: true } } } }],
    ["a text that is an e-mail address", "ALTER TABLE film ALTER contact TYPE varchar(120)", 'movies: the column "contact" is varchar(120), was varchar(100)', { movies: { fields: { contact: { type: "email", db_type: "varchar(120)", max_length: 120 } } } }],
    ["another precision", "ALTER TABLE film ALTER cost TYPE numeric(6,2)", 'movies: the column "cost" is numeric(6,2), was numeric(4,2)', { movies: { fields: { price: { precision: 6, scale: 2, minimum: "1.00", default: "4.99" } } } }],
    ["a time column of another type", "ALTER TABLE film ALTER created_at TYPE timestamptz(3)", 'movies: the column "created_at" is timestamptz(3), was timestamp', { movies: { columns: { id: { column: "film_id" } } } }],
    ["an optional column", "ALTER TABLE film ALTER code DROP NOT NULL", 'movies: the column "code" is optional now', { movies: { fields: { code: { type: "text", default: { sql: true } } } } }],
    ["no default", "ALTER TABLE film ALTER code DROP DEFAULT", 'movies: the default of "code" is another one', { movies: { fields: { code: { type: "text" } } } }],
    ["another default", "ALTER TABLE film ALTER cost SET DEFAULT 2", 'movies: the default of "cost" is another one', { movies: { fields: { price: { default: "2.00" } } } }],
    ["a new enum type", "CREATE TYPE mood AS ENUM ('a', 'b'); ALTER TABLE film ADD mood mood", 'movies: new column "mood" ("mood")', { movies: { fields: { mood: { enum: ["a", "b"], db_type: "mood" } } } }],
    ["a new foreign key", "ALTER TABLE film ADD FOREIGN KEY (original_id) REFERENCES language ON DELETE SET NULL", 'movies: "original_id" refers to language now', { movies: { fields: { original_id: { type: "belongs_to", relationship: { model: "language", on_delete: "set_null" } } } } }],
    ["another rule of a foreign key", "ALTER TABLE film DROP CONSTRAINT film_original_id_fkey, ADD FOREIGN KEY (original_id) REFERENCES language", 'movies: "original_id" refers to language now', { movies: { fields: { original_id: { type: "belongs_to", relationship: { model: "language" } } } } }],
    ["a foreign key that is gone", "ALTER TABLE film DROP CONSTRAINT film_original_id_fkey", 'movies: "original_id" no longer refers to language', { movies: { fields: { original_id: { type: "integer" } } } }],
    ["an index that is gone", "DROP INDEX film_title", "movies: the index (title) is gone", { movies: { fields: { name: { type: "string" } } } }],
    ["a new unique key", "ALTER TABLE film ADD UNIQUE (title)", "movies: new unique key (title)", { movies: { fields: { name: { unique: true } } } }],
    ["a new index of two columns", "CREATE INDEX by_year ON film (year, title)", "movies: new index (year, title)", { movies: { indexes: [["year", "name"]] } }],
    ["a column of a key that is gone", "ALTER TABLE film DROP place", 'movies: the column "place" is gone', { movies: { fields: { shelf: { type: "text" } } } }],
    ["a runtime column that is gone", "ALTER TABLE film DROP updated_at", 'movies: the column "updated_at" is gone', { movies: { columns: { updated_at: null } } }],
    ["a runtime column that comes", "ALTER TABLE language ADD created_at timestamptz(3) NOT NULL DEFAULT now()", 'language: new column "created_at" (timestamptz(3))', { language: { columns: { id: { column: "language_id" } } } }],
    ["a new table", "CREATE TABLE film_note (id serial PRIMARY KEY, film_id integer NOT NULL REFERENCES film ON DELETE CASCADE, body text)", "film_note: new table, 3 columns", { film_note: { fields: { film_id: { relationship: { model: "movies", on_delete: "cascade" } } }, access: {}, lint_ignore: { "unreachable-model": "as found" } }, movies: { fields: { film_note: { type: "has_many", relationship: { model: "film_note", foreign_key: "film_id" } } } } }],
    ["a new table with a taken name", "CREATE TABLE movies (id serial PRIMARY KEY)", "movies_2: new table, 1 columns", { movies_2: { table: "movies" } }],
    ["a table that is gone", "DROP TABLE studio CASCADE", "studio: the table is gone", { movies: { fields: { studio_id: { type: "integer" } } } }],
    ["a table with a collection that is gone", "DROP TABLE film_note", "film_note: the table is gone", {}],
    ["a trigger", "DROP TRIGGER touch ON film", "trigger touch of film: is gone", {}],
    ["a view", "CREATE OR REPLACE VIEW titles AS SELECT film_id FROM film WHERE film_id > 0", "view titles: is altered", {}],
  ])("%s", async (_, statement, line, expected) => {
    const before = models();
    await db.query(statement);
    const files = own.files("");
    expect(await own.introspect("--check")).toMatchObject({ status: 1, stderr: "", stdout: expect.stringContaining(`${line}\n`) });
    expect(await own.introspect("--dry-run")).toMatchObject({ status: 0, stderr: "" });
    expect(own.files("")).toEqual(files);
    const again = await own.introspect();
    expect(again).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/^next: npm run generate$/m) });
    expect(again.stdout).toContain(`${line}\n`);
    const after = models();
    expect(after).toMatchObject(expected);
    expect(after["movies"]).toMatchObject({ description: before["movies"]?.["description"], access: written.movies.access, max_limit: 50 });
    expect(after["$conditions"]).toEqual(written.$conditions);
    const text = own.read("models/models.json");
    expect(await own.introspect("--check")).toMatchObject({ status: 0, stderr: "" });
    expect(own.read("models/models.json")).toBe(text);
    expect(await verify(db.url)).toEqual([]);
  }, 60_000);

  test("the models generate without a further migration, and without a finding about new tables", async () => {
    expect(models()["movies"]).not.toHaveProperty("fields.film_note");
    expect(Object.keys(models())).not.toContain("studio");
    const made = own.generator();
    expect(made).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/migration \\d{4}_/) });
    expect(made.stdout + made.stderr).not.toMatch(/migration \d{4}_/);
    expect(own.generator("--check")).toMatchObject({ status: 0 });
    expect(await verify(db.url)).toEqual([]);
  }, 60_000);

  test("an empty database gets the tables, and one that has them only records the migrations", async () => {
    const options = { ...(await own.migrations()), log: silent };
    const empty = await testDatabase();
    await migrate({ url: empty.url, ...options });
    expect(await verify(empty.url)).toEqual([]);
  }, 60_000);
});

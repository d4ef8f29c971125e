import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { adoptedProject } from "./adopted-project.ts";

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
  CREATE VIEW titles AS SELECT title FROM film;
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER touch BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION touch();
  INSERT INTO codes VALUES ('a', 'infinity');
  INSERT INTO language (name) VALUES ('English');
`;

test("tables are described as they are, and no migration follows", async () => {
  const db = await testDatabase();
  await db.query(cinema);
  const own = adoptedProject(db.url);
  const made = await own.introspect("--remarks", "remarks.txt", "--views");
  console.log(made.stdout, made.stderr);
  const models = readFileSync(join(own.root, "models/models.json"), "utf8");
  console.log(models);
  console.log(readFileSync(join(own.root, "remarks.txt"), "utf8"));
  console.log(readFileSync(join(own.root, "generated/migrations/0001_baseline.ts"), "utf8"));
  expect(made.status).toBe(0);
}, 120_000);

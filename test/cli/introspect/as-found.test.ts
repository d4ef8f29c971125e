

import { expect, test } from "vitest";
import { migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import { silent } from "../../support/silent-log.ts";
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
  CREATE VIEW titles AS SELECT film_id FROM film;
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
  expect(made).toMatchObject({ status: 0, stderr: "" });
  const generated = own.generate();
  console.log(generated.stdout.slice(-1500), generated.stderr.slice(-3000));
  const code = await own.migrations();
  const log = silent;
  const to = (url: string) => ({ url, ...code, log });
  console.log(await migrate(to(db.url)));
  console.log(await verifyDatabase(to(db.url)));
  await db.query("DROP TRIGGER touch ON film; ALTER TABLE film DROP CONSTRAINT positive, ADD COLUMN more text; DROP INDEX film_title; ALTER TABLE film ALTER title TYPE varchar(200); CREATE OR REPLACE VIEW titles AS SELECT film_id FROM film WHERE film_id > 0");
  console.log(await verifyDatabase(to(db.url)));
  const empty = await testDatabase();
  console.log(await migrate(to(empty.url)));
  console.log(await verifyDatabase(to(empty.url)));
}, 240_000);

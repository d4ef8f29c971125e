import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDependents } from "#runtime/catalog/index";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const client = new pg.Client(database.url);

// biome-ignore format: one case a line
const users = [
  ["a", "view shown", "CREATE VIEW shown AS SELECT a FROM t"],
  ["b", "materialized view stored", "CREATE MATERIALIZED VIEW stored AS SELECT count(b) FROM t"],
  ["c", "policy own on table t", "CREATE POLICY own ON t USING (c = 1)"],
  ["d", "trigger watch on table t", "CREATE TRIGGER watch BEFORE UPDATE OF d ON t FOR EACH ROW EXECUTE FUNCTION f()"],
  ["e", "generated column e2 of table t", "ALTER TABLE t ADD e2 integer GENERATED ALWAYS AS (e + 1) STORED"],
  ["f", "function g()", "CREATE FUNCTION g() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT sum(f) FROM t; END"],
] as const;

beforeAll(async () => {
  await client.connect();
  await client.query(`CREATE TABLE t (id integer PRIMARY KEY, a integer, b integer, c integer, d integer, e integer, f integer,
    g integer DEFAULT 1 CHECK (g > 0) UNIQUE); CREATE INDEX ON t ((g + 1)) WHERE g > 2;
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`);
  for (const [, , text] of users) await client.query(text);
});

afterAll(() => client.end());

test("all that keeps a column from another type, and nothing that does not", async () => {
  expect(await readDependents(client, "public")).toEqual(
    users.map(([column, dependent]) => ({ table: "t", column, dependent })),
  );
});

test.each(users)("PostgreSQL agrees on %s: %s", async (column) => {
  await expect(client.query(`ALTER TABLE t ALTER ${column} TYPE bigint`)).rejects.toThrow(
    /cannot alter type/,
  );
});

test("PostgreSQL agrees on the column that nothing keeps", async () => {
  await client.query("ALTER TABLE t ALTER g TYPE bigint");
});

test("what needs a primary key", async () => {
  await client.query(
    "CREATE TABLE k (id integer PRIMARY KEY, name text); CREATE VIEW grouped AS SELECT id, name FROM k GROUP BY id",
  );
  expect(await readDependents(client, "public")).toContainEqual({
    table: "k",
    column: null,
    dependent: "view grouped",
  });
  await expect(client.query("ALTER TABLE k DROP CONSTRAINT k_pkey")).rejects.toThrow(
    /other objects depend on it/,
  );
});

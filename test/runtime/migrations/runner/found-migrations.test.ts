import { expect, test } from "vitest";
import { readFoundObjects } from "#runtime/migrations/catalog/index";
import {
  type Migration,
  migrate,
  migrateDown,
  type Step,
  verifyDatabase,
} from "#runtime/migrations/runner/index";
import { testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";
import { untilWaiting } from "./migrating-process.ts";
import { connect } from "./shelf.ts";

const film: Step = {
  step: "create_table",
  table: "film",
  found: true,
  primaryKey: { name: "film_pkey", columns: ["film_id"] },
  columns: [
    { name: "film_id", type: "integer", nullable: false },
    { name: "title", type: "varchar(20)", nullable: true },
    { name: "rating", type: '"rating"', nullable: true, values: ["G", "PG"] },
    { name: "cost", type: "numeric(4,2)", nullable: true },
  ],
};
const note: Step = {
  ...{ step: "create_table", table: "note", found: true },
  columns: [{ name: "body", type: "text", nullable: true }],
};
const digests = (...names: readonly string[]) =>
  names.map((name) => ({ table: "film", kind: "trigger", name, digest: "" }) as const);
const baseline: Migration = {
  name: "0001_baseline",
  parent: null,
  up: [film, note],
  down: [],
  found: digests("a"),
};
const change = (...up: readonly Step[]): Migration => ({
  ...{ name: "0002_as_found", parent: "0001_baseline", up, down: [], found: digests("b") },
});
const column = (name: string): Step => ({
  ...{ step: "add_column", table: "film", column: { name, type: "text", nullable: true } },
});

const types = "CREATE TYPE rating AS ENUM ('G', 'PG');";
const table = `${types} CREATE TABLE film (film_id integer CONSTRAINT film_pkey PRIMARY KEY, title varchar(20), rating rating,
  cost numeric(4,2)); CREATE TABLE note (body text);`;

/** Migrates a database that has the result of some statements. */
async function after(statements: string, ...migrations: readonly Migration[]) {
  const db = await testDatabase();
  if (statements !== "") await db.query(statements);
  const options = { url: db.url, migrations, log: silent };
  const names = await migrate(options).catch((error: Error) => error.message);
  return { db, names, verify: async () => (await verifyDatabase(options)).differences };
}

const both = ["0001_baseline", "0002_as_found"];
const index: Step = {
  ...{ step: "add_index", table: "film" },
  index: { name: "film_title", columns: ["title"], unique: false, live: false },
};
const required: Step = { step: "set_nullable", table: "film", column: "title", nullable: false };
const dropped: Step = { step: "drop_column", table: "film", column: "cost" };
const longer: Step = { step: "set_type", table: "film", column: "title", type: "varchar(40)" };

// biome-ignore format: one case a line
test.each<[string, readonly Step[], string]>([
  ["a new column", [column("note")], "ALTER TABLE film ADD note text"],
  ["a dropped column", [dropped], "ALTER TABLE film DROP cost"],
  ["another type", [longer], "ALTER TABLE film ALTER title TYPE varchar(40)"],
  ["a column in place of another", [{ step: "drop_column", table: "film", column: "title" }, column("title")], "ALTER TABLE film ALTER title TYPE text"],
  ["an enum type that was created again", [{ step: "set_type", table: "film", column: "rating", type: '"rating"', from: '"rating"', values: ["PG", "R"] }],
    "ALTER TABLE film DROP rating; DROP TYPE rating; CREATE TYPE rating AS ENUM ('PG', 'R'); ALTER TABLE film ADD rating rating"],
  ["a dropped table", [{ step: "drop_table", table: "note" }], "DROP TABLE note"],
  ["an index", [index], "CREATE INDEX film_title ON film (title)"],
  ["a required column", [required], "ALTER TABLE film ALTER title SET NOT NULL"],
  ["a dropped default", [{ step: "set_default", table: "film", column: "title", type: "text", default: null }], ""],
])("%s is recorded where the database has it, and made in an empty one", async (_, steps, statement) => {
  const there = await after(`${table} INSERT INTO film VALUES (1, 'a', 'G', 1); ${statement}`, baseline, change(...steps));
  expect(there.names).toEqual(both);
  const empty = await after("", baseline, change(...steps));
  expect(empty.names).toEqual(both);
  expect(await empty.verify()).toEqual([]);
});

// biome-ignore format: one case a line
test.each<[string, string, readonly Step[], string]>([
  ["a table without a column", `${table} ALTER TABLE film DROP title`, [], "film.title: the column does not exist"],
  ["a column of another type", table.replace("varchar(20)", "text"), [], "film.title: expected varchar(20), is text"],
  ["one of two columns", `${table} ALTER TABLE film ADD note text`, [column("note"), dropped], "film.cost: the column still exists"],
  ["one of two parts", `${table} CREATE INDEX film_title ON film (title)`, [index, required], "film.title: the column is not required"],
])("%s is refused, and nothing is changed", async (_, statements, steps, text) => {
  const { db, names } = await after(statements, baseline, change(...steps));
  expect(names).toContain(`  ${text}\nnothing was changed: migrate the tables with that application`);
  expect(await db.query("SELECT name FROM kirak_migrations")).toEqual(steps.length === 0 ? [] : [{ name: "0001_baseline" }]);
});

test("a database that the other application has not migrated is refused, and one that Kirak made is migrated", async () => {
  const migrations = [baseline, change(column("note"), dropped)];
  const { db, names } = await after(table, ...migrations);
  expect(names).toBe(
    "the database has nothing of 0002_as_found, which describes tables of another application:\n" +
      "  film.note: the column does not exist\n  film.cost: the column still exists\n" +
      "nothing was changed: migrate the tables with that application, then migrate again; applied before it: 0001_baseline",
  );
  await db.query("ALTER TABLE film ADD note text, DROP cost");
  expect(await migrate({ url: db.url, migrations, log: silent })).toEqual(["0002_as_found"]);
  // The tables of an ordinary migration are Kirak's, and the first found change is as a baseline.
  const { found: _, ...plain } = baseline;
  const initial = { ...plain, name: "0001_initial" };
  const mixed = await after("", initial, { ...change(column("note")), parent: "0001_initial" });
  expect(mixed.names).toEqual(["0001_initial", "0002_as_found"]);
  const made = await after("", baseline);
  expect(await migrate({ url: made.db.url, migrations, log: silent })).toEqual(["0002_as_found"]);
});

test("a database of which the other application has the tables again is not one that Kirak made", async () => {
  const down: Step[] = ["film", "note"].map((table) => ({ step: "drop_table", table }));
  const first: Migration = { ...baseline, down };
  const { db } = await after("", first);
  const options = { url: db.url, log: silent };
  await migrateDown({ ...options, migrations: [first], acceptDataLoss: true });
  await db.query(table.replace(types, ""));
  await expect(migrate({ ...options, migrations: [first, change(column("note"))] })).rejects.toThrow(
    "the database has nothing of 0002_as_found",
  );
});

test("steps that would lose values are refused, also of values that come while the run waits for the table", async () => {
  const migrations = [baseline, change(dropped)];
  const refusal = "its steps would lose values of film.cost; nothing was changed";
  const { db } = await after("", baseline);
  const options = { url: db.url, migrations, log: silent };
  const other = await connect(db.url);
  await other.query("BEGIN; INSERT INTO film VALUES (1, 'a', 'G', 1)");
  const failure = migrate(options).catch((error: Error) => error.message);
  await untilWaiting(db, "locktype = 'relation'");
  await other.query("COMMIT");
  expect(await failure).toContain(refusal);
  expect(await migrate(options).catch((error: Error) => error.message)).toContain(refusal);
  expect(await db.query("SELECT cost FROM film")).toEqual([{ cost: "1.00" }]);
});

test("a change that the other application makes while the run waits for the table is recorded", async () => {
  const { db } = await after("", baseline);
  const other = await connect(db.url);
  await other.query("BEGIN; ALTER TABLE film ADD note text");
  const run = migrate({ url: db.url, migrations: [baseline, change(column("note"))], log: silent });
  await untilWaiting(db, "locktype = 'relation'");
  await other.query("COMMIT");
  expect(await run).toEqual(["0002_as_found"]);
});

test("a failed run reports the values of enum types that it has added", async () => {
  const added: Step = {
    ...{ step: "add_enum_value", table: "film", column: "rating", type: '"rating"', value: "R" },
    place: { after: "PG" },
  };
  const { db } = await after("", baseline);
  await db.query("INSERT INTO film (film_id) VALUES (1)");
  const migrations = [baseline, change(added, required, column("note"))];
  await expect(migrate({ url: db.url, migrations, log: silent })).rejects.toThrow(
    /^0002_as_found failed at step 2 of 3 .*; nothing of it was applied, except new values of enum types, which stay: R of "rating"$/,
  );
  await db.query("DELETE FROM film");
  expect(await migrate({ url: db.url, migrations, log: silent })).toEqual(["0002_as_found"]);
});

test("an enum type that another application has not created again is refused, and one with later values is not", async () => {
  const again: Step = {
    ...{ step: "set_type", table: "film", column: "rating", type: '"rating"', from: '"rating"' },
    values: ["PG"],
  };
  const former = await after(table, baseline, change(again));
  expect(former.names).toContain('  film.rating: the type "rating" has other values\n');
  const added: Step = {
    ...{ step: "add_enum_value", table: "film", type: '"rating"', value: "R", place: { after: "PG" } },
  };
  const third = { ...change(added), name: "0003_as_found", parent: "0002_as_found" };
  const later = await after(table.replace("'G', 'PG'", "'PG', 'R'"), baseline, change(again), third);
  expect(later.names).toEqual([...both, "0003_as_found"]);
});

test("a database that has the later changes too gets both recorded", async () => {
  const { names, verify } = await after(
    `${table} ALTER TABLE film DROP cost, ALTER title TYPE varchar(40)`,
    baseline,
    change(dropped, longer),
  );
  expect(names).toEqual(both);
  expect(await verify()).toMatchObject([{ kind: "trigger" }]);
});

test("parts that later migrations change or drop are not missed", async () => {
  const third: Migration = {
    ...change({ step: "drop_index", table: "film", name: "film_title" }, { ...required, nullable: true }),
    ...{ name: "0003_as_found", parent: "0002_as_found" },
  };
  for (const statements of ["", table]) {
    const { names, verify } = await after(statements, baseline, change(index, required), third);
    expect(names, statements).toEqual([...both, "0003_as_found"]);
    expect((await verify()).filter(({ kind }) => kind !== "trigger")).toEqual([]);
  }
});

test("a column that a later migration converts is made first where it is missing", async () => {
  const third: Migration = {
    ...change({ step: "set_type", table: "film", column: "note", type: "varchar(40)" }),
    ...{ name: "0003_as_found", parent: "0002_as_found" },
  };
  const three = [...both, "0003_as_found"];
  for (const statements of ["", `${table} ALTER TABLE film ADD note varchar(40)`]) {
    const { db, names } = await after(statements, baseline, change(column("note")), third);
    expect(names, statements).toEqual(three);
    expect(await db.query("SELECT note FROM film")).toEqual([]);
  }
});

test("an id of another type is not recorded where the database has the former one", async () => {
  const steps = [{ step: "set_id_type", table: "keyed", type: "uuid", references: [] } as const];
  const keyed: Migration = {
    ...baseline,
    up: [
      {
        ...{ step: "create_table", table: "keyed", found: true },
        columns: [{ name: "id", type: "integer", nullable: false }],
      },
    ],
  };
  const { names } = await after(
    "CREATE TABLE keyed (id integer); INSERT INTO keyed VALUES (1)",
    keyed,
    change(...steps),
  );
  expect(names).toContain("  keyed.id: expected uuid, is integer\n");
  const there = await after(
    "CREATE TABLE keyed (id uuid)",
    {
      ...keyed,
      up: [
        {
          ...{ step: "create_table", table: "keyed", found: true },
          columns: [{ name: "id", type: "uuid", nullable: false }],
        },
      ],
    },
    change(...steps),
  );
  expect(there.names).toEqual(both);
});

test("what another application has done is not reverted", async () => {
  const { db } = await after(`${table} ALTER TABLE film ADD note text`, baseline, change(column("note")));
  const migrations = [baseline, change(column("note"))];
  await expect(migrateDown({ url: db.url, migrations, log: silent, acceptDataLoss: true })).rejects.toThrow(
    "0002_as_found describes what another application has done to its tables, so it cannot be reverted",
  );
});

test("the last list of objects replaces the earlier ones", async () => {
  const one = await after(table, baseline);
  expect(await one.verify()).toMatchObject([{ kind: "trigger", name: "a" }]);
  const two = await after(`${table} ALTER TABLE film ADD note text`, baseline, change(column("note")));
  expect(await two.verify()).toMatchObject([{ kind: "trigger", name: "b" }]);
});

test("after renamed values of enum types, objects that contain them are altered only by other changes", async () => {
  const db = await testDatabase();
  await db.query(`${table} ALTER TABLE film ADD CONSTRAINT young CHECK (rating IN ('G', 'PG') OR title <> 'G');
    ALTER TABLE film ADD CONSTRAINT listed CHECK (rating = ANY ('{G,PG}'));
    CREATE INDEX old ON film (title) WHERE rating = 'PG';
    CREATE VIEW young AS SELECT 'G'::rating AS rating, 'G' AS name;
    CREATE POLICY seen ON film USING (rating <> 'PG')`);
  const found = await readFoundObjects(await connect(db.url), ["public"]);
  const renamed = (value: string, to: string): Step => ({
    ...{ step: "rename_enum_value", table: "film", type: '"rating"', value, to },
  });
  const second: Migration = {
    ...{ name: "0002_names", parent: "0001_baseline", down: [] },
    up: [renamed("PG", "it's {+}"), renamed("G", "PG"), renamed("it's {+}", 'a\\b "c"')],
  };
  const options = { url: db.url, migrations: [{ ...baseline, found }, second], log: silent };
  await migrate(options);
  const altered = async () => (await verifyDatabase(options)).differences.map(({ name }) => name);
  expect(await altered()).toEqual([]);
  await db.query(`ALTER TABLE film DROP CONSTRAINT young, ADD CONSTRAINT young CHECK (rating IN ('PG') OR title <> 'G');
    ALTER TABLE film DROP CONSTRAINT listed, ADD CONSTRAINT listed CHECK (rating = ANY ('{PG}'));
    DROP INDEX old; CREATE INDEX old ON film (title) WHERE rating = 'PG';
    CREATE OR REPLACE VIEW young AS SELECT 'PG'::rating AS rating, 'PG' AS name;
    ALTER POLICY seen ON film USING (rating <> 'PG')`);
  expect((await altered()).toSorted()).toEqual(["listed", "old", "seen", "young", "young"]);
});

import { expect, test } from "vitest";
import { checksumOf } from "#runtime/migrations/runner/history/migration-checksum";
import {
  defineMigration,
  markApplied,
  migrate,
  migrateDown,
  migrationStatus,
  plannedUp,
  verifyDatabase,
} from "#runtime/migrations/runner/index";
import type { Migration, Step } from "#vocabulary/migrations/migration-steps";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { accounts, base, catalogOf, connect, lines, second, shelf, uniqueIsbn } from "./shelf.ts";

const noted = second([
  { step: "add_column", table: "books", column: { name: "note", type: "text", nullable: true } },
]);

/** The output of every command on the database. */
async function refusals(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const options = { url, migrations, log };
  const commands = [migrate, migrateDown, plannedUp, verifyDatabase];
  return Promise.all(
    commands.map((command) =>
      command(options).then(
        () => "done",
        ({ name, message }: Error) => `${name}: ${message}`,
      ),
    ),
  );
}

const everywhere = (message: string) => Array(4).fill(`MigrationError: ${message}`);

test("a deleted row of the history is reported before anything is done", async () => {
  const { url, query } = await shelf();
  await migrate({ url, migrations: [base, noted], log });
  await query("DELETE FROM kirak_migrations WHERE name = '0002_second'");
  expect(await refusals(url, [base, noted])).toEqual(
    everywhere(
      "0002_second has a row in kirak_migration_checksums but none in kirak_migrations, where it was deleted; " +
        "if the tables have its changes, restore that row; otherwise delete its row in kirak_migration_checksums",
    ),
  );
});

test("a deleted checksum is not reported as an altered file", async () => {
  const { url, query } = await shelf();
  await query("DELETE FROM kirak_migration_checksums");
  expect(await migrationStatus({ url, migrations: [base] })).toMatchObject([{ state: "unchecked" }]);
  expect(await refusals(url, [base])).toEqual(
    everywhere(
      "0001_base was applied to this database, but its row in kirak_migration_checksums is missing, so changes " +
        "of the file cannot be detected; restore the row from a backup",
    ),
  );
});

test("migrations stay in the order in which they were applied", async () => {
  const { url } = await shelf();
  const empty = (name: string, parent: string): Migration => ({ name, parent, up: [], down: [] });
  await migrate({ url, migrations: [base, empty("0002_a", "0001_base"), empty("0003_b", "0002_a")], log });
  const turned = [base, empty("0003_b", "0001_base"), empty("0002_a", "0003_b")];
  expect(await refusals(url, turned)).toEqual(
    everywhere(
      "0002_a was applied to this database before 0003_b, which comes first in this code: " +
        "the order in the files was changed; restore the files",
    ),
  );
  const between = [base, empty("0004_c", "0001_base"), empty("0002_a", "0004_c"), empty("0003_b", "0002_a")];
  expect(await refusals(url, between)).toEqual(
    everywhere("0004_c is not applied to this database, but a later migration is"),
  );
});

test("nothing of another service's database is undone", async () => {
  const { url, query } = await shelf();
  const noted = JSON.stringify([{ drop: "column", table: "books", name: "isbn" }]);
  await query(`CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL);
    INSERT INTO kirak_migration_progress VALUES ('0002_theirs', '${noted}', 'its')`);
  const before = await catalogOf(url);
  const other: Migration = { name: "0001_other", parent: null, up: [], down: [] };
  await expect(migrate({ url, migrations: [other], log })).rejects.toThrow(
    /^the database is newer than this/,
  );
  expect(await catalogOf(url)).toEqual(before);
  expect(await query("SELECT name FROM kirak_migration_progress")).toEqual([{ name: "0002_theirs" }]);
});

/** The URL of a role with the given grants. */
async function asRole({ url, query }: TestDatabase, grants: string): Promise<string> {
  const [database] = await query("SELECT current_database() AS name");
  const role = `less_${database?.["name"]}`;
  await query(`CREATE ROLE ${role} LOGIN PASSWORD 'less'; ${grants.replaceAll("ROLE", role)}`);
  const less = new URL(url);
  [less.username, less.password] = [role, "less"];
  return less.href;
}

const rights = /; the role of SERVICE_DATABASE_URL must own .*GRANT USAGE, CREATE ON SCHEMA/;

// biome-ignore format: one case a line
test.each([
  ["create tables", "GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE",
    /^0002_second cannot be applied: .*permission denied for schema public; nothing was changed;/],
  ["read the history", "GRANT CREATE ON SCHEMA public TO ROLE",
    /^the migrations of this database cannot be read: permission denied for table kirak_migrations; nothing was changed;/],
  [
    "write the history",
    `GRANT CREATE ON SCHEMA public TO ROLE; GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ROLE; ALTER TABLE books OWNER TO ROLE;
      REVOKE INSERT ON kirak_migrations FROM ROLE`,
    /^0002_second failed: .*permission denied for table kirak_migrations; nothing of it was applied;/,
  ],
  [
    "change the tables",
    `GRANT CREATE ON SCHEMA public TO ROLE; GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ROLE`,
    /^0002_second failed at step 1 of 1 \(add_index on books\): must be owner of table books; nothing of it was applied;/,
  ],
])("a role that may not %s gets an error with the missing grants", async (_, grants, message) => {
  const database = await shelf();
  const { url, query } = database;
  const before = await catalogOf(url);
  const { log: watched, matching } = lines();
  const run = migrate({ url: await asRole(database, grants),
    migrations: [base, second([uniqueIsbn])],
    log: watched,
  });
  const said = await run.catch(({ name, message: text }: Error) => `${name}: ${text}`);
  expect(said).toMatch(new RegExp(message.source.replace("^", "^MigrationError: ")));
  expect(said).toMatch(rights);
  expect(matching(/is still there/)).toEqual([]);
  expect(await catalogOf(url)).toEqual(before);
  const admin = await connect(url);
  await admin.query("ALTER TABLE books OWNER TO CURRENT_USER");
  await query(
    `DROP OWNED BY less_${new URL(url).pathname.slice(1)}; DROP ROLE less_${new URL(url).pathname.slice(1)}`,
  );
});

const baseline = defineMigration({ name: "0001_baseline", parent: null, up: [], down: [] });
const renaming = defineMigration({
  name: "0002_rename_users_to_app_users",
  parent: baseline.name,
  up: [{ step: "rename_table", table: "users", to: "app_users" }],
  down: [],
});
const retyped = (column: string, type: "text" | "timestamptz(3)" | "jsonb"): Step => ({
  step: "set_type",
  table: "app_users",
  column,
  type,
});
const converting = defineMigration({
  name: "0003_convert",
  parent: renaming.name,
  up: [
    retyped("state", "text"),
    retyped("seen", "timestamptz(3)"),
    retyped("settings", "jsonb"),
    { step: "set_nullable", table: "app_users", column: "state", nullable: false },
  ],
  down: [],
});

async function adopted(...statements: readonly string[]) {
  const { url, query } = await testDatabase();
  await query(`CREATE TYPE state AS ENUM ('new', 'old');
    CREATE TABLE users (id serial PRIMARY KEY, state state, seen timestamp, settings json);
    CREATE INDEX kept_null ON users (id) WHERE seen IS NULL;
    CREATE INDEX kept_order ON users (seen, state)`);
  for (const statement of statements) await query(statement);
  await markApplied({ url, migrations: [baseline], unverified: true, log });
  const code = { url, builtIn: [accounts], migrations: [baseline, renaming, converting] };
  return {
    query,
    run: () => migrate({ ...code, log }),
    applied: async () =>
      (await migrationStatus(code)).filter(({ state }) => state === "applied").map(({ name }) => name),
  };
}

/** Each of them makes PostgreSQL refuse a step of the adoption. */
// biome-ignore format: one case a line
const obstacles: readonly (readonly [statement: string, named: string])[] = [
  ["CREATE VIEW states AS SELECT state FROM users", "view states uses users.state"],
  ["CREATE MATERIALIZED VIEW seen AS SELECT seen FROM users", "materialized view seen uses users.seen"],
  ["CREATE INDEX by_state ON users (id) WHERE state = 'new'", "index by_state uses users.state"],
  ["CREATE INDEX by_time ON users (id) WHERE seen > '2020-01-01'", "index by_time uses users.seen"],
  ["CREATE INDEX by_day ON users (date_trunc('day', seen))", "index by_day uses users.seen"],
  ["ALTER TABLE users ADD CONSTRAINT not_old CHECK (state <> 'old')", "constraint not_old on table users uses users.state"],
  ["CREATE POLICY own_rows ON users USING (state = 'new')", "policy own_rows on table users uses users.state"],
  ["ALTER TABLE users ADD day integer GENERATED ALWAYS AS (extract(day FROM seen)::integer) STORED",
    "generated column day of table users uses users.seen"],
  ["CREATE FUNCTION count_new() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM users WHERE state = 'new'; END",
    "function count_new() uses users.state"],
  [String.raw`INSERT INTO users (settings) VALUES ('{"a": "\u0000"}'), ('{"a": "\\u0000"}')`, String.raw`rows of users.settings contain \u0000 (1)`],
  ["CREATE TABLE copies (it users)", "column it of table copies uses users.state"],
];

test("everything that PostgreSQL would refuse is named before the first step, and nothing is applied", async () => {
  const { run, applied, query } = await adopted(...obstacles.map(([statement]) => statement));
  const message = await run().then(
    () => "",
    (error: Error) => error.message,
  );
  expect(obstacles.map(([, named]) => named).filter((named) => !message.includes(named))).toEqual([]);
  expect(message).not.toContain("kept");
  const [, advice = ""] = /which jsonb cannot store: (SELECT .*)/.exec(message) ?? [];
  expect(await query(advice)).toHaveLength(1);
  expect(await applied()).toEqual(["0001_baseline"]);
});

test.each(obstacles)("PostgreSQL does refuse a step for: %s", async (statement) => {
  const { query } = await adopted(statement);
  const steps = [
    "ALTER TABLE users ALTER state TYPE text",
    "ALTER TABLE users ALTER seen TYPE timestamptz(3)",
    "ALTER TABLE users ALTER settings TYPE jsonb",
  ];
  const outcomes = await Promise.all(
    steps.map((step) =>
      query(step).then(
        () => "done",
        () => "refused",
      ),
    ),
  );
  expect(outcomes).toContain("refused");
});

test("a step that fails leaves everything as it was, the former names too", async () => {
  const { run, applied, query } = await adopted("INSERT INTO users (seen) VALUES (NULL)");
  await expect(run()).rejects.toThrow(/0003_convert failed at step 4 .*; nothing was applied/);
  expect(await applied()).toEqual(["0001_baseline"]);
  expect(await query("SELECT count(*)::int AS rows FROM users")).toEqual([{ rows: 1 }]);
  await query("UPDATE users SET state = 'new'");
  expect(await run()).toEqual([renaming.name, accounts.name, converting.name]);
  expect(await query("SELECT state FROM app_users")).toEqual([{ state: "new" }]);
});

const migration = (...up: Step[]): Migration => ({ name: "0001_initial", parent: null, up, down: [] });
const key = { name: "id", type: "bigint", nullable: false, default: "identity" } as const;
const pin = { name: "pin", type: "text", nullable: true } as const;

test("changes without effect on a database do not change the checksum", () => {
  const plain = migration(
    { step: "create_table", table: "t", columns: [key, pin] },
    { step: "add_column", table: "t", column: pin },
    { step: "rename_table", table: "t", to: "u" },
  );
  const labelled = migration(
    { step: "create_table", table: "t", model: "things", columns: [key, { ...pin, secret: true }] },
    { step: "add_column", table: "t", column: { ...pin, secret: true } },
    { step: "rename_table", table: "t", to: "u", model: "things" },
  );
  expect(checksumOf(labelled)).toBe(checksumOf(plain));
});

test("a default that is called like such a label counts", () => {
  const value = (secret: boolean) => ({ ...pin, type: "jsonb" as const, default: { literal: { secret } } });
  const of = (secret: boolean) =>
    checksumOf(migration({ step: "add_column", table: "t", column: value(secret) }));
  expect(of(true)).not.toBe(of(false));
});

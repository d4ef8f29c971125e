import { expect, test } from "vitest";
import { defineMigration, markApplied, migrate, migrationStatus } from "#runtime/migrations/index";
import type { Column, Step } from "#vocabulary/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent as log } from "../../support/silent-log.ts";

const id: Column = { name: "id", type: "bigint", nullable: false, default: "identity" };
const baseline = defineMigration({ name: "0001_baseline", parent: null, up: [], down: [] });
const accounts = defineMigration({
  name: "kirak_0001_accounts",
  parent: null,
  up: [{ step: "create_table", table: "users", columns: [id] }],
  down: [],
});
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

/** Each of them makes PostgreSQL refuse a step of the take-over. */
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
  [String.raw`INSERT INTO users (settings) VALUES ('{"a": "\u0000"}'), ('{"a": "\\u0000"}')`, String.raw`rows of users.settings hold \u0000 (1)`],
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
  const [, advice = ""] = /which jsonb cannot: (SELECT .*)/.exec(message) ?? [];
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

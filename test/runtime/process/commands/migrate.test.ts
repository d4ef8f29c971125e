import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { builtInMigrations } from "#runtime/migrations/built-in/index";
import { linkMigration, migrate } from "#runtime/migrations/runner/index";
import { changeOf } from "#runtime/migrations/runner/plan/migration-change";
import { describeChange, describeStatuses } from "#runtime/process/commands/migrate-output";
import { runCommand } from "../../../support/command.ts";
import { compiled } from "../../../support/compiled.ts";
import { testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";
import { release, stopAt, untilStopped } from "../../migrations/runner/migrating-process.ts";
import { initial } from "../../migrations/runner/sample-migrations.ts";
import { migration as other } from "./two-heads/0002_other.ts";

interface Outcome {
  readonly code: unknown;
  /** Of both streams, errors last. */
  readonly output: string;
}

const module = new URL("migrate-in-process.ts", import.meta.url);

const run = (url: string, ...args: string[]): Promise<Outcome> => runIn("migrations", url, args);

async function runIn(folder: string, url: string, args: readonly string[]): Promise<Outcome> {
  const environment = { SERVICE_DATABASE_URL: url, MIGRATIONS: folder };
  const { code, printed, complained } = await runCommand(module, { args, environment });
  return { code, output: printed + complained };
}

test("shows the pending migration, applies it, and shows that it is applied", async () => {
  const { url } = await testDatabase([initial], builtInMigrations);
  const before = await run(url, "status");
  expect(before).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^of the service:\napplied {4}\S+Z kirak_0001_accounts\napplied .* kirak_0002_rate_limits\napplied .* kirak_0003_web_auth\napplied .* kirak_0004_account_management\nof the app:\napplied {4}\S+Z 0001_initial\npending +0002_grow\n$/,
    ),
  });
  expect((await run(url, "up", "--to", "0001_initial")).output).toMatch(
    /no migration is pending up to 0001_initial, but 1 after it/,
  );
  const up = await run(url);
  expect(up.code).toBe(0);
  expect(up.output).toMatch(/"msg":"migration 1 of 1: 0002_grow"/);
  expect(up.output).toMatch(/"msg":"applied 0002_grow"/);
  expect((await run(url, "up")).output).toMatch(/no migration is pending/);
});

test("names the differences, and refuses unknown arguments", async () => {
  const { url } = await testDatabase();
  const altered = { ...initial, up: initial.up.slice(0, 1) };
  const newer = { ...initial, name: "0009_later", parent: "0001_initial", up: [] };
  await migrate({ url, migrations: [altered, newer], log: silent });
  const status = await run(url, "status");
  expect(status.code).toBe(1);
  expect(status.output).toMatch(/^altered .* 0001_initial \(the file was changed/m);
  expect(status.output).toMatch(/^unknown .* 0009_later \(not in this code/m);
  expect(await run(url)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^the database is newer than this code: 0009_later/),
  });
  expect(await run(url, "sideways")).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^unknown command sideways\n`kirak migrate --help` lists/),
  });
});

test("compares the database with its migrations, and fails on differences", async () => {
  const { url, query } = await testDatabase([initial], builtInMigrations);
  await query("CREATE TABLE audit (id integer)");
  const listed =
    "harmless:\naudit  table is not in the migrations\n\n" +
    "0002_grow is pending: npm run migrate applies it\nthe database matches its 5 migrations\n";
  const [usual, strict] = await Promise.all([run(url, "verify"), run(url, "verify", "--strict")]);
  expect(usual).toMatchObject({ code: 0, output: listed });
  expect(strict).toMatchObject({
    code: 1,
    output: `${listed}the database differs from its migrations: 1 difference\n`,
  });
  await query("ALTER TABLE books ALTER title TYPE varchar(100); DROP INDEX authors_email_key");
  const [text, json] = await Promise.all([run(url, "verify"), run(url, "verify", "--json")]);
  expect(text).toMatchObject({
    code: 1,
    output:
      "authors_email_key  unique index (email) where (deleted_at IS NULL) on authors is missing\n" +
      "books.title        expected varchar(255), is varchar(100)\n\n" +
      "harmless:\naudit  table is not in the migrations\n\n" +
      "0002_grow is pending: npm run migrate applies it\n" +
      "the database differs from its migrations: 2 differences\n",
  });
  expect(json.code).toBe(1);
  expect(JSON.parse(json.output.slice(0, json.output.lastIndexOf("}") + 1))).toEqual({
    differences: [
      expect.objectContaining({ kind: "index", table: "authors", name: "authors_email_key", actual: null }),
      { kind: "type", table: "books", name: "title", expected: "varchar(255)", actual: "varchar(100)" },
    ],
    notes: [{ kind: "table", table: "audit", name: null, expected: null, actual: "table" }],
    applied: 5,
    pending: ["0002_grow"],
    unfinished: [],
  });
});

test("prints its plan, undoes its steps, and asks before it loses data", async () => {
  const { url, query } = await testDatabase([initial], builtInMigrations);
  const dry = await run(url, "up", "--dry-run");
  expect(dry.code).toBe(0);
  expect(dry.output).toMatch(
    /^-- 0002_grow up\n-- ahead, in one transaction\nalter table "books" add column/,
  );
  expect(dry.output).toMatch(
    /^-- online, each statement by itself\n(?:.*\n)*create index concurrently "kirak__step_11"/m,
  );
  expect(dry.output).toMatch(
    /^-- in one transaction\n(?:.*\n)*alter table "authors" rename to "writers";\n\n$/m,
  );
  const status = await run(url, "status", "--json");
  expect(JSON.parse(status.output)).toEqual([
    { name: "kirak_0001_accounts", state: "applied", appliedAt: expect.stringMatching(/Z$/) },
    { name: "kirak_0002_rate_limits", state: "applied", appliedAt: expect.stringMatching(/Z$/) },
    { name: "kirak_0003_web_auth", state: "applied", appliedAt: expect.stringMatching(/Z$/) },
    { name: "kirak_0004_account_management", state: "applied", appliedAt: expect.stringMatching(/Z$/) },
    { name: "0001_initial", state: "applied", appliedAt: expect.stringMatching(/Z$/) },
    { name: "0002_grow", state: "pending", appliedAt: null },
  ]);
  expect(await run(url, "down")).toEqual({
    code: 1,
    output:
      "reverting 0001_initial loses data:\n  books: the table with all of its rows\n" +
      "  authors: the table with all of its rows\nto continue, add --accept-data-loss\n",
  });
  await query(`CREATE TABLE IF NOT EXISTS kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL);
    INSERT INTO kirak_migration_progress VALUES ('0009_gone', '[]', 'its')`);
  expect((await run(url, "down", "--dry-run")).output).toMatch(
    /^-- 0009_gone is in progress or was interrupted: .* removed first\n\n-- 0001_initial down\n-- loses books: the table with all of its rows\n-- loses authors: /,
  );
  const down = await run(url, "down", "--accept-data-loss");
  expect(down.code).toBe(0);
  expect(down.output).toMatch(/"msg":"reverted 0001_initial"/);
  expect((await run(url, "down")).output).toMatch(
    /"msg":"nothing to revert: migrations of the service itself stay"/,
  );
});

test("marks a baseline as applied", async () => {
  const { url, query } = await testDatabase();
  expect(await run(url, "baseline", "0001_initial")).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^the tables differ from the result of 0001_initial:\n {2}authors +table is/,
    ),
  });
  expect((await run(url, "baseline", "0001_initial", "--unverified")).code).toBe(0);
  expect(await query("SELECT to_regclass('books') AS books")).toEqual([{ books: null }]);
  expect((await run(url, "status")).output).toMatch(
    /of the app:\napplied .* 0001_initial\npending .* 0002_grow\n$/,
  );
  expect((await run(url, "baseline", "0001_initial")).output).toMatch(
    /"msg":"0001_initial is already applied"/,
  );
  expect(await run(url, "baseline", "0009_later")).toEqual({
    code: 1,
    output: "generated/migrations has no migration 0009_later\n",
  });
});

test("a merge that left two last migrations stops all but the way back", async () => {
  const { url, query } = await testDatabase();
  await migrate({ url, migrations: [initial, other], log: silent });
  for (const command of ["up", "status"])
    expect(await runIn("two-heads", url, [command])).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^0002_grow and 0002_other both build on 0001_initial: run npm run generate/,
      ),
    });
  expect((await runIn("two-heads", url, ["down", "--to", "0001_initial"])).code).toBe(0);
  expect(await query("SELECT to_regclass('books')::text AS found")).toEqual([{ found: "books" }]);
  expect((await run(url)).code).toBe(0);
});

test("an interrupted run exits with a failure", async () => {
  const database = await testDatabase();
  await stopAt(database, "CREATE TABLE", "to_regclass('authors') IS NOT NULL");
  const child = fork(compiled(module), [tmpdir()], {
    env: { PATH: process.env["PATH"], SERVICE_DATABASE_URL: database.url },
    silent: true,
  });
  const exit = once(child, "exit");
  await untilStopped(database);
  child.kill("SIGTERM");
  expect(await exit).toEqual([1, null]);
  await release(database);
  expect((await run(database.url, "up")).code).toBe(0);
});

const migration = linkMigration({
  name: "0002_own",
  parent: "0001_initial",
  sql: {
    class: "additive",
    up: ["CREATE TABLE a ();", "CREATE VIEW b AS SELECT 1"],
    down: "DROP VIEW b; DROP TABLE a",
    batches: [{ table: "books", size: 100, sql: "UPDATE books SET x = 1 WHERE id BETWEEN $1 AND $2;" }],
  },
});

test("a dry run prints custom SQL as it runs, and the possible losses of down", () => {
  expect(describeChange(changeOf(migration, "up"))).toBe(`-- 0002_own up
-- in one transaction
CREATE TABLE a ();
CREATE VIEW b AS SELECT 1;
-- for all rows of books, 100 rows at a time
UPDATE books SET x = 1 WHERE id BETWEEN $1 AND $2;

`);
  expect(describeChange(changeOf(migration, "down"))).toBe(`-- 0002_own down
-- loses 0002_own: data that its custom SQL removes
-- in one transaction
DROP VIEW b; DROP TABLE a;

`);
});

test("the status of a partly applied migration shows its progress", () => {
  const progress = "1 text and 2000 rows done, 40 % of a back-fill";
  const [line] = describeStatuses([{ name: "0002_own", state: "begun", appliedAt: null, progress }]);
  expect(line).toBe(
    `begun      ${" ".repeat(24)} 0002_own, ${progress} (in progress or interrupted: if interrupted, the next up continues it, ` +
      "and down reverts the finished part)\n",
  );
});

test.each([
  ["DROP INDEX i; DROP TRIGGER t ON b; DROP FUNCTION f() CASCADE", true],
  ["DROP INDEX i; DROP VIEW v; -- DROP TABLE x\nDROP POLICY p ON b", false],
  ["DO $$ BEGIN EXECUTE 'DROP TABLE b'; END $$", true],
  ["CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DELETE FROM b; SELECT 1 $$", false],
  ["DELETE FROM b", true],
  ["ALTER TABLE b DROP CONSTRAINT c", false],
  ["ALTER TABLE b DROP COLUMN c", true],
])("reverting with %j can lose data: %j", (down, loses) => {
  const own = linkMigration({
    name: "0002_own",
    parent: null,
    sql: { class: "additive", up: "SELECT 1", down },
  });
  expect(describeChange(changeOf(own, "down")).includes("-- loses")).toBe(loses);
});

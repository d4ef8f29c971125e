import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { withMigrationLock } from "#runtime/migrations/runner/apply/migration-lock";
import { timingOf } from "#runtime/migrations/runner/apply/timing";
import { migrate, migrateDown, migrationStatus } from "#runtime/migrations/runner/index";
import type { TestDatabase } from "../../../support/database.ts";
import { proxyTo } from "../../../support/proxy.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { release, startMigrating, stopAt, untilStopped, untilWaiting } from "./migrating-process.ts";
import { base, bookAuthor, catalogOf, connect, lines, note, second, shelf, uniqueIsbn } from "./shelf.ts";

const migrations = [base, second([uniqueIsbn])];
const message = (error: Error) => error.message;
const leftovers = "SELECT relname::text FROM pg_class WHERE relname LIKE 'kirak!_!_step%' ESCAPE '!'";

describe("an instance that lost its lock", () => {
  const timing = { lockTimeoutMs: 20, retryDelayMs: 1, attempts: 10_000, lastAttempts: 10_000 };

  test("tries no more", async () => {
    const database = await shelf();
    const { url, query } = database;
    await stopAt(database, "ALTER INDEX");
    const { log: itsLog, until } = lines();
    // It pauses while it loses the lock.
    const pausing = { ...timing, retryDelayMs: 2_000 };
    const failure = migrate({ url, migrations, log: itsLog, timing: pausing }).catch(message);
    await until(/trying again/);
    await query(`SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE locktype = 'advisory' AND objid = 1 AND datname = current_database()`);
    expect(await failure).toBe("the connection that holds the migration lock was lost: migrate again");
    await release(database);
    expect(await migrate({ url, migrations, log })).toEqual(["0002_second"]);
  });

  test("leaves the objects that another instance prepares for the same migration", async () => {
    const database = await shelf();
    const { url, query } = database;
    const old = await connect(url);
    await old.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
    const failure = migrate({ url, migrations, log }).catch(message);
    await untilWaiting(database, "locktype = 'virtualxid'");
    await query("UPDATE kirak_migration_progress SET run = 'of another instance'");
    await old.query("COMMIT");
    expect(await failure).toBe("another instance removed the preparation of 0002_second: migrate again");
    expect(await query("SELECT run FROM kirak_migration_progress")).toEqual([{ run: "of another instance" }]);
    expect(await query(leftovers)).toHaveLength(1);
  });

  test.each<[string, string]>([
    ["index", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'kirak__step_1'::regclass"],
    ["constraint", "UPDATE pg_constraint SET convalidated = false WHERE conname = 'kirak__step_2'"],
  ])("does not use an incomplete preparation: %s", async (_, breaking) => {
    const database = await shelf();
    const { url, query } = database;
    await stopAt(database, "ALTER INDEX");
    const { log: itsLog, until } = lines();
    const both = [base, second([uniqueIsbn, bookAuthor])];
    const failure = migrate({ url, migrations: both, log: itsLog, timing }).catch(message);
    await until(/trying again/);
    await query(breaking);
    expect(await failure).toBe("the preparation of 0002_second is incomplete: migrate again");
    expect(await query(leftovers)).toEqual([]);
    expect(await migrationStatus({ url, migrations: [base] })).toHaveLength(1);
  });

  test.each<["up" | "down", string, string]>([
    ["up", "INSERT INTO kirak_migrations (name, migration_time) VALUES ('0002_second', now())", "applied"],
    ["down", "DELETE FROM kirak_migrations WHERE name = '0002_second'", "reverted"],
  ])("and is too late for %s undoes its preparation", async (direction, meanwhile, what) => {
    const { url, query } = await shelf();
    const both = [base, direction === "up" ? second([uniqueIsbn]) : second([], [uniqueIsbn])];
    if (direction === "down") await migrate({ url, migrations: both, log });
    const old = await connect(url);
    await old.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
    const run = direction === "up" ? migrate : migrateDown;
    const failure = run({ url, migrations: both, log }).catch(message);
    await untilWaiting({ query }, "locktype = 'virtualxid'");
    await query(meanwhile);
    await old.query("COMMIT");
    expect(await failure).toBe(`another instance ${what} 0002_second in the meantime: migrate again`);
    expect(await query(leftovers)).toEqual([]);
    expect(await query("SELECT * FROM kirak_migration_progress")).toEqual([]);
  });
});

describe("the lock's connection", async () => {
  // Each of its own: what stalls keeps its lock.
  const [asked, ended] = [await proxyTo((await shelf()).url), await proxyTo((await shelf()).url)];
  const options = ({ url }: { url: string }) => ({
    url,
    log,
    timing: timingOf({ timing: { answerTimeoutMs: 200 } }),
  });

  test("is refused when it does not keep the lock, as through a pooler", async () => {
    const pooled = /behind a pooler, set SERVICE_DATABASE_DIRECT_URL to the URL of PostgreSQL itself$/;
    await withMigrationLock(options(await shelf()), async ({ client, requireHeld }) => {
      await requireHeld();
      await client.query("SELECT set_config('kirak.migrating', 'by another', false)");
      await expect(requireHeld()).rejects.toThrow(pooled);
    });
    await withMigrationLock(options(await shelf()), async ({ client, requireHeld }) => {
      await client.query("SELECT pg_advisory_unlock_all()");
      await expect(requireHeld()).rejects.toThrow(pooled);
    });
  });

  test("counts as lost when it does not answer, and ends all the same", async () => {
    await withMigrationLock(options(asked), async ({ requireHeld }) => {
      asked.stall();
      await expect(requireHeld()).rejects.toThrow(/^the connection that holds the migration lock was lost/);
    });
  });

  test("ends if the server does not respond to that", async () => {
    await withMigrationLock(options(ended), async () => ended.stall());
  });
});

test("a process that freezes in its transaction lets the tables go", async () => {
  const database = await shelf();
  const { url, query } = database;
  await stopAt(
    database,
    "ALTER TABLE",
    "EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'books'::regclass AND mode = 'AccessExclusiveLock')",
  );
  const process = startMigrating(url, [base, second([note, { ...note, table: "authors" }])], {
    idleTimeoutMs: 200,
  });
  await untilStopped(database);
  process.freeze();
  await release(database);
  await query("SET lock_timeout = '10s'");
  await query("INSERT INTO books (isbn) VALUES ('new')");
  await process.kill();
  expect(await migrationStatus({ url, migrations: [base] })).toHaveLength(1);
});

describe("Kirak's own tables", () => {
  const undo = JSON.stringify([{ drop: "column", table: "books", name: "isbn" }]);

  async function planted(role: string, { query }: TestDatabase): Promise<void> {
    await query(`CREATE ROLE ${role} LOGIN; GRANT CREATE ON SCHEMA public TO ${role}; SET ROLE ${role};
      CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL);
      INSERT INTO kirak_migration_progress VALUES ('x', '${undo}', 'y'); RESET ROLE`);
    onTestFinished(async () => void (await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  }

  test.each<[string, boolean]>([
    ["a superuser", false],
    ["a role", true],
  ])("are refused to %s if another role created them", async (_, isRole) => {
    const database = await shelf();
    const { url, query } = database;
    const [mallory, migrator] = ["mallory", "migrator"].map(
      (role) => `${role}_${randomBytes(6).toString("hex")}`,
    );
    const other = new URL(url);
    if (isRole) {
      await query(`CREATE ROLE ${migrator} LOGIN PASSWORD 'x'; ALTER TABLE kirak_migrations OWNER TO ${migrator};
        ALTER TABLE kirak_migration_checksums OWNER TO ${migrator}`);
      onTestFinished(async () => void (await query(`DROP OWNED BY ${migrator}; DROP ROLE ${migrator}`)));
      [other.username, other.password] = [String(migrator), "x"];
    }
    await planted(String(mallory), database);
    await expect(migrate({ url: other.href, migrations: [base], log })).rejects.toThrow(
      `the table kirak_migration_progress belongs to ${mallory}, whose rights this role does not have`,
    );
    expect(await query("SELECT isbn FROM books")).toHaveLength(3);
  });

  test.each<[string, unknown]>([
    ["SQL", ["DROP TABLE books"]],
    ["an index of others", [{ drop: "index", table: "books", name: "books_pkey" }]],
    ["a table of Kirak's", [{ drop: "table", table: "kirak_migrations", name: "kirak_migrations" }]],
    ["another kind", [{ drop: "schema", table: "public", name: "public" }]],
  ])("hold undo steps as data: not %s", async (_, planned) => {
    const { url, query } = await shelf();
    await query(
      "CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL)",
    );
    await query("INSERT INTO kirak_migration_progress VALUES ('x', $1, 'y')", [JSON.stringify(planned)]);
    const before = await catalogOf(url);
    await expect(migrate({ url, migrations: [base], log })).rejects.toThrow(
      "the preparation of x cannot be removed: the row in kirak_migration_progress was not written by Kirak",
    );
    expect(await catalogOf(url)).toEqual(before);
    expect(await query("SELECT name FROM kirak_migration_progress")).toEqual([{ name: "x" }]);
  });
});

test("an index is created again after its creation met a deadlock", async () => {
  const { url, query } = await shelf();
  await query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION fail() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    END $$;
    CREATE EVENT TRIGGER fail ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION fail()`);
  const { log: itsLog, matching } = lines();
  await migrate({ url, migrations, log: itsLog, timing: { retryDelayMs: 1 } });
  expect(matching(/deadlock detected: trying again/)).toHaveLength(1);
  expect(
    await query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'books_isbn_key'::regclass"),
  ).toEqual([{ indisvalid: true }]);
  expect(await query(leftovers)).toEqual([]);
});

test("an index that is made is not given up as soon as a lock that nothing was done for", async () => {
  const { url } = await shelf();
  const reader = await connect(url);
  await reader.query("BEGIN; SELECT FROM books");
  const { log: itsLog, matching } = lines();
  const change = second([uniqueIsbn, { step: "drop_column", table: "books", column: "status" }]);
  const timing = { lockTimeoutMs: 20, retryDelayMs: 1, attempts: 2, lastAttempts: 5 };
  await expect(migrate({ url, migrations: [base, change], log: itsLog, timing })).rejects.toThrow(
    /lock timeout/,
  );
  expect(matching(/^0002_second, step 2 of 2 .* trying again/)).toHaveLength(4);
});

test("an instance that waits for another logs that repeatedly, with the other's name", async () => {
  const { url, query } = await shelf();
  const other = await connect(url);
  await other.query("SET application_name = 'the other'; SELECT pg_advisory_lock(1802072673, 1)");
  const [session] = await query(
    "SELECT pid, backend_start FROM pg_stat_activity WHERE application_name = 'the other'",
  );
  const { log: itsLog, matching } = lines();
  const waiting = migrate({ url, migrations, log: itsLog, timing: { pollMs: 5, progressMs: 10 } });
  await expect.poll(() => matching(/^another instance/).length, { timeout: 15_000 }).toBeGreaterThan(1);
  expect(matching(/^another instance/)[1]).toBe(
    `another instance is migrating the database: waiting for it (pid ${session?.["pid"]}, the other, since ${session?.["backend_start"].toISOString()})`,
  );
  await other.query("SELECT pg_advisory_unlock_all()");
  await waiting;
});

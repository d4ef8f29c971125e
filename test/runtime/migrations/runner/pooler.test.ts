import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Statement,
} from "#runtime/core/database/index";
import { testDatabase } from "../../../support/database.ts";
import { hasPgBouncer, knowsNamedStatements, pgBouncerTo } from "../../../support/pgbouncer.ts";
import { startServiceProcess } from "../../../support/service-process.ts";

const sleep: Statement = { name: "sleep", text: "SELECT pg_sleep($1::float8)" };
const moment: Statement = { name: "moment", text: "SELECT '2026-01-31 08:15:00+02'::timestamptz(3)::text" };
const setting = (name: string): Statement => ({ name: `show ${name}`, text: `SHOW ${name}` });

/** The code of PostgreSQL's error. */
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
  );

describe.skipIf(!hasPgBouncer)("behind PgBouncer in transaction mode", async () => {
  if (!hasPgBouncer) return;
  const own = await testDatabase();
  const { url } = await pgBouncerTo(own.url);
  await own.query("CREATE TABLE items (id integer PRIMARY KEY); INSERT INTO items VALUES (1)");
  const lines: string[] = [];

  function pooled(options: Partial<DatabaseOptions> = {}): Database {
    lines.length = 0;
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const database = createDatabase({ url, maxConnections: 6, log, ...options });
    onTestFinished(() => database.close());
    return database;
  }

  const ways = [false, ...(knowsNamedStatements ? [true] : [])];

  describe.each(ways)("named statements: %s", (namedStatements) => {
    test("many connections over two server processes get the right rows", async () => {
      const database = pooled({ namedStatements });
      const rows = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          database.run({ name: `n${at % 7}`, text: `SELECT $1::int + ${at % 7}` }, [at]),
        ),
      );
      expect(rows).toEqual(Array.from({ length: 60 }, (_, at) => [[String(at + (at % 7))]]));
      expect(lines).toEqual([]);
    });

    test("statements time out: single ones, in a transaction, and those of hooks", async () => {
      const database = pooled({ namedStatements, statementTimeoutMs: 100 });
      expect(await codeOf(database.run(sleep, [30]))).toBe("57014");
      expect(await codeOf(database.transaction((transaction) => transaction.run(sleep, [30])))).toBe("57014");
      expect(await codeOf(database.transaction(({ knex }) => knex.raw("SELECT pg_sleep(30)")))).toBe("57014");
    });

    test("locks are waited for no longer than their limit", async () => {
      const database = pooled({ namedStatements, lockTimeoutMs: 50 });
      await own.query("BEGIN; SELECT FROM items FOR UPDATE");
      const take: Statement = { name: "take", text: "SELECT FROM items FOR UPDATE" };
      expect(await codeOf(database.run(take, []))).toBe("55P03");
      await own.query("COMMIT");
      expect(await codeOf(database.run(take, []))).toBe("none");
    });

    test("settings hold in each transaction, however it begins", async () => {
      const database = pooled({ namedStatements, statementTimeoutMs: 7_000 });
      const shown = await database.transaction(async (transaction) => {
        const first = await transaction.savepoint(() => transaction.run(setting("statement_timeout"), []));
        return [...first, ...(await transaction.run(setting("idle_in_transaction_session_timeout"), []))];
      });
      expect(shown).toEqual([["7s"], ["1min"]]);
    });

    test("other clients' settings do not change our texts, and ours do not reach other clients", async () => {
      const database = pooled({ namedStatements, statementTimeoutMs: 7_000 });
      const other = new pg.Client(url);
      await other.connect();
      await other.query("SET TimeZone = 'Asia/Tokyo'");
      const rows = await Promise.all(Array.from({ length: 12 }, () => database.run(moment, [])));
      expect(rows).toEqual(Array(12).fill([["2026-01-31 06:15:00+00"]]));
      const { rows: found } = await other.query(
        "SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS timeout",
      );
      expect(found).toEqual([{ zone: "Asia/Tokyo", timeout: "0" }]);
      await other.end();
    });

    test.each([
      ["the pooler", {}],
      ["PostgreSQL itself", { directUrl: own.url }],
    ])("what PostgreSQL works on is waited for, as %s tells", async (_, way) => {
      const database = pooled({ namedStatements, answerTimeoutMs: 600, ...way });
      expect(await codeOf(database.run(sleep, [1.2]))).toBe("none");
    });

    test("a client in the queue of the pooler waits no longer than for a connection", async () => {
      const database = pooled({ namedStatements, acquireTimeoutMs: 300 });
      const busy = [new pg.Client(url), new pg.Client(url)];
      for (const client of busy) {
        await client.connect();
        await client.query("BEGIN");
      }
      expect(await codeOf(database.run(moment, []))).toMatch(/^NoResponseError/);
      for (const client of busy) await client.end();
    });
  });

  test.skipIf(knowsNamedStatements)(
    "names that it does not know are given up at once, and said once",
    async () => {
      const database = pooled();
      const statements = Array.from({ length: 60 }, (_, at) => ({ name: `s${at}`, text: `SELECT ${at}` }));
      const some = (at: number) =>
        Array.from({ length: 5 }, (_, step) => statements[(at * 7 + step) % 60] ?? moment);
      const transactions = Array.from({ length: 200 }, (_, at) =>
        database.transaction(async (transaction) => {
          for (const statement of some(at)) await transaction.run(statement, []);
        }),
      );
      expect(await Promise.all(transactions.map(codeOf))).toEqual(Array(200).fill("none"));
      expect(lines.filter((line) => line.includes("SERVICE_DATABASE_NAMED_STATEMENTS=false"))).toHaveLength(
        1,
      );
    },
  );
});

describe.skipIf(!hasPgBouncer)("a process whose requests go through a pooler", async () => {
  if (!hasPgBouncer) return;
  const own = await testDatabase();
  const pooler = await pgBouncerTo(own.url);
  const root = mkdtempSync(join(tmpdir(), "kirak-process-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models/manifest.json"), "{}");
  const migration = { name: "0001_initial", parent: null, up: [], down: [] };
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(join(root, "0001_initial.js"), `export const migration = ${JSON.stringify(migration)};`);
  const start = (environment: Record<string, string>) =>
    startServiceProcess(new URL("../../process/service-in-process.ts", import.meta.url), root, {
      SERVICE_DATABASE_URL: pooler.url,
      ...environment,
    });

  test("leaves no lock behind where it migrates through the pooler all the same", async () => {
    const service = start({ SERVICE_DATABASE_NAMED_STATEMENTS: "false" });
    await service.listening();
    const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = x'6b697261'::int
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect(await own.query(locks)).toEqual([]);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
  });

  test("migrates over the direct way, and serves through the pooler", async () => {
    const direct = { SERVICE_DATABASE_DIRECT_URL: own.url, SERVICE_DATABASE_NAMED_STATEMENTS: "false" };
    const service = start(direct);
    const address = await service.listening();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await own.query("SELECT name FROM kirak_migrations ORDER BY id DESC LIMIT 1")).toEqual([
      { name: "0001_initial" },
    ]);
    expect(await (await fetch(`${address}/lock-timeout`)).json()).toEqual([["10s"]]);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
  });
});

import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import {
  classifyDatabaseError,
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Statement,
} from "../../../runtime/database/index.ts";
import { afterFile } from "../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { preconditionOf, Refused, refuse } from "../../support/precondition.ts";
import { proxyTo } from "../../support/proxy.ts";
import { silent } from "../../support/silent-log.ts";

let own: TestDatabase;

beforeAll(async () => {
  own = await testDatabase();
  await own.query(`
    CREATE TABLE gone (name text); INSERT INTO gone VALUES ('bad');
    CREATE TABLE items (name text UNIQUE, size integer CHECK (size > 0))`);
});

const named = (text: string): Statement => ({ name: text.slice(0, 40), text });
const once = (text: string): Statement => ({ name: null, text });
const insert = named("INSERT INTO items (name, size) VALUES ($1, $2) RETURNING name");
const one = named("SELECT 1");
const backend = named("SELECT pg_backend_pid()");

function databaseOf(options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({ url: own.url, maxConnections: 1, log: silent, ...options });
  afterFile(() => database.close());
  return database;
}

const items = async () => (await own.query("SELECT name FROM items ORDER BY name")).map(({ name }) => name);
const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
/** What was thrown: a refusal with the reason for it, or the code of an error. */
const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (rows) => rows,
    (error: unknown) => {
      if (error instanceof Refused) return `refused: ${reasonOf(error.cause)}`;
      return reasonOf(error);
    },
  );
function reasonOf(error: unknown): unknown {
  return error instanceof pg.DatabaseError ? error.code : (classifyDatabaseError(error)?.kind ?? error);
}

/** Ways to run one statement. */
const ways: readonly (readonly [name: string, run: (database: Database) => Database["run"]])[] = [
  ["alone", (database) => database.run],
  ["among the reads of a caller", (database) => database.readsOf("somebody").run],
];

describe.each(ways)("a statement with a precondition, %s", (_, runOf) => {
  const prepared = { name: "prepared", namedStatements: true, refusing: refuse };
  const unnamed = { name: "where names are not known", namedStatements: false, refusing: refuse };
  const neverNamed = { name: "without names", namedStatements: true, refusing: { ...refuse, name: null } };

  describe.each([prepared, unnamed, neverNamed])("$name", ({ namedStatements, refusing }) => {
    test.each<[string, string, Statement, readonly unknown[], unknown, number, readonly string[]]>([
      ["holds: it is run", "good", insert, ["a", 1], [["a"]], 1, ["a"]],
      ["fails: it is not", "bad", insert, ["a", 1], "refused: 22P02", 0, []],
      ["fails, and it would too", "bad", insert, ["a", 0], "refused: 22P02", 0, []],
      ["holds, and it fails", "good", insert, ["a", 0], "23514", 1, []],
      ["holds, and its values are none", "good", insert, ["a", "x"], "22P02", 1, []],
      ["fails, and its values are none", "bad", insert, ["a", "x"], "refused: 22P02", 0, []],
      ["holds, and it cannot be parsed", "good", named("SELECT nothing"), [], "42703", 1, []],
      ["fails, and it cannot be parsed", "bad", named("SELECT nothing"), [], "refused: 22P02", 0, []],
      [
        "holds: it may be described",
        "good",
        { name: null, text: "SELECT 7::int AS n", described: true },
        [],
        [["n"], ["23"], ["7"]],
        1,
        [],
      ],
    ])("it %s", async (_, name, statement, values, expected, held, left) => {
      await own.query("TRUNCATE items");
      const database = databaseOf({ namedStatements });
      // On a connection that knows neither, and then on one that may know both.
      for (let times = 0; times < 3; times++) {
        await own.query("TRUNCATE items");
        const { precondition, noted } = preconditionOf(name, refusing);
        expect(await thrown(runOf(database)(statement, values, precondition))).toEqual(expected);
        expect(noted.held).toBe(held);
        expect(await items()).toEqual(left);
        expect(await runOf(database)(one, [])).toEqual([["1"]]);
      }
      expect(database.connections()).toEqual({ idle: 1, used: 0, waiting: 0 });
    });
  });

  test("the first use of a connection is refused, and what comes after it is not", async () => {
    await own.query("TRUNCATE items");
    const database = databaseOf();
    const [[pid] = []] = await runOf(database)(backend, []);
    for (const [name, expected] of [
      ["bad", "refused: 22P02"],
      ["good", [["x"]]],
      ["bad", "refused: 22P02"],
      ["good", "23505"],
    ] as const)
      expect(await thrown(runOf(database)(insert, ["x", 1], preconditionOf(name).precondition))).toEqual(
        expected,
      );
    expect(await runOf(database)(backend, [])).toEqual([[pid]]);
    // Each was prepared once after the first time, and used ever since; the statement where the precondition held.
    const uses = "SELECT custom_plans + generic_plans FROM pg_prepared_statements WHERE name = $1";
    expect(await runOf(database)(once(uses), [refuse.name])).toEqual([["3"]]);
    expect(await runOf(database)(once(uses), [insert.name])).toEqual([["2"]]);
  });

  test("rows of the precondition are nobody's", async () => {
    const database = databaseOf();
    const asking = { name: "asking", text: "SELECT 'not for you' FROM generate_series(1, 3) WHERE $1 <> ''" };
    const { precondition, noted } = preconditionOf("good", asking);
    expect(await runOf(database)(one, [], precondition)).toEqual([["1"]]);
    expect(noted.held).toBe(1);
  });

  test.each([
    ["of a statement", Array(65_536).fill(1), ["good"]],
    ["of a precondition", [], Array(65_536).fill("good")],
    ["that are no JSON", [{ big: 1n }], ["good"]],
  ])("values %s that cannot be sent leave the connection as it was", async (_, values, asked) => {
    const database = databaseOf();
    const before = await runOf(database)(backend, []);
    const { precondition, noted } = preconditionOf("good");
    const error = await caught(runOf(database)(one, values, { ...precondition, values: asked }));
    expect(error).toSatisfy((thrown) => thrown instanceof RangeError || thrown instanceof TypeError);
    expect(database.connections()).toEqual({ idle: 1, used: 0, waiting: 0 });
    expect(noted.held).toBe(0);
    expect(await runOf(database)(backend, [], precondition)).toEqual(before);
  });
});

describe("what was prepared is no longer good", () => {
  /** Its result has the columns of the table. */
  const refuseWide = { name: "wide", text: `SELECT *, ('x' || name)::integer FROM gone WHERE name = $1` };
  const read = named("SELECT * FROM items ORDER BY name LIMIT 1");

  test.each([
    ["the table of the precondition", ["gone"]],
    ["the table of the statement", ["items"]],
    ["both", ["gone", "items"]],
  ])("%s has changed: both are prepared anew", async (_, tables) => {
    await own.query("TRUNCATE items; INSERT INTO items VALUES ('x', 1)");
    const database = databaseOf();
    const [[pid] = []] = await database.run(backend, []);
    const change = async (column: string) => {
      for (const table of tables) await own.query(`ALTER TABLE ${table} ADD ${column} text`);
    };
    const ask = (name: string) =>
      thrown(database.run(read, [], preconditionOf(name, refuseWide).precondition));
    const row = ["x", "1"];
    const more = tables.includes("items") ? [null] : [];
    expect(await ask("good")).toEqual([row]);
    expect(await ask("bad")).toBe("refused: 22P02");
    await change("one");
    expect(await ask("good")).toEqual([[...row, ...more]]);
    await change("two");
    expect(await ask("bad")).toBe("refused: 22P02");
    expect(await ask("good")).toEqual([[...row, ...more, ...more]]);
    expect(await database.run(backend, [])).toEqual([[pid]]);
    for (const table of tables) await own.query(`ALTER TABLE ${table} DROP one, DROP two`);
  });

  test("the server has forgotten both", async () => {
    await own.query("TRUNCATE items");
    const database = databaseOf();
    const ask = (name: string) => thrown(database.run(insert, ["y", 1], preconditionOf(name).precondition));
    expect(await ask("good")).toEqual([["y"]]);
    for (const [name, expected] of [
      ["bad", "refused: 22P02"],
      ["good", "23505"],
    ] as const) {
      await database.run(once("DEALLOCATE ALL"), []);
      expect(await ask(name)).toEqual(expected);
    }
    expect(await items()).toEqual(["y"]);
  });

  test("the server has forgotten one of them", async () => {
    const database = databaseOf();
    const ask = (name: string) => thrown(database.run(one, [], preconditionOf(name).precondition));
    expect(await ask("good")).toEqual([["1"]]);
    for (const forgotten of [refuse.name, one.name])
      for (const [name, expected] of [
        ["bad", "refused: 22P02"],
        ["good", [["1"]]],
      ] as const) {
        // The other one may be forgotten since the time before.
        await database.run(once(`DEALLOCATE "${forgotten}"`), []);
        expect(await ask(name)).toEqual(expected);
        expect(await ask("good")).toEqual([["1"]]);
      }
  });

  test("a failure that may pass is tried again, be it the one's or the other's; the statement runs once", async () => {
    await own.query(`
      TRUNCATE items;
      CREATE SEQUENCE tries;
      CREATE FUNCTION fail_twice(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') % 3 <> 0 THEN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END IF; RETURN $1; END $$`);
    const database = databaseOf();
    const asking = { name: "asking", text: `${refuse.text} OR fail_twice($1) IS NULL` };
    const first = preconditionOf("good", asking);
    expect(await database.run(insert, ["first", 1], first.precondition)).toEqual([["first"]]);
    expect(first.noted.held).toBe(1);
    const adding = named("INSERT INTO items SELECT fail_twice($1), 1 RETURNING name");
    const second = preconditionOf("good");
    expect(await database.run(adding, ["second"], second.precondition)).toEqual([["second"]]);
    // Asked in each attempt: a token may be revoked between two of them.
    expect(second.noted.held).toBe(3);
    expect(await items()).toEqual(["first", "second"]);
    expect(await own.query("SELECT last_value::int AS n FROM tries")).toEqual([{ n: 6 }]);
  });
});

describe("nobody knows whether it holds", () => {
  const refusedFor = (reason: string) => `refused: ${reason}`;

  test("where its table is missing, and again once that is there", async () => {
    await own.query("TRUNCATE items");
    const database = databaseOf();
    const ask = () => thrown(database.run(insert, ["t", 1], preconditionOf("good").precondition));
    await own.query("ALTER TABLE gone RENAME TO elsewhere");
    expect(await ask()).toBe(refusedFor("42P01"));
    expect(await ask()).toBe(refusedFor("42P01"));
    await own.query("ALTER TABLE elsewhere RENAME TO gone");
    expect(await ask()).toEqual([["t"]]);
    await own.query("TRUNCATE items; ALTER TABLE gone RENAME TO elsewhere");
    expect(await ask()).toBe(refusedFor("42P01"));
    expect(await items()).toEqual([]);
    await own.query("ALTER TABLE elsewhere RENAME TO gone");
    expect(await ask()).toEqual([["t"]]);
  });

  test("where there is no server, or the database was closed", async () => {
    const nowhere = createDatabase({ url: "postgres://u@127.0.0.1:1/none", log: silent });
    expect(await thrown(nowhere.run(one, [], preconditionOf("good").precondition))).toBe(refusedFor("other"));
    await nowhere.close();
    expect(await thrown(nowhere.run(one, [], preconditionOf("good").precondition))).toBe(refusedFor("other"));
    expect(await thrown(nowhere.run(one, []))).toBe("other");
  });

  test.each(ways)("where no connection comes free in time, %s", async (_, runOf) => {
    const database = databaseOf({ acquireTimeoutMs: 500 });
    await database.transaction(async (transaction) => {
      await transaction.run(one, []);
      const asked = runOf(database)(one, [], preconditionOf("good").precondition);
      expect(await thrown(asked)).toBe(refusedFor("no_answer"));
    });
    expect(await database.run(one, [], preconditionOf("good").precondition)).toEqual([["1"]]);
  });
});

describe("a connection that is lost", () => {
  /** Some kilobytes go to the client at once, and the rest waits for a lock. */
  const halfway = once(
    "SELECT repeat('x', 20000) UNION ALL SELECT pg_advisory_xact_lock(4711)::text || $1::text",
  );

  type Loss = "cut" | "stall";

  async function ask(
    begin: string,
    statement: Statement,
    isUnderWay: (held: number) => Promise<void>,
    loss: Loss,
  ) {
    const way = await proxyTo(own.url);
    const database = databaseOf({ url: way.url, ...(loss === "stall" && { answerTimeoutMs: 300 }) });
    await own.query(`BEGIN; ${begin}`);
    const { precondition, noted } = preconditionOf("good");
    const asked = thrown(database.run(statement, statement === halfway ? ["y"] : ["l", 1], precondition));
    await eventually(() => isUnderWay(noted.held));
    way[loss]();
    // The server goes on, and nobody hears of it.
    await own.query("ROLLBACK");
    const told = await asked;
    way.mend();
    expect(database.connections().used).toBe(0);
    expect(await thrown(database.run(one, []))).toEqual([["1"]]);
    return told;
  }

  const waits = async () => {
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect(await own.query(waiting)).toHaveLength(1);
  };

  test.each<[Loss, string]>([
    // The statement may have been run: nobody is told that nothing was done.
    ["cut", "other"],
    ["stall", "refused: no_answer"],
  ])("%s: while the question is out", async (loss, told) => {
    expect(await ask("LOCK TABLE gone", insert, waits, loss)).toBe(told);
  });

  test.each<[Loss, string]>([
    ["cut", "other"],
    ["stall", "no_answer"],
  ])("%s: once it was answered, which is about the statement", async (loss, kind) => {
    const isHeld = async (held: number) => expect(held).toBe(1);
    expect(await ask("SELECT pg_advisory_xact_lock(4711)", halfway, isHeld, loss)).toBe(kind);
  });

  test("the server ends it while the question is out, and while it is at the statement", async () => {
    await own.query("TRUNCATE items");
    const database = databaseOf();
    const ended = async (lock: string) => {
      const [[pid] = []] = await database.run(backend, []);
      await own.query(`BEGIN; LOCK TABLE ${lock}`);
      const { precondition, noted } = preconditionOf("good");
      const asked = thrown(database.run(insert, ["e", 1], precondition));
      await eventually(waits);
      await own.query("SELECT pg_terminate_backend($1)", [pid]);
      const told = await asked;
      await own.query("ROLLBACK");
      return [told, noted.held];
    };
    expect(await ended("gone")).toEqual(["refused: 57P01", 0]);
    expect(await ended("items")).toEqual(["57P01", 1]);
    expect(await items()).toEqual([]);
  });
});

test("a transaction takes no precondition: what it refuses would be undone with all the rest", async () => {
  const database = databaseOf();
  const { precondition } = preconditionOf("bad");
  const work = database.transaction((transaction) => transaction.run(insert, ["in it", 1], precondition));
  await expect(work).rejects.toThrow(/precondition/);
  expect(await items()).not.toContain("in it");
});

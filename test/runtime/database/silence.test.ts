import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  classifyDatabaseError,
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Statement,
} from "../../../runtime/database/index.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { proxyTo, type TestProxy } from "../../support/proxy.ts";
import { silent } from "../../support/silent-log.ts";

const one: Statement = { name: "one", text: "SELECT 1" };
const sleep: Statement = { name: "sleep", text: "SELECT pg_sleep($1::float8)" };
const answerTimeoutMs = 600;

let own: TestDatabase;
let way: TestProxy;

beforeAll(async () => {
  own = await testDatabase();
  way = await proxyTo(own.url);
});

function databaseBy(url: string, options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({ url, answerTimeoutMs, maxConnections: 4, log: silent, ...options });
  onTestFinished(() => {
    way.mend();
    return database.close();
  });
  return database;
}

/** What a caller would be told: the kind of the failure, or the rows. */
const told = (work: Promise<unknown>) =>
  work.catch((error: unknown) => classifyDatabaseError(error)?.kind ?? error);

/** Opens all connections of a pool. */
const warmUp = (database: Database) =>
  Promise.all(Array.from({ length: 4 }, () => database.run(sleep, [0.01])));

describe("a connection on which nothing comes any more", () => {
  test("is given up, and those that were idle meanwhile with it: the next requests work", async () => {
    const database = databaseBy(way.url);
    await warmUp(database);
    way.stall();
    expect(await told(database.run(one, []))).toBe("no_answer");
    expect(await told(warmUp(database))).toEqual(Array(4).fill([[""]]));
  });

  test("is given up in the midst of a transaction, whose connection nobody gets again", async () => {
    const database = databaseBy(way.url, { maxConnections: 1 });
    const outcome = database.transaction(async (transaction) => {
      await transaction.run(one, []);
      way.stall();
      return transaction.run(one, []);
    });
    expect(await told(outcome)).toBe("no_answer");
    expect(await told(database.run(one, []))).toEqual([["1"]]);
  });

  test("is given up when a hook's own query waits on it", async () => {
    const database = databaseBy(way.url, { maxConnections: 1 });
    const outcome = database.transaction(async ({ knex }) => {
      await knex.raw("SELECT 1");
      way.stall();
      await knex.raw("SELECT 2");
    });
    expect(await told(outcome)).toBe("no_answer");
    expect(await told(database.run(one, []))).toEqual([["1"]]);
  });

  test("counts as silent at once where no statement may take that long", async () => {
    const database = databaseBy(way.url, { maxConnections: 1, statementTimeoutMs: 100 });
    await database.run(one, []);
    way.stall();
    expect(await told(database.run(one, []))).toBe("no_answer");
  });
});

describe("a database that is silent as a whole", () => {
  test("answers nobody in time, on old connections and new ones, and the service is back when it is", async () => {
    const database = databaseBy(way.url, { acquireTimeoutMs: 300 });
    await database.run(one, []);
    way.freeze();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => told(database.run(one, []))));
    expect(outcomes).toEqual(Array(10).fill("no_answer"));
    way.mend();
    await vi.waitFor(async () => expect(await told(database.run(one, []))).toEqual([["1"]]));
  });

  test("is another thing than one that refuses connections", async () => {
    const database = databaseBy(way.url);
    way.cut();
    expect(await told(database.run(one, []))).toBe("other");
  });
});

describe("what PostgreSQL works on", () => {
  test("is waited for, however long the answer takes", async () => {
    const database = databaseBy(way.url);
    expect(await told(database.run(sleep, [answerTimeoutMs / 400]))).toEqual([[""]]);
    const outcome = database.transaction(async ({ knex }) => {
      await knex.raw(`SELECT pg_sleep(${answerTimeoutMs / 400})`);
      return "done";
    });
    expect(await told(outcome)).toBe("done");
  });

  test("ends by the limit of statements", async () => {
    const database = databaseBy(way.url, { statementTimeoutMs: answerTimeoutMs * 2 });
    expect(await told(database.run(sleep, [60]))).toBe("other");
  });

  test("a connection that is merely idle is kept", async () => {
    const database = databaseBy(way.url, { maxConnections: 1, answerTimeoutMs: 60 });
    const pid: Statement = { name: null, text: "SELECT pg_backend_pid()" };
    const before = await database.run(pid, []);
    // Its timer runs out meanwhile, more than once.
    await own.query("SELECT pg_sleep(0.4)");
    expect(await database.run(pid, [])).toEqual(before);
  });
});

test("whoever finds no free connection in time is told to come back", async () => {
  const database = databaseBy(own.url, { maxConnections: 1, acquireTimeoutMs: 50 });
  await database.transaction(async (transaction) => {
    await transaction.run(one, []);
    expect(await told(database.run(one, []))).toBe("no_answer");
  });
  expect(await told(database.run(one, []))).toEqual([["1"]]);
});

import { beforeAll, expect, test } from "vitest";
import { NoAnswerError } from "#runtime/database/connection-error";
import { createDatabase, type Database, type DatabaseOptions } from "#runtime/database/index";
import { afterFile } from "../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";

const one = { name: "one", text: "SELECT 1" };

let own: TestDatabase;

beforeAll(async () => {
  own = await testDatabase();
});

function databaseOf(options: Partial<DatabaseOptions>): Database {
  const database = createDatabase({ url: own.url, maxConnections: 1, log: silent, ...options });
  afterFile(() => database.close());
  return database;
}

/** Does something while the only connection is taken. */
async function whileTaken(database: Database, work: () => Promise<void> | void): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(one, []);
    await work();
  });
}

test("so many wait for a connection and no more: the next is refused at once, and those that wait are served", async () => {
  const database = databaseOf({ mostWaiting: 2 });
  let waiting: Promise<unknown>[] = [];
  await whileTaken(database, async () => {
    waiting = [database.run(one, []), database.transaction((transaction) => transaction.run(one, []))];
    expect(database.connections().waiting).toBe(2);
    await expect(database.run(one, [])).rejects.toThrow(NoAnswerError);
    await expect(database.transaction((transaction) => transaction.run(one, []))).rejects.toThrow(
      NoAnswerError,
    );
    expect(database.connections().waiting).toBe(2);
  });
  expect(await Promise.all(waiting)).toEqual([[["1"]], [["1"]]]);
  expect(await database.run(one, [])).toEqual([["1"]]);
});

test("a hundred may wait for each connection where nothing else is said", async () => {
  const database = databaseOf({});
  const waiting: Promise<unknown>[] = [];
  await whileTaken(database, async () => {
    for (let n = 0; n < 100; n++) waiting.push(database.run(one, []));
    await expect(database.run(one, [])).rejects.toThrow("too many wait");
  });
  await Promise.all(waiting);
});

test("whoever waits while a connection is made for him is not counted", async () => {
  const database = databaseOf({ mostWaiting: 1, maxConnections: 3 });
  const all = Array.from({ length: 4 }, () => database.run(one, []));
  await expect(database.run(one, [])).rejects.toThrow(NoAnswerError);
  expect(await Promise.all(all)).toEqual(Array(4).fill([["1"]]));
});

test("it is full while as many wait as can, and refuses a further statement, or read of one caller, at once", async () => {
  const database = databaseOf({ mostWaiting: 1 });
  const reads = database.readsOf("somebody");
  let waiting: Promise<unknown> = Promise.resolve();
  await whileTaken(database, async () => {
    expect(database.isFull()).toBe(false);
    waiting = database.run(one, []);
    expect(database.isFull()).toBe(true);
    await expect(database.run(one, [])).rejects.toThrow(NoAnswerError);
  });
  await waiting;
  const all = [reads.run(one, []), reads.run(one, [])];
  await expect(reads.run(one, [])).rejects.toThrow(NoAnswerError);
  expect(database.isFull()).toBe(false);
  expect(await Promise.all(all)).toEqual(Array(2).fill([["1"]]));
});

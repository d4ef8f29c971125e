import knex from "knex";
import { beforeAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { StepTimes } from "#runtime/core/concurrency/index";
import { CallerConcurrencyLimit } from "#runtime/core/database/database";
import { NoResponseError } from "#runtime/core/database/database-error";
import {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Transaction,
  tracedDatabase,
} from "#runtime/core/database/index";
import { OpenSavepoint, TransactionCallbacks } from "#runtime/core/database/savepoint";
import { afterFile } from "../../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";

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
    await expect(database.run(one, [])).rejects.toThrow(NoResponseError);
    await expect(database.transaction((transaction) => transaction.run(one, []))).rejects.toThrow(
      NoResponseError,
    );
    expect(database.connections().waiting).toBe(2);
  });
  expect(await Promise.all(waiting)).toEqual([[["1"]], [["1"]]]);
  expect(await database.run(one, [])).toEqual([["1"]]);
});

test("by default a hundred can wait for each connection", async () => {
  const database = databaseOf({});
  const waiting: Promise<unknown>[] = [];
  await whileTaken(database, async () => {
    for (let n = 0; n < 100; n++) waiting.push(database.run(one, []));
    await expect(database.run(one, [])).rejects.toThrow("too many calls wait");
  });
  await Promise.all(waiting);
});

test("a caller that waits while its connection is opened is not counted", async () => {
  const database = databaseOf({ mostWaiting: 1, maxConnections: 3 });
  const all = Array.from({ length: 4 }, () => database.run(one, []));
  await expect(database.run(one, [])).rejects.toThrow(NoResponseError);
  expect(await Promise.all(all)).toEqual(Array(4).fill([["1"]]));
});

test("it is full while as many wait as can, and refuses a further statement, or read of one caller, at once", async () => {
  const database = databaseOf({ mostWaiting: 1 });
  const reads = database.readsOf("user:1");
  let waiting: Promise<unknown> = Promise.resolve();
  await whileTaken(database, async () => {
    expect(database.isFull()).toBe(false);
    waiting = database.run(one, []);
    expect(database.isFull()).toBe(true);
    await expect(database.run(one, [])).rejects.toThrow(NoResponseError);
  });
  await waiting;
  const all = [reads.run(one, []), reads.run(one, [])];
  await expect(reads.run(one, [])).rejects.toThrow(NoResponseError);
  expect(database.isFull()).toBe(false);
  expect(await Promise.all(all)).toEqual(Array(2).fill([["1"]]));
});

/** Work that goes on until the test ends it. */
function workOf(log: string[], name: string) {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    log.push(name);
    await done;
    return name;
  };
  return { work, end };
}

const limits = { atOnce: 1, waiting: 100, longestWaitMs: 10_000 };

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe("the share of a caller", () => {
  test("is the number of its running queries; its others wait in order, and other callers do not wait", async () => {
    const shares = new CallerConcurrencyLimit({ ...limits, atOnce: 2 });
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "a4", "b1"].map((name) => workOf(log, name));
    const ended = works.map(({ work }, at) => shares.run(at < 4 ? "a" : "b", work));
    await turns();
    expect(log).toEqual(["a1", "a2", "b1"]);
    works[1]?.end();
    await turns();
    expect(log).toEqual(["a1", "a2", "b1", "a3"]);
    for (const { end } of works) end();
    expect(await Promise.all(ended)).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  });

  test("is returned after a failure", async () => {
    const shares = new CallerConcurrencyLimit(limits);
    const fail = () => shares.run("a", () => Promise.reject(new Error("no")));
    await expect(fail()).rejects.toThrow("no");
    await expect(fail()).rejects.toThrow("no");
    expect(await shares.run("a", async () => "next")).toBe("next");
  });

  test("has the same timeout as a connection, and a caller that gave up gets no turn", async () => {
    const shares = new CallerConcurrencyLimit({ ...limits, longestWaitMs: 20 });
    const log: string[] = [];
    const first = workOf(log, "first");
    const held = shares.run("a", first.work);
    await expect(shares.run("a", workOf(log, "second").work)).rejects.toThrow(NoResponseError);
    first.end();
    await held;
    expect(await shares.run("a", async () => "third")).toBe("third");
    expect(log).toEqual(["first"]);
  });

  test("is waited for by so many of its reads and no more: others of it are refused at once, those of another caller are not", async () => {
    const shares = new CallerConcurrencyLimit({ ...limits, waiting: 2 });
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1", "b2"].map((name) => workOf(log, name));
    const ended = works.map(({ work }, at) => shares.run(at < 3 ? "a" : "b", work));
    await expect(shares.run("a", workOf(log, "a4").work)).rejects.toThrow(NoResponseError);
    expect(await shares.run("c", async () => "c1")).toBe("c1");
    for (const { end } of works) end();
    await Promise.all(ended);
    expect(await shares.run("a", async () => "a5")).toBe("a5");
    expect(log.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  });

  test("has space again after a caller timed out", async () => {
    const shares = new CallerConcurrencyLimit({ ...limits, waiting: 1, longestWaitMs: 20 });
    const first = workOf([], "first");
    const held = shares.run("a", first.work);
    await expect(shares.run("a", workOf([], "second").work)).rejects.toThrow("took too long");
    const third = shares.run("a", async () => "third");
    first.end();
    await held;
    expect(await third).toBe("third");
  });
});

/** A transaction that remembers its calls. */
function transactionOf() {
  const bound = knex({ client: "pg" });
  onTestFinished(() => bound.destroy());
  return {
    run: vi.fn<Transaction["run"]>(async () => []),
    knex: bound,
    savepoint: <T>(work: () => Promise<T>) => work(),
    currentSavepoint: new OpenSavepoint(null, () => new TransactionCallbacks(silent)),
  };
}

function tracedOver(transaction: Transaction) {
  return {
    run: vi.fn<Database["run"]>(async () => []),
    readsOf: () => transaction,
    transaction: <T>(work: (given: Transaction) => Promise<T>) => work(transaction),
    ping: async () => {},
    connections: () => ({ idle: 0, used: 0, waiting: 0 }),
    isFull: () => false,
    close: vi.fn<Database["close"]>(async () => {}),
  };
}

it("passes on all that it does not time", async () => {
  const transaction = transactionOf();
  const database = tracedOver(transaction);
  const traced = tracedDatabase(database, new StepTimes());
  await traced.transaction(async (given) => {
    expect(given.knex).toBe(transaction.knex);
    expect(given.currentSavepoint).toBe(transaction.currentSavepoint);
  });
  await traced.close(250);

  expect(database.close).toHaveBeenCalledExactlyOnceWith(250);
});

it("times each statement, one that fails too", async () => {
  const transaction = transactionOf();
  transaction.run.mockRejectedValueOnce(new Error("refused"));
  const trace = new StepTimes();
  const statement = { name: null, text: "select 1" };
  await tracedDatabase(tracedOver(transaction), trace).transaction(async (given) => {
    await expect(given.run(statement, [])).rejects.toThrow("refused");
    await given.run(statement, []);
  });

  expect(trace.names).toEqual(["sql", "sql"]);
  expect(trace.times.every((time) => time > 0)).toBe(true);
});

import knex from "knex";
import { expect, it, onTestFinished, vi } from "vitest";
import { AfterEffects } from "#runtime/database/after-effects";
import { type Database, type Transaction, tracedDatabase } from "#runtime/database/index";
import { Part } from "#runtime/database/transaction-part";
import { StepTimes } from "#runtime/tracing/index";
import { silent } from "../../support/silent-log.ts";

/** A transaction that remembers what it was asked for. */
function transactionOf() {
  const bound = knex({ client: "pg" });
  onTestFinished(() => bound.destroy());
  return {
    run: vi.fn<Transaction["run"]>(async () => []),
    knex: bound,
    savepoint: <T>(work: () => Promise<T>) => work(),
    part: new Part(null, () => new AfterEffects(silent)),
  };
}

function databaseOf(transaction: Transaction) {
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

it("passes on whatever it does not time", async () => {
  const transaction = transactionOf();
  const database = databaseOf(transaction);
  const traced = tracedDatabase(database, new StepTimes());
  await traced.transaction(async (given) => {
    expect(given.knex).toBe(transaction.knex);
    expect(given.part).toBe(transaction.part);
  });
  await traced.close(250);

  expect(database.close).toHaveBeenCalledExactlyOnceWith(250);
});

it("times each statement, one that fails too", async () => {
  const transaction = transactionOf();
  transaction.run.mockRejectedValueOnce(new Error("refused"));
  const trace = new StepTimes();
  const statement = { name: null, text: "select 1" };
  await tracedDatabase(databaseOf(transaction), trace).transaction(async (given) => {
    await expect(given.run(statement, [])).rejects.toThrow("refused");
    await given.run(statement, []);
  });

  expect(trace.names).toEqual(["sql", "sql"]);
  expect(trace.times.every((time) => time > 0)).toBe(true);
});

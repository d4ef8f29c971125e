import knex from "knex";
import { expect, it, onTestFinished, vi } from "vitest";
import { type Database, type Transaction, tracedDatabase } from "../../../runtime/database/index.ts";
import { StepTimes } from "../../../runtime/tracing/index.ts";

/** A transaction that remembers what it was asked for. */
function transactionOf() {
  const bound = knex({ client: "pg" });
  onTestFinished(() => bound.destroy());
  return {
    run: vi.fn<Transaction["run"]>(async () => []),
    knex: bound,
    savepoint: <T>(work: () => Promise<T>) => work(),
    afterCommit: vi.fn<Transaction["afterCommit"]>(),
    onRollback: vi.fn<Transaction["onRollback"]>(),
    asked: 7,
  };
}

function databaseOf(transaction: Transaction) {
  return {
    run: vi.fn<Database["run"]>(async () => []),
    readsOf: () => transaction,
    transaction: <T>(work: (given: Transaction) => Promise<T>) => work(transaction),
    ping: async () => {},
    connections: () => ({ idle: 0, used: 0, waiting: 0 }),
    close: vi.fn<Database["close"]>(async () => {}),
  };
}

it("passes on whatever it does not time", async () => {
  const transaction = transactionOf();
  const database = databaseOf(transaction);
  const traced = tracedDatabase(database, new StepTimes());
  const commit = () => {};
  const undo = () => {};
  await traced.transaction(async (given) => {
    given.afterCommit(commit, "a file");
    given.onRollback(undo, "a file");
    expect(given.knex).toBe(transaction.knex);
    expect(given.asked).toBe(7);
  });
  await traced.close(250);

  expect(transaction.afterCommit).toHaveBeenCalledExactlyOnceWith(commit, "a file");
  expect(transaction.onRollback).toHaveBeenCalledExactlyOnceWith(undo, "a file");
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

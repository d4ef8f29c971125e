import pino from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase, type Database, type Transaction } from "#runtime/core/database/index";
import { afterFile } from "../../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { proxyTo } from "../../../support/proxy.ts";

let own: TestDatabase;
let database: Database;
/** What was done, in order. */
let done: string[] = [];
const log: Record<string, unknown>[] = [];
const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line)) });

const insert = { name: null, text: "insert into items values ($1)" };
const count = { name: null, text: "select count(*) from items" };
const failing = { name: null, text: "select 1/0" };

beforeAll(async () => {
  own = await testDatabase();
  await own.query(`
    create table items (name text primary key);
    create table judged (name text unique deferrable initially deferred);
    create table slow (name text);
    create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(20); return null; end';
    create constraint trigger linger after insert on slow deferrable initially deferred for each row execute function linger()`);
  database = createDatabase({ url: own.url, maxConnections: 1, log: logger });
  afterFile(() => database.close());
});

beforeEach(async () => {
  done = [];
  log.length = 0;
  await own.query("truncate items");
});

/** Asks for both, and notes which was done. */
function ask(transaction: Transaction, name: string): void {
  transaction.currentSavepoint.afterCommit(() => void done.push(`${name} committed`));
  transaction.currentSavepoint.onRollback(() => void done.push(`${name} rolled back`));
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a transaction as a whole", () => {
  test("after a commit: in order, each in turn, when the rows are there and the connection is free", async () => {
    const answer = await database.transaction(async (transaction) => {
      ask(transaction, "a");
      await transaction.run(insert, ["x"]);
      transaction.currentSavepoint.afterCommit(async () => {
        await later();
        // The pool has one connection.
        done.push(`rows: ${(await database.run(count, []))[0]?.[0]}`);
      });
      ask(transaction, "b");
      return "answer";
    });
    expect(answer).toBe("answer");
    expect(done).toEqual(["a committed", "rows: 1", "b committed"]);
  });

  // biome-ignore format: one case a line
  test.each<[string, (transaction: Transaction) => Promise<unknown>]>([
    ["a throw", () => Promise.reject(new Error("no"))],
    ["a statement that fails", (transaction) => transaction.run(failing, [])],
    ["a failure that the work swallowed", (transaction) => transaction.run(failing, []).catch(() => {})],
    ["a violation that COMMIT finds", (transaction) => transaction.run({ name: null, text: "insert into judged values ('twice'), ('twice')" }, [])],
    ["a connection that is lost before COMMIT",
      (transaction) => transaction.run({ name: null, text: "select pg_terminate_backend(pg_backend_pid())" }, [])],
  ])("after %s: what was done is undone, the last first", async (_, fail) => {
    const failed = database.transaction(async (transaction) => {
      ask(transaction, "a");
      await transaction.run(insert, ["x"]);
      transaction.currentSavepoint.onRollback(async () => {
        await later();
        done.push(`rows: ${(await database.run(count, []))[0]?.[0]}`);
      });
      ask(transaction, "b");
      await fail(transaction);
    });
    await expect(failed).rejects.toThrow();
    expect(done).toEqual(["b rolled back", "rows: 0", "a rolled back"]);
  });

  test("one that sends nothing commits and rolls back as well", async () => {
    await database.transaction(async (transaction) => ask(transaction, "a"));
    const failed = database.transaction(async (transaction) => {
      ask(transaction, "b");
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(done).toEqual(["a committed", "b rolled back"]);
  });

  test("a failure is logged, does not block the rest, and changes no outcome", async () => {
    const asked = (transaction: Transaction) => {
      for (const when of ["afterCommit", "onRollback"] as const) {
        transaction.currentSavepoint[when](() => Promise.reject(new Error(`${when} rejects`)));
        transaction.currentSavepoint[when](() => {
          throw new Error(`${when} throws`);
        });
      }
      ask(transaction, "a");
    };
    expect(await database.transaction(async (transaction) => void asked(transaction))).toBeUndefined();
    const failed = database.transaction(async (transaction) => {
      asked(transaction);
      throw new Error("its own");
    });
    await expect(failed).rejects.toThrow("its own");
    expect(done).toEqual(["a committed", "a rolled back"]);
    expect(log).toMatchObject(
      ["afterCommit rejects", "afterCommit throws", "onRollback throws", "onRollback rejects"].map(
        (message) => ({ level: 50, err: { message } }),
      ),
    );
  });

  test("nothing can be asked for once it has ended", async () => {
    const late = await database.transaction(async (transaction) => ({ transaction }));
    expect(() => late.transaction.currentSavepoint.afterCommit(() => {})).toThrow(/has ended/);
    expect(() => late.transaction.currentSavepoint.onRollback(() => {})).toThrow(/has ended/);
  });
});

describe("parts of a transaction", () => {
  /** Does a part, which may fail. */
  const part = (transaction: Transaction, name: string, inner: () => Promise<unknown> = async () => {}) =>
    transaction
      .savepoint(async () => {
        ask(transaction, name);
        await inner();
      })
      .catch(() => void done.push(`after ${name}`));
  const no = () => Promise.reject(new Error("no"));

  test("a rolled-back savepoint undoes its own effects at once, and drops its deferred work", async () => {
    await database.transaction(async (transaction) => {
      ask(transaction, "first");
      await part(transaction, "kept");
      await part(transaction, "undone", no);
      await part(transaction, "failed", () => transaction.run(failing, []));
      ask(transaction, "last");
    });
    // biome-ignore format: many a line
    expect(done).toEqual([
      "undone rolled back", "after undone", "failed rolled back", "after failed", "first committed", "kept committed", "last committed",
    ]);
  });

  test("with the effects of inner savepoints, the last first", async () => {
    await database.transaction(async (transaction) => {
      await part(transaction, "outer", async () => {
        await part(transaction, "inner", () => transaction.run(insert, ["x"]));
        await part(transaction, "lost", no);
        await part(transaction, "other");
        throw new Error("no");
      });
    });
    // biome-ignore format: many a line
    expect(done).toEqual([
      "lost rolled back", "after lost", "other rolled back", "inner rolled back", "outer rolled back", "after outer",
    ]);
  });

  test("a later rollback of the whole undoes the remaining effects, once", async () => {
    const failed = database.transaction(async (transaction) => {
      await part(transaction, "kept");
      await part(transaction, "undone", no);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow();
    expect(done).toEqual(["undone rolled back", "after undone", "kept rolled back"]);
  });

  test("a savepoint whose connection is lost", async () => {
    const failed = database.transaction(async (transaction) => {
      const text = "select pg_terminate_backend(pg_backend_pid())";
      await part(transaction, "a", () => transaction.run({ name: null, text }, []));
      await transaction.run(insert, ["x"]);
    });
    await expect(failed).rejects.toThrow();
    expect(done).toEqual(["a rolled back", "after a"]);
  });
});

test("each attempt of a transaction that runs again has its own", async () => {
  await own.query("create sequence tries");
  const text =
    "do $$ begin if nextval('tries') < 3 then raise exception 'x' using errcode = '40001'; end if; end $$";
  let attempt = 0;
  await database.transaction(async (transaction) => {
    ask(transaction, `attempt ${++attempt}`);
    await transaction.run({ name: null, text }, []);
  });
  expect(done).toEqual(["attempt 1 rolled back", "attempt 2 rolled back", "attempt 3 committed"]);
});

describe("effects on several subjects", () => {
  const keys = Array.from({ length: 40 }, (_, at) => `key ${at}`);

  test.each(["afterCommit", "onRollback"] as const)("%s: at the same time, begun at once", async (when) => {
    let running = 0;
    let most = 0;
    const ended = database.transaction(async (transaction) => {
      for (const key of keys)
        transaction.currentSavepoint[when](async () => {
          most = Math.max(most, ++running);
          await later();
          running--;
          done.push(key);
        }, key);
      if (when === "onRollback") throw new Error("no");
    });
    await ended.catch(() => {});
    expect(most).toBe(40);
    expect(done.toSorted()).toEqual(keys.toSorted());
  });

  test("effects on one subject run in the order of their calls, and are undone in reverse", async () => {
    const asked = (transaction: Transaction) => {
      for (const step of [1, 2, 3])
        for (const key of ["a", "b"])
          for (const when of ["afterCommit", "onRollback"] as const)
            transaction.currentSavepoint[when](async () => {
              // Of `a` each takes longer than all of `b`.
              if (key === "a") for (let turn = 0; turn < 10; turn++) await later();
              done.push(`${key}${step}`);
            }, key);
    };
    await database.transaction(async (transaction) => asked(transaction));
    expect(done).toEqual(["b1", "b2", "b3", "a1", "a2", "a3"]);
    done = [];
    const failed = database.transaction(async (transaction) => {
      asked(transaction);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(done).toEqual(["b3", "b2", "b1", "a3", "a2", "a1"]);
  });

  test("one that fails is named in the log", async () => {
    await database.transaction(async (transaction) =>
      transaction.currentSavepoint.afterCommit(() => Promise.reject(new Error("away")), "covers/7.jpg"),
    );
    expect(log).toMatchObject([{ level: 50, subject: "covers/7.jpg", err: { message: "away" } }]);
  });
});

describe("deferred work takes long", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** Work that ends on the test's command. */
  function slow(name: string) {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = async () => {
      done.push(`${name} begun`);
      await ended;
      done.push(`${name} done`);
    };
    return { work, end };
  }
  const another = () => createDatabase({ url: own.url, log: logger });
  const longer = () => vi.advanceTimersByTimeAsync(2_000);

  test.each([true, false])(
    "committed: %s. The caller waits a while for it, and close() waits until it ends",
    async (commits) => {
      const closing = another();
      const { work, end } = slow("a");
      const outcome = closing
        .transaction(async (transaction) => {
          transaction.currentSavepoint.afterCommit(work, "x");
          transaction.currentSavepoint.onRollback(work, "x");
          if (!commits) throw new Error("no");
        })
        .then(
          () => true,
          () => false,
        );
      await expect.poll(() => done).toEqual(["a begun"]);
      await longer();
      expect(await outcome).toBe(commits);
      const closed = closing.close().then(() => done.push("closed"));
      // It can be reached still.
      await closing.run(count, []);
      end();
      await closed;
      expect(done).toEqual(["a begun", "a done", "closed"]);
      expect(log).toEqual([]);
    },
  );

  test("if the database is closed without time left, the work is given up and a line is logged", async () => {
    const closing = another();
    const { work, end } = slow("a");
    const outcome = closing.transaction(async (transaction) =>
      transaction.currentSavepoint.afterCommit(work),
    );
    await expect.poll(() => done).toEqual(["a begun"]);
    await longer();
    await outcome;
    await closing.close(0);
    expect(log).toMatchObject([
      { level: 50, left: 1, msg: "background work abandoned: it did not end in time" },
    ]);
    end();
  });

  test("a savepoint waits until it is undone, and so does an attempt before the next", async () => {
    await own.query("create sequence long_tries");
    const text =
      "do $$ begin if nextval('long_tries') < 2 then raise exception 'x' using errcode = '40001'; end if; end $$";
    const [part, attempt] = [slow("part"), slow("attempt")];
    const outcome = database.transaction(async (transaction) => {
      done.push("attempt");
      if (done.length > 1) return;
      const lost = transaction.savepoint(async () => {
        transaction.currentSavepoint.onRollback(part.work, "x");
        throw new Error("no");
      });
      await lost.catch(() => done.push("goes on"));
      transaction.currentSavepoint.onRollback(attempt.work, "x");
      await transaction.run({ name: null, text }, []);
    });
    await expect.poll(() => done).toEqual(["attempt", "part begun"]);
    await longer();
    part.end();
    await expect.poll(() => done.slice(2)).toEqual(["part done", "goes on", "attempt begun"]);
    await longer();
    attempt.end();
    await outcome;
    expect(done.slice(5)).toEqual(["attempt done", "attempt"]);
  });
});

describe("the outcome of the transaction is unknown", () => {
  const sleeping = "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";

  /** A transaction whose COMMIT the server works on until it is interrupted. */
  const lingering = async (by: Database, interrupt: () => Promise<unknown>) => {
    const failed = by.transaction(async (transaction) => {
      ask(transaction, "a");
      await transaction.run({ name: null, text: "insert into slow values ('x')" }, []);
    });
    const outcome = expect(failed).rejects.toThrow();
    await expect.poll(() => own.query(`select ${sleeping}`), { timeout: 10_000 }).toHaveLength(1);
    await interrupt();
    await outcome;
    expect(done).toEqual([]);
  };
  const end = () => own.query(`select pg_terminate_backend(pid) ${sleeping}`);

  test("where the connection is lost while COMMIT is under way", async () => {
    const proxy = await proxyTo(own.url);
    const behind = createDatabase({ url: proxy.url, maxConnections: 1, log: logger });
    afterFile(() => behind.close());
    await lingering(behind, async () => proxy.cut());
    await end();
    await expect.poll(() => own.query(`select ${sleeping}`)).toEqual([]);
  });

  test("nor where the server ends it then", () => lingering(database, end));
});

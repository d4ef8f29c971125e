import { beforeAll, describe, expect, test } from "vitest";
import {
  classifyDatabaseError,
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Statement,
} from "#runtime/core/database/index";
import { afterFile } from "../../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { silentServer } from "../../../support/free-port.ts";
import { proxyTo } from "../../../support/proxy.ts";
import { silent } from "../../../support/silent-log.ts";

const one: Statement = { name: "one", text: "SELECT 1", reads: true };
const sleep: Statement = { name: "sleep", text: "SELECT pg_sleep($1::float8)", reads: true };
const answerTimeoutMs = 1_500;

let own: TestDatabase;

beforeAll(async () => {
  own = await testDatabase();
});

const ownWay = () => proxyTo(own.url);

function databaseBy(url: string, options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({ url, answerTimeoutMs, maxConnections: 4, log: silent, ...options });
  afterFile(() => database.close());
  return database;
}

/** The caller's result: the kind of the failure, or the rows. */
const told = (work: Promise<unknown>) =>
  work.catch((error: unknown) => classifyDatabaseError(error)?.kind ?? error);

/** Opens all connections of a pool. */
const warmUp = (database: Database) =>
  Promise.all(Array.from({ length: 4 }, () => database.run(sleep, [0.01])));

// Most of the time they wait, each on a way of its own.
describe.concurrent("a connection on which nothing comes any more", () => {
  test("is given up, and those that were idle meanwhile with it: the next requests work", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url);
    await warmUp(database);
    way.stall();
    expect(await told(database.run(one, []))).toBe("no_answer");
    expect(await told(warmUp(database))).toEqual(Array(4).fill([[""]]));
  });

  test("is given up within a transaction, whose connection is not used again", async () => {
    const way = await ownWay();
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
    const way = await ownWay();
    const database = databaseBy(way.url, { maxConnections: 1 });
    const outcome = database.transaction(async ({ knex }) => {
      await knex.raw("SELECT 1");
      way.stall();
      await knex.raw("SELECT 2");
    });
    expect(await told(outcome)).toBe("no_answer");
    expect(await told(database.run(one, []))).toEqual([["1"]]);
  });

  test.each<[string, Statement, unknown[]]>([
    ["a long answer is on its way", { name: null, text: "SELECT repeat('x', 50000000)", reads: true }, []],
    ["a long statement is", { name: null, text: "SELECT length($1)", reads: true }, ["x".repeat(20_000_000)]],
  ])("is given up when %s, where PostgreSQL waits for its client", async (_, statement, values) => {
    const way = await ownWay();
    const database = databaseBy(way.url, { maxConnections: 1 });
    await database.run(one, []);
    way.stallBehind(200_000);
    expect(await told(database.run(statement, values))).toBe("no_answer");
    expect(await told(database.run(one, []))).toEqual([["1"]]);
  });

  test("counts as silent at once where no statement may take that long", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url, { maxConnections: 1, statementTimeoutMs: 100 });
    await database.run(one, []);
    way.stall();
    expect(await told(database.run(one, []))).toBe("no_answer");
  });
});

describe.concurrent("a database that is silent as a whole", () => {
  test("answers no caller in time, on old connections and new ones, and the service recovers with it", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url, { acquireTimeoutMs: 3_000 });
    await database.run(one, []);
    way.freeze();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => told(database.run(one, []))));
    expect(outcomes).toEqual(Array(10).fill("no_answer"));
    way.mend();
    await eventually(async () => expect(await told(database.run(one, []))).toEqual([["1"]]));
  });

  test("is distinguished from one that refuses connections", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url);
    way.cut();
    expect(await told(database.run(one, []))).toBe("other");
  });
});

describe.concurrent("a statement that PostgreSQL works on", () => {
  test("is waited for, however long the answer takes", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url);
    expect(await told(database.run(sleep, [answerTimeoutMs / 400]))).toEqual([[""]]);
    const outcome = database.transaction(async ({ knex }) => {
      await knex.raw(`SELECT pg_sleep(${answerTimeoutMs / 400})`);
      return "done";
    });
    expect(await told(outcome)).toBe("done");
  });

  test("is waited for if PostgreSQL does not track activities", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url, { maxConnections: 1 });
    await database.run({ name: null, text: "SELECT set_config('track_activities', 'off', false)" }, []);
    expect(await told(database.run(sleep, [answerTimeoutMs / 400]))).toEqual([[""]]);
  });

  test("ends by the limit of statements", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url, { statementTimeoutMs: answerTimeoutMs * 2 });
    expect(await told(database.run(sleep, [60]))).toBe("other");
  });

  test("is given up long after its limit, for any answer of PostgreSQL", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url, {
      statementTimeoutMs: answerTimeoutMs * 2,
      directUrl: own.url,
      maxConnections: 1,
    });
    // As where the limit of a statement is of no use to it.
    await database.run({ name: null, text: "SELECT set_config('statement_timeout', '0', false)" }, []);
    expect(await told(database.run(sleep, [60]))).toBe("no_answer");
  });

  test("is waited for where PostgreSQL has no connection left to ask over", async () => {
    const limited = "kirak_limited";
    await own.query(`CREATE ROLE ${limited} LOGIN CONNECTION LIMIT 1 PASSWORD 'secret'`);
    const url = new URL(own.url);
    Object.assign(url, { username: limited, password: "secret" });
    const database = databaseBy(url.href, { maxConnections: 1 });
    expect(await told(database.run(sleep, [answerTimeoutMs / 400]))).toEqual([[""]]);
    await database.close();
    await own.query(`DROP ROLE ${limited}`);
  });

  test("a connection that is merely idle is kept", async () => {
    const way = await ownWay();
    const database = databaseBy(way.url, { maxConnections: 1 });
    const pid: Statement = { name: null, text: "SELECT pg_backend_pid()" };
    const before = await database.run(pid, []);
    // Its timer runs out meanwhile, more than once.
    await databaseBy(own.url).run(sleep, [answerTimeoutMs / 400]);
    expect(await database.run(pid, [])).toEqual(before);
  });
});

test.concurrent("a read waits once for its turn and a connection, not twice", async () => {
  const database = databaseBy(own.url, { maxConnections: 2, acquireTimeoutMs: 1_400 });
  const reads = database.readsOf("user:1");
  const ended: string[] = [];
  const noting = (name: string, work: Promise<unknown>) => told(work).then(() => ended.push(name));
  await database.transaction(async (transaction) => {
    await transaction.run(one, []);
    const first = reads.run(sleep, [1]);
    // On a busy machine it counts as silent.
    const [next, read] = [told(database.run(sleep, [3])), noting("read", reads.run(one, []))];
    await first;
    // The connection goes to the next in line, and the turn to the read, whose timeout has nearly passed.
    await Promise.all([noting("who came later", database.run(one, [])), read, next]);
  });
  expect(ended).toEqual(["read", "who came later"]);
});

test.concurrent("a caller that finds no free connection in time is refused with NoResponseError", async () => {
  const database = databaseBy(own.url, { maxConnections: 1, acquireTimeoutMs: 2_000 });
  await database.transaction(async (transaction) => {
    await transaction.run(one, []);
    expect(await told(database.run(one, []))).toBe("no_answer");
  });
  expect(await told(database.run(one, []))).toEqual([["1"]]);
});

const backends =
  "SELECT pid FROM pg_stat_activity WHERE application_name = 'kirak readiness' AND datname = current_database()";
const statement = { name: "one", text: "SELECT 1" };

async function withDatabase(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = createDatabase({ url, maxConnections: 1, log: silent });
  try {
    await work(database);
  } finally {
    await database.close();
    await expect.poll(() => own.query(backends)).toEqual([]);
  }
}

test("a pool whose connections are all taken does not keep it from answering", async () => {
  await withDatabase(own.url, async (database) => {
    await database.transaction(async (transaction) => {
      await transaction.run(statement, []);
      const waiting = database.run(statement, []);
      await database.ping();
      await transaction.run(statement, []);
      void waiting.catch(() => {});
    });
  });
});

test("it keeps one connection, which many share, and makes another one when that is lost", async () => {
  await withDatabase(own.url, async (database) => {
    await Promise.all(Array.from({ length: 20 }, () => database.ping()));
    const before = await own.query(backends);
    await database.ping();
    expect(before).toHaveLength(1);
    expect(await own.query(backends)).toEqual(before);
    await own.query("SELECT pg_terminate_backend($1, 5000)", [before[0]?.["pid"]]);
    await expect
      .poll(() =>
        database.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const after = await own.query(backends);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });
});

test("a silent server is given up, and gets no more queries then", async () => {
  const server = await silentServer();
  await withDatabase(server.url, async (database) => {
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => database.ping()));
    expect(all.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
    expect(server.count()).toBe(1);
    const next = expect(database.ping()).rejects.toThrow();
    await expect.poll(() => server.count()).toBe(2);
    await database.close();
    await next;
  });
});

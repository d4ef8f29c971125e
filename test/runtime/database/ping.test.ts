import { beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "#runtime/database/index";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { silentServer } from "../../support/free-port.ts";
import { silent } from "../../support/silent-log.ts";

let own: TestDatabase;

beforeAll(async () => {
  own = await testDatabase();
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

test("a server that says nothing is given up, and is asked by nobody then", async () => {
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

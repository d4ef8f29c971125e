import { expect, it } from "vitest";
import { queuePool } from "#runtime/jobs/queue-pool";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";

it("a connection that is given back twice is given back once, and used again", async () => {
  const { url } = await testDatabase();
  const pool = queuePool({ url, log: silent, maxConnections: 1 });
  await new Promise<void>((resolve, reject) =>
    pool.connect((error, _client, release) => {
      if (error !== undefined && error !== null) return reject(error);
      release();
      expect(() => release()).not.toThrow();
      resolve();
    }),
  );
  const client = await pool.connect();
  client.release();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  await pool.end();
});

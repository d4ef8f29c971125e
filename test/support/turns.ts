import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import type { Reply } from "./request.ts";
import type { TestService } from "./service.ts";

/** Waits until so many statements of the service wait for a lock. */
export function waiting({ query }: TestService, count: number): Promise<void> {
  return eventually(async () => {
    const rows = await query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(count);
  });
}

/**
 * Runs `text` in a transaction, which stays open until all requests wait for what it has locked, each sent once the one
 * before waits. They get it in that order.
 */
export async function inTurn(
  service: TestService,
  text: string,
  ...requests: readonly (() => Promise<Reply>)[]
): Promise<Reply[]> {
  const replies = await service.pool.transaction(async (transaction) => {
    await transaction.run({ name: null, text }, []);
    const sent: Promise<Reply>[] = [];
    for (const request of requests) {
      sent.push(request());
      await waiting(service, sent.length);
    }
    return sent;
  });
  return Promise.all(replies);
}

/** Takes all connections of a service, until what it gives is called: that resolves when they are free again. */
export async function holdAll({ pool }: Pick<TestService, "pool">): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const taken: Promise<void>[] = [];
  // One by one: a busy machine does not open ten in the time that a service waits for one.
  while (taken.length < 10) taken.push((await eventually(() => hold(pool, released))).end);
  expect(pool.connections()).toMatchObject({ used: 10, waiting: 0 });
  return async () => {
    release();
    await Promise.all(taken);
  };
}

/** Takes a connection until `released`. Resolves once it is open. */
function hold(pool: TestService["pool"], released: Promise<void>): Promise<{ readonly end: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const end = pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "SELECT 1" }, []);
      resolve({ end });
      await released;
    });
    end.catch(reject);
  });
}

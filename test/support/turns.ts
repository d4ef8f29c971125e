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
  const taken = Array.from({ length: 10 }, () =>
    pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "SELECT 1" }, []);
      await released;
    }),
  );
  await eventually(() => expect(pool.connections()).toMatchObject({ used: 10, waiting: 0 }));
  return async () => {
    release();
    await Promise.all(taken);
  };
}

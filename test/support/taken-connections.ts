import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import type { TestService } from "./service.ts";

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

import { expect, test } from "vitest";
import { lazy } from "#runtime/core/concurrency/index";

test("the value is made for the first caller, once for all concurrent callers, and then returned without waiting", async () => {
  let made = 0;
  const value = lazy(async () => ++made);
  expect(made).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(value()).toBe(1);
});

test("a failure is retried", async () => {
  let tries = 0;
  const value = lazy(async () => {
    if (++tries === 1) throw new Error("not yet");
    return tries;
  });
  await expect(value()).rejects.toThrow("not yet");
  expect(await value()).toBe(2);
});

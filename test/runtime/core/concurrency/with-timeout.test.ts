import { stat } from "node:fs";
import { expect, test } from "vitest";
import { withTimeout } from "#runtime/core/concurrency/work-queue";

test("gives the result, or rejects with the reason", async () => {
  expect(await withTimeout(Promise.resolve(1), 1000, "late")).toBe(1);
  await expect(withTimeout(Promise.reject(new Error("broken")), 1000, "late")).rejects.toThrow("broken");
});

test("does not wait longer than its timeout", async () => {
  await expect(withTimeout(new Promise(() => {}), 1, "late")).rejects.toThrow("late");
});

test("an answer that came while the process was busy is in time", async () => {
  const look = () => new Promise<string>((resolve) => stat(".", () => resolve("here")));
  // From here on in the turn of the event loop in which answers are read.
  await look();
  const answer = look();
  const waiting = withTimeout(answer, 20, "late");
  // Nothing else runs in this process meanwhile: the timeout passes before the response can be read.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(await waiting).toBe("here");
});

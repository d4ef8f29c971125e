import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { measureEventLoopDelay } from "#runtime/core/http/overload";
import { eventually } from "../../../support/eventually.ts";

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("the delay is the mean of the last second: high while turns take long, and low again afterwards", async () => {
  const delayMs = measureEventLoopDelay();
  // So long that the mean stays above the limit even if two of the turns of a busy machine are short.
  for (let turns = 0; turns < 6; turns++) {
    block(600);
    await turn();
  }
  expect(delayMs()).toBeGreaterThan(250);
  await eventually(() => expect(delayMs()).toBeLessThan(250));
});

test("one long turn of the event loop is not an overload", async () => {
  const delayMs = measureEventLoopDelay();
  // The first timer begins the measurement.
  await pause(15);
  block(3_000);
  expect(delayMs()).toBe(0);
  await turn();
  let highest = 0;
  const end = performance.now() + 1_500;
  await eventually(() => {
    highest = Math.max(highest, delayMs());
    expect(performance.now()).toBeGreaterThan(end);
  });
  // With the long turn the mean of three turns would be at least 1,000 ms.
  expect(highest).toBeLessThan(750);
});

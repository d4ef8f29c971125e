import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { measureEventLoopDelay } from "#runtime/http/overload";
import { eventually } from "../../support/eventually.ts";

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("the delay is the mean of the last second: high while turns take long, and low again afterwards", async () => {
  const delayMs = measureEventLoopDelay();
  for (let turns = 0; turns < 4; turns++) {
    block(300);
    await turn();
  }
  expect(delayMs()).toBeGreaterThan(250);
  await eventually(() => expect(delayMs()).toBeLessThan(250));
});

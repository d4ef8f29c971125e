import { expect, test } from "vitest";
import { runCommand } from "../../support/command.ts";

const module = new URL("young-generation-in-process.ts", import.meta.url);

test("it does not grow while it is held, whatever is loaded, and grows again once it is released; V8 has nothing to say of it", async () => {
  const { printed, complained } = await runCommand(module);
  expect(complained).toBe("");
  const { first, held, released } = JSON.parse(printed);
  expect(held).toBeLessThanOrEqual(Math.max(first, 2));
  expect(released).toBeGreaterThanOrEqual(8);
});

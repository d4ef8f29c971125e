import { expect, test } from "vitest";
import { runCommand } from "../../support/command.ts";

const module = new URL("collector-threads-in-process.ts", import.meta.url);

test("V8 takes it that one thread collects where there is one core: it goes on collecting, and has nothing to say of it", async () => {
  const { code, printed, complained } = await runCommand(module);
  expect([code, complained]).toEqual([0, ""]);
  expect(JSON.parse(printed).young).toBeGreaterThan(0);
});

import fc from "fast-check";
import { afterAll, expect, vi } from "vitest";
import { endFile } from "./after-file.ts";
import { whoWait } from "./eventually.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection", "warning"];
const environment = { ...process.env };
/** libvips names its own folder when `sharp` is loaded, and both stay. */
const lasting = new Set(["VIPSHOME"]);

/** What the next file in this process would find changed. */
function stateOfProcess() {
  const names = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  return {
    // Not their values, which may be secrets.
    changedVariables: [...names].filter(
      (name) => process.env[name] !== environment[name] && !lasting.has(name),
    ),
    folder: process.cwd(),
    exitCode: process.exitCode,
    fakeTimers: vi.isFakeTimers(),
    waiters: whoWait(),
    listeners: signals.map((signal) => process.listenerCount(signal)),
  };
}

// Programs that tests fork run what is compiled, without the conditions that vitest starts this process with.
process.execArgv = [];

// Random values are the same ones in each run.
fc.configureGlobal({ seed: 22 });

const before = stateOfProcess();

afterAll(async () => {
  vi.restoreAllMocks();
  await endFile();
  expect(stateOfProcess(), "a test file leaves its process as it was").toEqual(before);
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts"],
    // One file a process: a test that changes signals, the environment or the clock disturbs no other.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Types are checked by `npm run typecheck`, test/types included.
    typecheck: { enabled: false },
  },
});

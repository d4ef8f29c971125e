import { defineConfig } from "vitest/config";

/** Files that leave nothing behind in their process, and take longer to load what they test than to test it. */
const sharing = [
  "test/http/**/*.test.ts",
  "test/hostile/**/*.test.ts",
  "models/test/**/*.test.ts",
  // One of them has a file system of its own.
  "test/generator/**/!(killed-runs).test.ts",
  "test/{architecture,vocabulary}/**/*.test.ts",
];

export default defineConfig({
  // `kirak/…` are the sources, as for everything else that runs them.
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
  test: {
    globalSetup: ["test/support/postgres.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Types are checked by `npm run typecheck`, test/types included.
    typecheck: { enabled: false },
    projects: [
      { extends: true, test: { name: "service", include: sharing, isolate: false } },
      // One file a process: a test that changes signals, the environment or the clock disturbs no other.
      { extends: true, test: { name: "alone", include: ["{models,test}/**/*.test.ts"], exclude: sharing } },
    ],
  },
});

import { defineConfig } from "vitest/config";
import { needsSqlite } from "./test/support/needs.ts";

/** Files with a process of their own: they put something else in the place of a module, or measure the process. */
const alone = ["test/generator/pipeline/killed-runs.test.ts"];

/** Files that ask the store of monitoring. */
const monitored = [
  "test/http/monitoring/**",
  "test/http/{overload,own-errors}.test.ts",
  "test/http/own-routes/measured-routes.test.ts",
  "test/runtime/monitoring/{store,worker}/**",
];
const withoutSqlite = needsSqlite() ? [] : monitored;

// `kirak/…` and `#runtime/…` are the sources.
const ssr = { resolve: { conditions: ["kirak-source", "node", "development|production"] } };
const settings = {
  setupFiles: ["test/support/each-file.ts"],
  // A busy machine is no failure.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
  // Says in each process that its next versions need Node.js 22.
  env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
  // Types are checked by `npm run typecheck`, test/types included.
  typecheck: { enabled: false },
};

export default defineConfig({
  test: {
    // Here and not in what projects extend, or each of them starts a server of its own.
    globalSetup: ["test/support/postgres.ts"],
    pool: "forks",
    maxWorkers: 3,
    projects: [
      { ssr, test: { ...settings, name: "alone", include: alone } },
      // The others take longer to load what they test than to test it. What they leave behind, `each-file.ts` finds.
      {
        ssr,
        test: {
          ...settings,
          name: "sharing",
          include: ["{examples,models,test}/**/*.test.ts"],
          exclude: [...alone, ...withoutSqlite],
          isolate: false,
        },
      },
    ],
  },
});

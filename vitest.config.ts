import { defineConfig } from "vitest/config";
import { needsSqlite } from "./test/support/needs.ts";

/** Files with a process of their own: they put something else in the place of a module, or measure the process. */
const alone = ["test/generator/pipeline/killed-runs.test.ts"];

/** Files in which a module of the package imports TypeScript, which Node.js 20 cannot. */
const importing = ["test/runtime/migrations/runner/load-migrations.test.ts"];

/** Files that ask the store of monitoring. */
const monitored = [
  "test/http/monitoring/**",
  "test/http/{overload,custom-errors}.test.ts",
  "test/http/custom-routes/measured-routes.test.ts",
  "test/runtime/modules/monitoring/{store,worker}/**",
];
const withoutSqlite = needsSqlite() ? [] : monitored;

const node = ["node", "development|production"];
/** `kirak/…` and `#runtime/…` are the sources. */
const sources = { resolve: { conditions: ["kirak-source", ...node] } };
/** They are `lib/`, which the global setup compiles: Node.js loads it in half the time that Vitest takes to load the sources. */
const compiled = { resolve: { conditions: node } };
// While Vitest watches, it sees changes of sources; coverage counts their lines.
const isOneRun = process.argv.includes("run") && !process.argv.some((word) => word.startsWith("--coverage"));
const ssr = isOneRun ? compiled : sources;
const settings = {
  setupFiles: ["test/support/each-file.ts"],
  // A busy machine is no failure.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
  // Says in each process that its next versions need Node.js 22.
  env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
  // Types are checked by `npm run typecheck`, test/types included.
  typecheck: { enabled: false },
  server: {
    deps: {
      external: [/\/lib\/(?:cli\/(?!testing\.)|generator\/|vocabulary\/)/],
      // As in an app (docs/testing.md).
      inline: [/\/lib\/(?:cli\/testing\.|runtime\/testing\/)/],
    },
  },
};

export default defineConfig({
  test: {
    // Here and not in what projects extend, or each of them starts a server of its own.
    globalSetup: ["test/support/postgres.ts"],
    pool: "forks",
    maxWorkers: 3,
    projects: [
      { ssr: sources, test: { ...settings, name: "alone", include: [...alone, ...importing] } },
      // The others take longer to load what they test than to test it. What they leave behind, `each-file.ts` finds.
      {
        ssr,
        test: {
          ...settings,
          name: "sharing",
          include: ["{examples,models,test}/**/*.test.ts"],
          exclude: [...alone, ...importing, ...withoutSqlite],
          isolate: false,
        },
      },
    ],
  },
});

import { operations } from "#vocabulary/operations";
import { loadServiceLazily } from "../app/lazy-service.ts";
import { roleNames } from "../app-folder.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak check-access`. */
export const command = defineCommand({
  about:
    "Asks the service each question of the access matrix, as each caller, over REST and GraphQL, with rows that it makes on a database of its own. It compares the answers with the models, not with generated/.",
  flags: {
    model: { type: "string", array: true, describe: "only this model; can be repeated" },
    role: {
      type: "string",
      array: true,
      describe: "only callers with this role, and guests; can be repeated",
    },
    operation: { type: "string", array: true, describe: "only this operation; can be repeated" },
    json: { type: "boolean", describe: "print JSON" },
    junit: { type: "string", describe: "also write a JUnit report to this file" },
    seed: { type: "number", describe: "the same seed makes the same rows", default: 1 },
    keep: { type: "boolean", describe: "keep the database, and print its address" },
    mutate: {
      type: "boolean",
      describe:
        "check the app's tests: run them without one part of a rule at a time, and list the parts that no test misses",
    },
    "test-command": {
      type: "string",
      describe: "with --mutate: the command of the tests",
      default: "npm test",
    },
  },
  examples: [
    ["", "check all access rules"],
    ["--model tasks --operation update", "check one operation"],
    ["--junit reports/access.xml", "check in CI"],
    ["--mutate --model tasks", "find parts of the rules of tasks that no test covers"],
  ],
  exitCodes: {
    0: "no question has failed; findings, such as dead rules, do not count",
    1: "the service answered a question in another way than the models say; with --mutate, a part of a rule that no test misses",
    2: "wrong arguments, invalid models, the app cannot be started, or its tests fail without a change",
  },
  more: "Hooks run as always. Mails, text messages and jobs are not sent, and requests of the app's code to other hosts are refused.",
  candidates: (root) => ({ role: roleNames(root), operation: operations }),
  read: (given) => ({
    models: given.texts("model"),
    roles: given.texts("role"),
    operations: given.texts("operation"),
    json: given.has("json"),
    junit: given.text("junit"),
    seed: given.number("seed") ?? 1,
    keep: given.has("keep"),
    mutate: given.has("mutate"),
    testCommand: given.text("test-command") ?? "npm test",
  }),
  problem: ({ seed, json, junit, keep, mutate, testCommand }) => {
    if (mutate && (junit !== null || keep)) return "--mutate cannot be combined with --junit or --keep";
    if (!mutate && testCommand !== "npm test") return "--test-command needs --mutate";
    if (json && junit !== null) return "--json and --junit cannot be combined";
    return Number.isInteger(seed) ? null : "--seed must be a whole number";
  },
  async run(flags, root) {
    const { runCommand } = await import("../check-access/command.ts");
    return runCommand(flags, root, loadServiceLazily);
  },
});

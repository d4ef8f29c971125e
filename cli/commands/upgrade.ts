import { defineCommand } from "../define-command.ts";
import { ownPackage } from "../own-package.ts";
import { runUpgrade, upgradeConflict } from "../upgrade/run-upgrade.ts";

/** `kirak upgrade`. */
export const command = defineCommand({
  about:
    "Says how a newer kirak is taken over and, with --check, what this one changes in the app: generated text, behaviour as the changelog has it, migrations of the service's own tables. Writes nothing.",
  flags: {
    check: {
      type: "boolean",
      describe: "say what changes between the version that the app had and this one",
    },
    diff: { type: "boolean", describe: "with --check: the lines of generated text that change" },
    json: { type: "boolean", describe: "with --check: as one JSON object" },
    from: { type: "string", describe: "the version that the app had, such as 0.1.0" },
    base: {
      type: "string",
      describe:
        "the commit whose package-lock.json or package.json says which version that was; HEAD by default, unless node_modules has another kirak than the one that runs",
    },
  },
  examples: [
    ["", "how a newer version is taken over"],
    ["--check", "what this version changes, after npm install and before the commit"],
    ["--check --diff --base origin/main", "the same in a pull request, with the lines"],
  ],
  exitCodes: {
    0: "nothing to do",
    1: "something to read or to do",
    2: "bad flags, or nothing to compare with",
  },
  more: "Before anything is installed: npx kirak@latest upgrade --check",
  refusal: (problem) => `${JSON.stringify({ exitCode: 2, problem }, null, 2)}\n`,
  read: (given) => ({
    check: given.has("check"),
    diff: given.has("diff"),
    json: given.has("json"),
    from: given.text("from") ?? null,
    base: given.text("base") ?? null,
  }),
  problem: upgradeConflict,
  run: (flags, root) =>
    runUpgrade(
      flags,
      { root, running: ownPackage() },
      {
        print: (text) => void process.stdout.write(text),
        complain: (text) => void process.stderr.write(text),
      },
    ),
});

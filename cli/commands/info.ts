import { defineCommand } from "../define-command.ts";

/** `kirak info`. */
export const command = defineCommand({
  about:
    "Prints versions, the parts of the app, its environment (names without values), and the state of the database. Paste it into a bug report.",
  flags: { json: { type: "boolean", describe: "print one JSON document" } },
  examples: [
    ["", "before you report a problem"],
    ["--json | jq .migrations.pending", "the names of the pending migrations"],
  ],
  exitCodes: { 0: "printed, also if it lists problems", 2: "an unknown flag" },
  more: "It changes no table and no row. It compares the database with its migrations, as `kirak migrate verify` does.",
  read: (given) => given.has("json"),
  async run(json, root) {
    const { runInfo } = await import("../info/run-info.ts");
    return runInfo(root, json);
  },
});

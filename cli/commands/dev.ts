import { defineCommand } from "../define-command.ts";

/** `kirak dev`. */
export const command = defineCommand({
  about:
    "Generates when a model changes, and starts the server anew when code changes, until it is told to stop.",
  flags: {
    watch: {
      type: "string",
      array: true,
      describe: "a further folder whose changes start the server anew; models/ and generated/ always do",
    },
  },
  examples: [
    ["", "while you work on models, hooks, routes and jobs"],
    ["--watch lib", "with code of your own beside models/"],
  ],
  exitCodes: { 0: "it was told to stop", 1: "it cannot start", 2: "invalid models or flags" },
  read: (given) => given.texts("watch"),
  async run(further, root) {
    const { develop } = await import("../dev/develop.ts");
    return develop(root, further);
  },
});

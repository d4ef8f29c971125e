import { defineCommand } from "../define-command.ts";

/** `kirak dev`. */
export const command = defineCommand({
  about:
    "Regenerates when a model changes, and restarts the server when code changes. Stops on SIGINT or SIGTERM.",
  flags: {
    watch: {
      type: "string",
      array: true,
      describe: "another folder to watch; models/ and generated/ are always watched",
    },
  },
  examples: [
    ["", "while you work on models, hooks, routes and jobs"],
    ["--watch lib", "if your app has code outside models/"],
  ],
  exitCodes: { 0: "stopped by SIGINT or SIGTERM", 1: "the app cannot start", 2: "invalid models or flags" },
  read: (given) => given.texts("watch"),
  async run(further, root) {
    const { develop } = await import("../dev/develop.ts");
    return develop(root, further);
  },
});

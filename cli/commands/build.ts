import { defineCommand } from "../define-command.ts";

/** `kirak build`. */
export const command = defineCommand({
  about:
    "Compiles the app to dist/, types checked, as tsconfig.build.json says. kirak start and the other commands run it then, without the compiler.",
  flags: {},
  examples: [["", "before a deployment; npm ci --omit=dev && npx kirak start runs it"]],
  exitCodes: {
    0: "built",
    1: "types do not fit, or something is missing",
    2: "a flag that it does not know",
  },
  read: () => null,
  async run(_, root) {
    const { buildApp } = await import("../app/app-build.ts");
    buildApp(root);
    return 0;
  },
});

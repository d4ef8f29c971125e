import { defineCommand } from "../define-command.ts";

/** `kirak build`. */
export const command = defineCommand({
  about:
    "Type-checks the app and compiles it to dist/ with tsconfig.build.json. After that, kirak start and the other commands run the build, without the compiler.",
  flags: {},
  examples: [["", "before a deployment; npm ci --omit=dev && npx kirak start runs it"]],
  exitCodes: {
    0: "built",
    1: "type errors, or a missing file",
    2: "an unknown flag",
  },
  read: () => null,
  async run(_, root) {
    const { buildApp } = await import("../app/app-build.ts");
    buildApp(root);
    return 0;
  },
});

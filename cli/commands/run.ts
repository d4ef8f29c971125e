import { loadEnvironment } from "#runtime/process/index";
import { moduleAt } from "../app/app-module.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak run`. */
export const command = defineCommand({
  about:
    "Runs a TypeScript or JavaScript program of the app, or its build, in this process. All arguments after the file go to the program. Reads .env first.",
  flags: {},
  word: {
    name: "file",
    describe: "the program, such as tools/seed.ts",
    missing: "run needs the path of a file",
  },
  examples: [
    ["tools/seed.ts --rows 100", "fill the database with rows"],
    ["server.ts", "serve the app within your Express application: docs/embedding.md"],
  ],
  exitCodes: {
    0: "success (a program can set another exit code)",
    1: "the file does not exist, or the program failed",
    2: "no file was given",
  },
  read: () => null,
  async run() {
    return undefined;
  },
});

/** All flags belong to the program. */
export async function atOnce([file = "", ...words]: readonly string[], root: string): Promise<boolean> {
  if (file === "" || file.startsWith("-")) return false;
  loadEnvironment(root);
  const program = await moduleAt(root, file);
  process.argv = [process.argv[0] ?? "", file, ...words];
  await import(program.href);
  return true;
}

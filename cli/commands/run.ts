import { loadEnvironment } from "#runtime/process/index";
import { ownModule } from "../app/app-module.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak run`. */
export const command = defineCommand({
  about:
    "Runs a program of the app, TypeScript or JavaScript, or its build, as this process. All words after the file are the program's. .env is read before.",
  flags: {},
  word: {
    name: "file",
    describe: "the program, such as tools/seed.ts",
    missing: "run needs the path of a file",
  },
  examples: [
    ["tools/seed.ts --rows 100", "fill the database with rows of your own"],
    ["server.ts", "serve the app within an Express application of your own: docs/embedding.md"],
  ],
  exitCodes: {
    0: "or what the program ends with",
    1: "there is no such file, or it fails",
    2: "no file is named",
  },
  read: () => null,
  async run() {
    return undefined;
  },
});

/** Its flags are the program's, and nobody else reads them. */
export async function atOnce([file = "", ...words]: readonly string[], root: string): Promise<boolean> {
  if (file === "" || file.startsWith("-")) return false;
  loadEnvironment(root);
  const program = await ownModule(root, file);
  process.argv = [process.argv[0] ?? "", file, ...words];
  await import(program.href);
  return true;
}

import { defineCommand } from "../define-command.ts";
import { type InitFlags, initExampleNames, initExamples, initProblem } from "../init/init-flags.ts";

const starts = Object.entries(initExamples).map(([name, what]) => `  ${name.padEnd(10)} ${what}`);

/** `kirak init`. */
export const command = defineCommand({
  about:
    "Creates an app in a folder: models, generated code, tool settings, a test, CI, a Dockerfile and a README. Existing files stay, except that missing lines are added to .gitignore.",
  flags: {
    example: {
      type: "string",
      describe: "the example to start from; default: blank",
      choices: initExampleNames,
    },
    "from-database": {
      type: "string",
      describe: "create models from the tables of a PostgreSQL database; its URL is written only to .env",
    },
    schema: { type: "string", describe: "schema of the tables for --from-database; default: public" },
    kirak: {
      type: "string",
      describe: "the kirak dependency: a version, a tag or the path of a tarball; default: this version",
    },
    install: { type: "boolean", describe: "also install the packages; default with --from-database" },
    "no-install": {
      type: "boolean",
      describe: "install nothing; default without --from-database",
    },
    "no-git": { type: "boolean", describe: "do not create a git repository" },
  },
  word: {
    name: "folder",
    describe: "folder of the app, which also gives its name",
    missing: "init needs a folder, such as my-app; . is the current folder",
  },
  examples: [
    ["my-app", "the smallest app"],
    ["my-app --example saas", "organisations, members, invitations by mail"],
    ["my-app --from-database postgres://me@localhost/shop", "from the tables of a database"],
    [".", "in a repository that was just cloned"],
  ],
  exitCodes: {
    0: "the app was created",
    1: "the files were created, but installing or reading the database failed; the output lists the remaining commands",
    2: "bad flags, or a folder that cannot be used: nothing is written",
  },
  more: `Examples for --example:\n${starts.join("\n")}`,
  read: (given): InitFlags => ({
    folder: given.words[0] ?? "",
    example: given.text("example"),
    fromDatabase: given.text("from-database"),
    schema: given.text("schema"),
    kirak: given.text("kirak"),
    git: !given.has("no-git"),
    install: given.has("install"),
    noInstall: given.has("no-install"),
  }),
  problem: initProblem,
  async run(flags, folder) {
    const { runInit } = await import("../init/run-init.ts");
    return runInit(flags, folder, {
      print: (text) => process.stdout.write(text),
      printError: (text) => process.stderr.write(text),
    });
  },
});

import { defineCommand } from "../define-command.ts";
import { type InitFlags, initExampleNames, initExamples, initProblem } from "../init/init-flags.ts";

const starts = Object.entries(initExamples).map(([name, what]) => `  ${name.padEnd(10)} ${what}`);

/** `kirak init`. */
export const command = defineCommand({
  about:
    "Makes an app in a folder: models and what is generated of them, settings for tools, a test, CI, an image and a README. No file that is there is changed, but for lines that .gitignore lacks.",
  flags: {
    example: {
      type: "string",
      describe: "what it starts as; blank unless it is named",
      choices: initExampleNames,
    },
    "from-database": {
      type: "string",
      describe: "make the models of the tables of a PostgreSQL, by its URL, which goes to .env alone",
    },
    schema: { type: "string", describe: "the schema of those tables; public unless it is named" },
    kirak: {
      type: "string",
      describe:
        "what it depends on: a version, a tag, or the path of a tarball; this version unless it is named",
    },
    install: { type: "boolean", describe: "install the packages too; --from-database does so unasked" },
    "no-install": {
      type: "boolean",
      describe: "install nothing, and only say what to type; so it is without --from-database anyway",
    },
    "no-git": { type: "boolean", describe: "make no git repository" },
  },
  word: {
    name: "folder",
    describe: "where it is to be; the app is called after it",
    missing: "init needs a folder, such as my-app; . is the one that you are in",
  },
  examples: [
    ["my-app", "the smallest app"],
    ["my-app --example saas", "organisations, members, invitations by mail"],
    ["my-app --from-database postgres://me@localhost/shop", "one of tables that are there"],
    [".", "in a repository that was just cloned"],
  ],
  exitCodes: {
    0: "the app is there",
    1: "its files are, and installing or reading the database failed: what is left to type is printed",
    2: "bad flags, or a folder that cannot be taken: nothing is written",
  },
  more: `Examples to start as:\n${starts.join("\n")}`,
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
      say: (text) => process.stdout.write(text),
      complain: (text) => process.stderr.write(text),
    });
  },
});

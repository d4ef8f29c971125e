import { type CommandGroup, defineCommand } from "../define-command.ts";
import { secretLines } from "../secrets/secret-lines.ts";

const create = defineCommand({
  about:
    "Creates random values for all secrets of .env: 48 bytes each, in base64url. Prints them, or adds the missing ones to the .env of the app. Needs no database.",
  flags: {
    write: {
      type: "boolean",
      describe:
        "create .env, readable only by you, or add missing secrets; existing lines stay, and no value is printed",
    },
  },
  examples: [
    ["--write", "create .env, or add the missing secrets"],
    ["| grep JWT", "print one secret"],
  ],
  exitCodes: {
    0: "printed, written, or nothing is missing",
    1: ".env cannot be written (--write)",
    2: "an unknown flag",
  },
  more: "Do not store the output in a file that others can read.",
  read: (given) => given.has("write"),
  async run(write, root) {
    if (!write) {
      process.stdout.write(secretLines());
      return 0;
    }
    const { writeSecrets, writtenText } = await import("../secrets/write-secrets.ts");
    process.stdout.write(writtenText(writeSecrets(root)));
    return 0;
  },
});

const check = defineCommand({
  about:
    "Counts what still needs a previous secret: API keys that were not used since the current secret was set, and encrypted texts that only a previous key opens.",
  flags: {},
  examples: [["", "before you remove a variable that ends in _PREVIOUS"]],
  exitCodes: {
    0: "nothing needs a previous secret",
    1: "something needs a previous secret, or the database cannot be reached",
    2: "unknown arguments",
  },
  read: () => null,
  async run(_, root) {
    const { runSecretsCheck } = await import("#runtime/process/commands/index");
    return runSecretsCheck(root);
  },
});

const reseal = defineCommand({
  about:
    "Encrypts second factors and data of social providers again with the current key. It works in batches, also while the service runs, and can be stopped and repeated.",
  flags: {},
  examples: [["", "after a deployment with a new SERVICE_AUTH_ENCRYPTION_KEY"]],
  exitCodes: { 0: "done", 1: "the database cannot be reached", 2: "unknown arguments" },
  read: () => null,
  async run(_, root) {
    const { runReseal } = await import("#runtime/process/commands/index");
    return runReseal(root);
  },
});

/** `kirak secrets`. */
export const command: CommandGroup = {
  about: "Creates the secrets of an app, and replaces them: docs/secrets.md.",
  commands: {
    create: { summary: "creates random values for all secrets of .env", command: create },
    check: { summary: "counts what still needs a previous secret", command: check },
    reseal: { summary: "encrypts stored texts again with the current key", command: reseal },
  },
  usual: "create",
  examples: [
    ["--write", "create .env, or add the missing secrets"],
    ["check", "see whether a previous secret can be removed"],
  ],
  exitCodes: {
    0: "done",
    1: ".env cannot be written, the database cannot be reached, or something needs a previous secret",
    2: "unknown arguments",
  },
};

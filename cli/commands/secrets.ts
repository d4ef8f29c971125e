import { defineCommand } from "../define-command.ts";
import { secretLines } from "../secrets/secret-lines.ts";

/** `kirak secrets`. */
export const command = defineCommand({
  about:
    "Makes fresh values for every secret of .env: 48 random bytes each, in base64url. Prints them, or writes those that the .env of the app lacks. Asks nothing, and needs no database.",
  flags: {
    write: {
      type: "boolean",
      describe:
        "make .env, which others cannot read, or add what it lacks; no line that is there is changed, and no value printed",
    },
  },
  examples: [
    ["--write", "a .env with every secret, or what is missing in the one that is there"],
    ["| grep JWT", "one secret, to take its line from"],
  ],
  exitCodes: {
    0: "printed, or written, or there already",
    1: "--write, and .env cannot be written",
    2: "a flag that it does not know",
  },
  more: "What is printed belongs in no file that others can read.",
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

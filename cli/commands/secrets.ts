import { defineCommand } from "../define-command.ts";
import { secretLines } from "../secrets/secret-lines.ts";

/** `kirak secrets`. */
export const command = defineCommand({
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

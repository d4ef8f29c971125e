import { defineCommand } from "../define-command.ts";
import { secretLines } from "../secrets/secret-lines.ts";

/** `kirak secrets`. */
export const command = defineCommand({
  about:
    "Prints fresh values for every secret of .env: 48 random bytes each, in base64url. Asks nothing, and needs no database.",
  flags: {},
  examples: [
    ["> .env", "make the .env of a new app; it replaces one that is there"],
    ["| grep JWT", "one secret, to take its line from"],
  ],
  exitCodes: { 0: "printed", 2: "a flag that it does not know" },
  more: "chmod 600 .env keeps the file from others on the machine.",
  read: () => null,
  async run() {
    process.stdout.write(secretLines());
    return 0;
  },
});

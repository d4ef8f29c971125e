import { defineCommand } from "../define-command.ts";
import { introspectFlags, readIntrospectFlags } from "../introspect/introspect-flags.ts";

/** `kirak introspect`. */
export const command = defineCommand({
  about:
    "Reads a PostgreSQL database and writes models/models.json, and a baseline migration that is marked as applied in it. Nothing else changes in the database: kirak generate plans the rest, for you to review.",
  flags: introspectFlags,
  examples: [
    ["--dry-run", "see what would be made of the database that SERVICE_DATABASE_URL names"],
    ["", "write the models"],
    ["--schema sales", "the tables of another schema"],
    ["--force", "once more, in place of the models that an earlier run wrote"],
  ],
  exitCodes: {
    0: "all is well",
    1: "something is there already, or the baseline could not be marked as applied",
    2: "bad flags, a database that cannot be read or has no tables, a file that cannot be written",
    70: "a bug, with its stack",
  },
  more: "Others on the machine can see arguments: a URL with a password is better off in SERVICE_DATABASE_URL, or in .env.",
  read: readIntrospectFlags,
  async run(flags, root) {
    const { runIntrospect } = await import("../introspect/run-introspect.ts");
    return runIntrospect(flags, root, {
      say: (text) => process.stdout.write(text),
      complain: (text) => process.stderr.write(text),
    });
  },
});

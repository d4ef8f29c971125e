import { defineCommand } from "../define-command.ts";
import { introspectFlags, readIntrospectFlags } from "../introspect/introspect-flags.ts";

/** `kirak introspect`. */
export const command = defineCommand({
  about:
    "Reads a PostgreSQL database and writes models/models.json, which describes the tables as they are, and a baseline migration, which it marks as applied. It changes nothing else in the database. In a project with models it compares the database with the last migration, and adds the difference to the models and as a migration. With --normalise, kirak generate then plans a conversion to Kirak's types and names for your review.",
  flags: introspectFlags,
  examples: [
    ["--dry-run", "see the models for the database in SERVICE_DATABASE_URL"],
    ["", "write the models"],
    ["--open admin --views", "write the models, with views, open to the role admin"],
    ["--schema public,sales", "read several schemas"],
    [
      "--hasura ../shop/hasura/metadata",
      "write the models, with the relationships and permissions of a Hasura project",
    ],
    ["--check", "see in CI whether the database has changed since the last run"],
    ["--force", "replace the models that an earlier run wrote"],
  ],
  exitCodes: {
    0: "success",
    1: "files exist already, or the migration could not be marked as applied; with --check: the models differ from the database",
    2: "bad flags, models that cannot be compared, a database that cannot be read or has no tables, a file that cannot be written",
    70: "a bug, with its stack",
  },
  more: "Other users of the machine can see arguments: put a URL with a password into SERVICE_DATABASE_URL or .env.",
  read: readIntrospectFlags,
  async run(flags, root) {
    const { runIntrospect } = await import("../introspect/run-introspect.ts");
    return runIntrospect(flags, root, {
      print: (text) => process.stdout.write(text),
      printError: (text) => process.stderr.write(text),
    });
  },
});

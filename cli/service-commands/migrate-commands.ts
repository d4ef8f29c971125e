import type { MigrateCommand } from "#runtime/process/commands/index";
import type { LoadService } from "../app/lazy-service.ts";
import { migrationNames } from "../app-folder.ts";
import {
  type Candidates,
  type CommandGroup,
  type CommandHelp,
  defineCommand,
  type ParsedArgs,
} from "../define-command.ts";

const exitCodes = {
  0: "done",
  1: "the database cannot be reached or is in an unexpected state; the output says which",
  2: "unknown arguments",
};
const to = { type: "string", describe: "the last migration to apply" } as const;
const dryRun = { type: "boolean", describe: "print the SQL without running it" } as const;
const json = { type: "boolean", describe: "print JSON" } as const;

/** `kirak migrate`, for the service that `load` returns. */
export function migrateCommands(load: LoadService): CommandGroup {
  const run = executeWith(load);
  const up = defineCommand({
    ...helpOf(
      "Applies pending migrations, the service's own tables first. Concurrent runs wait for each other.",
      [
        ["", "apply all pending migrations"],
        ["--dry-run", "see the SQL"],
        ["--to 0007_add_isbn", "stop after that migration"],
      ],
    ),
    flags: { to, "dry-run": dryRun },
    candidates,
    read: (given): MigrateCommand => ({ command: "up", ...rangeOf(given) }),
    run,
  });
  const down = defineCommand({
    ...helpOf(
      "Reverts the app's last migration, or all migrations after the one in --to. Migrations of the service itself stay.",
      [
        ["--dry-run", "see the SQL and what would be lost"],
        ["", "revert the last migration"],
        ["--to 0006_add_authors --accept-data-loss", "revert all later migrations, although rows are lost"],
      ],
    ),
    flags: {
      to: { type: "string", describe: "the last migration to keep" },
      "dry-run": dryRun,
      "accept-data-loss": { type: "boolean", describe: "continue although rows or columns are lost" },
    },
    candidates,
    read: (given): MigrateCommand => ({
      command: "down",
      ...rangeOf(given),
      acceptDataLoss: given.has("accept-data-loss"),
    }),
    run,
  });
  const status = defineCommand({
    ...helpOf("Lists applied, pending and unfinished migrations, and those that do not match this code.", [
      ["", "before a deployment"],
      ["--json | jq '.[] | select(.state == \"pending\")'", "only pending migrations"],
    ]),
    flags: { json },
    read: (given): MigrateCommand => ({ command: "status", json: given.has("json") }),
    run,
  });
  const verify = defineCommand({
    ...helpOf("Compares the database with its migrations, and fails on a difference.", [
      ["", "find changes that were made by hand"],
      ["--strict", "also find tables and indexes that were added by hand"],
    ]),
    flags: { json, strict: { type: "boolean", describe: "also fail on harmless additions" } },
    read: (given): MigrateCommand => ({
      command: "verify",
      json: given.has("json"),
      strict: given.has("strict"),
    }),
    run,
  });
  const baseline = defineCommand({
    ...helpOf(
      "Marks a migration and the app's earlier ones as applied without running them. The tables must match these migrations.",
      [["0001_initial", "the tables exist already"]],
    ),
    flags: { unverified: { type: "boolean", describe: "skip the comparison with the tables" } },
    word: {
      name: "migration",
      describe: "name of the migration, such as 0001_initial",
      missing: "baseline needs the name of a migration",
    },
    candidates,
    read: (given): MigrateCommand => ({
      command: "baseline",
      to: given.words[0] ?? "",
      unverified: given.has("unverified"),
    }),
    run,
  });
  return {
    ...helpOf("Migrates the database of the app: docs/migrations.md.", [
      ["", "apply all pending migrations"],
      ["status", "list applied and pending migrations"],
      ["down --dry-run", "see what reverting the last migration would do"],
    ]),
    commands: {
      up: { summary: "applies pending migrations", command: up },
      down: { summary: "reverts one or more migrations", command: down },
      status: { summary: "lists applied and pending migrations", command: status },
      verify: { summary: "compares the database with its migrations", command: verify },
      baseline: { summary: "marks migrations as applied without running them", command: baseline },
    },
    usual: "up",
  };
}

function helpOf(about: string, examples: CommandHelp["examples"]): CommandHelp {
  return { about, examples, exitCodes };
}

function candidates(root: string): Candidates {
  const names = migrationNames(root);
  return { to: names, migration: names };
}

function rangeOf(given: ParsedArgs<"to" | "dry-run">) {
  const name = given.text("to");
  return { ...(name !== null && { to: name }), dryRun: given.has("dry-run") };
}

function executeWith(load: LoadService) {
  return async (input: MigrateCommand, root: string): Promise<never> => {
    const service = await load(root);
    const { migrateService } = await import("#runtime/process/operate");
    return migrateService(service, root, input);
  };
}

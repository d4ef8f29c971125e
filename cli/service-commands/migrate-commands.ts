import type { MigrateCommand } from "#runtime/process/commands/index";
import type { LoadService } from "../app/load-later.ts";
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
  1: "the database cannot be reached, or is not as it should be; what was printed says how",
  2: "words that it does not know",
};
const to = { type: "string", describe: "the migration to stop at" } as const;
const dryRun = { type: "boolean", describe: "print the SQL, and change nothing" } as const;
const json = { type: "boolean", describe: "print it as JSON, for programs" } as const;

/** `kirak migrate`, for the services that `load` gives. */
export function migrateCommands(load: LoadService): CommandGroup {
  const run = executeWith(load);
  const up = defineCommand({
    ...helpOf("Applies what is pending, the service's own tables first. Several at once take turns.", [
      ["", "apply all that is pending"],
      ["--dry-run", "see the SQL of it"],
      ["--to 0007_add_isbn", "stop after that migration"],
    ]),
    flags: { to, "dry-run": dryRun },
    candidates,
    read: (given): MigrateCommand => ({ command: "up", ...rangeOf(given) }),
    run,
  });
  const down = defineCommand({
    ...helpOf(
      "Takes back the app's last migration, or all that came after the one that --to names. Those of the service itself stay.",
      [
        ["--dry-run", "see the SQL, and what would be lost"],
        ["", "take back the last one"],
        ["--to 0006_add_authors --accept-data-loss", "all after that one, although rows are lost"],
      ],
    ),
    flags: {
      to,
      "dry-run": dryRun,
      "accept-data-loss": { type: "boolean", describe: "go on where rows or columns are lost" },
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
    ...helpOf(
      "Shows which migrations are applied, pending or left half-way, and which do not fit this code.",
      [
        ["", "before a deployment"],
        ["--json | jq '.[] | select(.state == \"pending\")'", "those that are pending"],
      ],
    ),
    flags: { json },
    read: (given): MigrateCommand => ({ command: "status", json: given.has("json") }),
    run,
  });
  const verify = defineCommand({
    ...helpOf("Compares the database with what its migrations made, and fails where it is another one.", [
      ["", "find what somebody changed by hand"],
      ["--strict", "find tables and indexes that somebody added as well"],
    ]),
    flags: { json, strict: { type: "boolean", describe: "fail on additions that do no harm, too" } },
    read: (given): MigrateCommand => ({
      command: "verify",
      json: given.has("json"),
      strict: given.has("strict"),
    }),
    run,
  });
  const baseline = defineCommand({
    ...helpOf(
      "Notes a migration, and those of the app before it, as applied without running them, where the tables are as they would have made them.",
      [["0001_initial", "the tables are there already, made by something else"]],
    ),
    flags: { unverified: { type: "boolean", describe: "whatever the tables are like" } },
    word: {
      name: "migration",
      describe: "its name, such as 0001_initial",
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
    ...helpOf("Changes the tables of a database as the app needs them: docs/migrations.md.", [
      ["", "apply all that is pending"],
      ["status", "what is applied, and what is pending"],
      ["down --dry-run", "what taking back the last one would do"],
    ]),
    commands: {
      up: { summary: "applies what is pending", command: up },
      down: { summary: "takes back the last one, or several", command: down },
      status: { summary: "shows which are applied", command: status },
      verify: { summary: "compares the database with what its migrations made", command: verify },
      baseline: { summary: "notes some as applied without running them", command: baseline },
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
  return async (wanted: MigrateCommand, root: string): Promise<never> => {
    const service = await load(root);
    const { migrateService } = await import("#runtime/process/operate");
    return migrateService(service, root, wanted);
  };
}

import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import { migrationPath } from "../../output/output-paths.ts";

/** Migrations that do not hold together; `missing` are those that are gone. */
export function historyProblem(
  { broken, fix, missing }: { broken: string; fix: string | null; missing: readonly string[] },
  flags: CommandFlags,
): Problem {
  const usual = missing.length === 0 ? restoreAll(flags) : restoreMissing(missing, flags);
  return { kind: "history", message: broken, details: "", fix: fix ?? usual };
}

function restoreMissing(missing: readonly string[], flags: CommandFlags): string {
  const [them, redo] = missing.length === 1 ? ["it", "derives it anew"] : ["them", "derives them anew"];
  return (
    `restore ${filesOf(missing, flags.out)} from version control; or, where no database has ${them}, ` +
    `${commandOf({ ...flags, rebase: missing })} ${redo}, with all that builds on ${them}`
  );
}

function restoreAll({ out }: CommandFlags): string {
  return (
    `restore ${out}/migrations/ from version control. To delete ${out}/ and begin with one initial migration helps only ` +
    "where all databases are new, or are made so: any other one refuses it"
  );
}

/** Migrations that only the folder has; with the models as they are, another one would build on them. */
export function unrecordedProblem(names: readonly string[], { out }: CommandFlags): Problem {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return {
    kind: "history",
    message: `${filesOf(names, out)} ${are} in the folder, but neither manifest.lock.json nor schema.json knows ${them}`,
    details: "git checkout and git stash take back what a run changed, and leave the new files of it.\n",
    fix:
      `delete ${them} where no database has ${them}; where one has, bring the models that made ${them} back, ` +
      `and npm run generate takes ${them} in`,
  };
}

/** Migrations that somebody edited. What was planned on top of an edited one is worth nothing, so this comes alone. */
export function editedMigrationsProblem(names: readonly string[], flags: CommandFlags): Problem {
  const files = filesOf(names, flags.out);
  const them = names.length === 1 ? "it" : "them";
  return {
    kind: "edited",
    message: `edited by hand, and databases that have ${them} refuse the edited text: ${files}`,
    details: "",
    fix: `restore ${files} from version control; or, where no database has ${them}, ${commandOf({ ...flags, rebase: names })}`,
  };
}

function filesOf(names: readonly string[], out: string): string {
  return names.map((name) => `${out}/${migrationPath(name)}`).join(", ");
}

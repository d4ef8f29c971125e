import { didYouMean } from "../../../vocabulary/nearest.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import { migrationPath } from "../../output/output-files.ts";
import type { Branches, Head } from "../branches.ts";

/** Reports inconsistent migrations. `missing` are missing files. */
export function historyProblem(
  { broken, fix, missing }: { broken: string; fix: string | null; missing: readonly string[] },
  flags: CommandFlags,
): StopProblem {
  const usual = missing.length === 0 ? restoreAll(flags) : restoreMissing(missing, flags);
  return { kind: "history", message: broken, details: "", fix: fix ?? usual };
}

function restoreMissing(missing: readonly string[], flags: CommandFlags): string {
  const [them, redo] = missing.length === 1 ? ["it", "derives it again"] : ["them", "derives them again"];
  return (
    `restore ${filesOf(missing, flags.out)} from version control; or, if no database has applied ${them}, ` +
    `${commandOf({ ...flags, rebase: missing })} ${redo}, and all later migrations`
  );
}

function restoreAll({ out }: CommandFlags): string {
  return (
    `restore ${out}/migrations/ from version control. Only if all databases are new or can be recreated, delete ${out}/ and start with ` +
    "one initial migration: databases with the old migrations reject it"
  );
}

/** Reports migrations that only the folder has, when a new migration would build on them. */
export function unrecordedProblem(names: readonly string[], { out }: CommandFlags): StopProblem {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return {
    kind: "history",
    message: `${filesOf(names, out)} ${are} in the folder, but neither manifest.lock.json nor schema.json lists ${them}`,
    details: "git checkout and git stash revert the changed files of a run, but keep its new files.\n",
    fix:
      `if no database has applied ${them}, delete ${them}; otherwise restore the models, and npm run generate ` +
      `records ${them} again`,
  };
}

/** Reports edited migrations. No other problem is reported, because a plan on top of an edited migration would be wrong. */
export function editedMigrationsProblem(names: readonly string[], flags: CommandFlags): StopProblem {
  const files = filesOf(names, flags.out);
  const them = names.length === 1 ? "it" : "them";
  return {
    kind: "edited",
    message: `edited by hand, but databases that ran ${them} reject the edited text: ${files}`,
    details: "",
    fix: `restore ${files} from version control; or, if no database has applied ${them}, ${commandOf({ ...flags, rebase: names })}`,
  };
}

function filesOf(names: readonly string[], out: string): string {
  return names.map((name) => `${out}/${migrationPath(name)}`).join(", ");
}

/** Reports several heads, each with the command that keeps only this head. */
export function headsProblem({ parent, heads }: Branches, flags: CommandFlags): StopProblem {
  const base = parent ?? "nothing";
  return {
    kind: "heads",
    message: `${heads.length} migrations are the last one, because merged branches each build on ${base}`,
    details: `${heads.flatMap((head) => linesOf(head, flags)).join("\n")}\n${adviceOf(parent)}`,
    // The generator cannot know which head the databases have.
    fix: "run the command that keeps the migration of a shared database",
  };
}

function linesOf({ chain, others }: Head, flags: CommandFlags): string[] {
  const command = commandOf({ ...flags, rebase: others });
  return [`  ${chain.join(" → ")}`, `    to keep it and derive the rest again: ${command}`];
}

function adviceOf(parent: string | null): string {
  const back = parent === null ? "" : ` --to ${parent}`;
  return (
    "Keep the migration that a shared database has applied. If there is no such database, keep either one. First revert the other one in your development database:\n" +
    `npm run migrate -- down${back}, or delete the development database (var/kirak/postgres).\n`
  );
}

/** Reports names after `--rebase` that do not exist, or that all branches share. */
export function rebaseProblem(refused: readonly string[], candidates: readonly string[]): StopProblem {
  const message = refused
    .map((name) => {
      const reason =
        candidates.length === 0
          ? "there are no migrations, so none can be derived again"
          : `${name} cannot be derived again: it does not exist, or several branches build on it`;
      return [reason, ...[didYouMean(name, candidates) ?? []].flat()].join("; ");
    })
    .join("\n");
  return {
    kind: "unknown-migration",
    message,
    details: candidates.map((name) => `  ${name}\n`).join(""),
    fix: candidates.length === 0 ? "leave --rebase out" : "name one of the migrations above",
  };
}

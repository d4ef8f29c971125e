import { didYouMean } from "../../../vocabulary/nearest.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import { migrationPath } from "../../output/output-files.ts";
import type { Branches, Head } from "../branches.ts";

/** Migrations that do not hold together; `missing` are those that are gone. */
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
export function unrecordedProblem(names: readonly string[], { out }: CommandFlags): StopProblem {
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

/** Migrations that were edited. A plan on top of an edited migration is worthless, so this problem is reported without others. */
export function editedMigrationsProblem(names: readonly string[], flags: CommandFlags): StopProblem {
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

/** Several heads, and for each the command that keeps only this head. */
export function headsProblem({ parent, heads }: Branches, flags: CommandFlags): StopProblem {
  const base = parent ?? "nothing";
  return {
    kind: "heads",
    message: `${heads.length} migrations are the last one, since branches were merged that each build on ${base}`,
    details: `${heads.flatMap((head) => linesOf(head, flags)).join("\n")}\n${adviceOf(parent)}`,
    // Which of them stays is not for the generator to choose.
    fix: "run the one of these commands that keeps what a shared database has already",
  };
}

function linesOf({ chain, others }: Head, flags: CommandFlags): string[] {
  const command = commandOf({ ...flags, rebase: others });
  return [`  ${chain.join(" → ")}`, `    to keep it and derive the rest again: ${command}`];
}

function adviceOf(parent: string | null): string {
  const back = parent === null ? "" : ` --to ${parent}`;
  return (
    "Keep the one that a shared database has; where none has any, either will do. A database of your own that has another one must let it go before:\n" +
    `npm run migrate -- down${back}, or delete the development database (var/kirak/postgres).\n`
  );
}

/** Names after `--rebase` of migrations that all branches share, or that do not exist. */
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

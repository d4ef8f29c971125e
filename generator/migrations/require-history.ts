import type { CommandFlags } from "../diagnostics/command.ts";
import { Stop } from "../diagnostics/stop.ts";
import { isEditedMigration } from "../output/file-changes.ts";
import { migrationPath } from "../output/output-files.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import {
  editedMigrationsProblem,
  headsProblem,
  historyProblem,
  rebaseProblem,
} from "./problems/history-problems.ts";
import { type History, type NoHistory, readMigrations } from "./read-history.ts";

/** The migrations that a run builds on. Stops where they do not hold together, or someone edited one. */
export async function requireHistory(folder: OutputFolder, flags: CommandFlags): Promise<History> {
  const history = await readMigrations(folder, flags.out, flags.rebase);
  if (!("snapshot" in history)) throw withoutHistory(history, flags);
  const edited = history.names.filter((name) => isEditedMigration(migrationPath(name), folder));
  if (edited.length > 0 && !flags.force)
    throw new Stop(1, { problems: [editedMigrationsProblem(edited, flags)] });
  return history;
}

function withoutHistory(reason: NoHistory, flags: CommandFlags): Stop {
  if ("refused" in reason)
    return new Stop(2, { problems: [rebaseProblem(reason.refused, reason.candidates)] });
  if ("broken" in reason) return new Stop(1, { problems: [historyProblem(reason, flags)] });
  return new Stop(1, { problems: [headsProblem(reason.branches, flags)] });
}

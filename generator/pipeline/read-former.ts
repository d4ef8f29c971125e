import { join } from "node:path";
import { type History, type NoHistory, readHistory } from "../migrations/read-history.ts";
import { isEditedMigration } from "../output/file-changes.ts";
import { type OutputFolder, readOutputFolder } from "../output/output-folder.ts";
import { migrationPath } from "../output/output-paths.ts";
import { headsProblem, rebaseProblem } from "../review/branch-problems.ts";
import { commandOf } from "../review/command.ts";
import { type Base, stateAt, stateBeforeMerge } from "../review/former-state.ts";
import { editedMigrationsProblem, type HistoryFacts, historyProblem } from "../review/history-problems.ts";
import { baseProblem } from "../review/problem.ts";
import type { GenerateOptions } from "./options.ts";
import { Stop } from "./stop.ts";

/** What there was before a run. */
export interface Former {
  readonly folder: OutputFolder;
  readonly history: History;
  /** What a merge was made into. */
  readonly merged: Base | null;
  /** The commit that the run is compared with, where one is named. */
  readonly base: Base | null;
}

/** Reads what earlier runs left in the output folder. Stops where no migration can build on it. */
export async function readFormer(options: GenerateOptions): Promise<Former> {
  const { root, out } = options;
  const folder = readOutputFolder(join(root, out));
  const history = await readHistory(folder, out, options.rebase);
  if (!("snapshot" in history)) throw withoutHistory(history, options);
  const edited = history.names.filter((name) => isEditedMigration(migrationPath(name), folder));
  if (edited.length > 0 && !options.force)
    throw new Stop(1, { problems: [editedMigrationsProblem(edited, historyFacts(options))] });
  const held = { root, out, folder, history };
  const base = options.base === null ? null : await stateAt(options.base, held);
  if (base !== null && "problem" in base) throw new Stop(2, { problems: [baseProblem(base.problem)] });
  return { folder, history, merged: await stateBeforeMerge(held), base };
}

function withoutHistory(reason: NoHistory, options: GenerateOptions): Stop {
  if ("refused" in reason)
    return new Stop(2, { problems: [rebaseProblem(reason.refused, reason.candidates)] });
  const facts = historyFacts(options);
  if ("broken" in reason) return new Stop(1, { problems: [historyProblem(reason, facts)] });
  return new Stop(1, { problems: [headsProblem(reason.branches, facts.commandFor)] });
}

/** What the problems of a history tell. */
export function historyFacts(options: GenerateOptions): HistoryFacts {
  return { out: options.out, commandFor: (rebase) => commandOf({ ...options, rebase }) };
}

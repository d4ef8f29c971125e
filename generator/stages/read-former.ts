import { join } from "node:path";
import { type History, type NoHistory, readHistory } from "../migrations/history.ts";
import type { GenerateOptions } from "../options.ts";
import { headsProblem, rebaseProblem } from "../report/branch-problems.ts";
import { commandOf } from "../report/command.ts";
import { formerMatrix } from "../report/former-access.ts";
import { type Base, stateAt } from "../report/former-state.ts";
import { baseProblem, historyProblem } from "../report/problem.ts";
import { type OutputFolder, readOutputFolder } from "../write/output-folder.ts";
import { Stop } from "./stop.ts";

/** What there was before a run. */
export interface Former {
  readonly folder: OutputFolder;
  readonly history: History;
  /** The text of `access-matrix.txt` that the last run left; null where it is not known. */
  readonly matrix: string | null;
  /** The commit that the run is compared with, where one is named. */
  readonly base: Base | null;
}

/** Reads what earlier runs left in the output folder. Stops where no migration can build on it. */
export async function readFormer(options: GenerateOptions): Promise<Former> {
  const { root, out } = options;
  const folder = readOutputFolder(join(root, out));
  const history = await readHistory(folder, out, options.rebase);
  if (!("snapshot" in history)) throw withoutHistory(history, options);
  const base = options.base === null ? null : await stateAt(options.base, { root, out, folder, history });
  if (base !== null && "problem" in base) throw new Stop(2, { problems: [baseProblem(base.problem)] });
  return { folder, history, matrix: await formerMatrix(folder, root, out), base };
}

function withoutHistory(reason: NoHistory, options: GenerateOptions): Stop {
  if ("refused" in reason)
    return new Stop(2, { problems: [rebaseProblem(reason.refused, reason.candidates)] });
  if ("broken" in reason)
    return new Stop(1, { problems: [historyProblem(reason.broken, reason.fix, options.out)] });
  const command = (rebase: readonly string[]) => commandOf({ ...options, rebase });
  return new Stop(1, { problems: [headsProblem(reason.branches, command)] });
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { sqlStepId } from "../../vocabulary/migrations/sql-migration.ts";
import { type CommandFlags, commandOf } from "../diagnostics/command.ts";
import type { StopProblem } from "../diagnostics/stop.ts";
import { acknowledgedPath } from "../load/read-acknowledged.ts";
import { unaccepted, unacceptedCustom } from "../migrations/plan.ts";
import { destructiveCustomProblem } from "../migrations/problems/custom-problems.ts";
import { destructiveProblem } from "../migrations/problems/step-problems.ts";
import { driftProblem, editedProblem, unknownFilesProblem } from "../output/output-problems.ts";
import type { Widened } from "./access/access-changes.ts";
import { unknownAccessProblem, wideningProblem } from "./access/access-problem.ts";
import type { ReviewedRun } from "./reviewed-run.ts";

export interface DecisionOptions extends CommandFlags {
  readonly root: string;
  /** Whether each difference from the files on disk is a problem. */
  readonly check: boolean;
}

/**
 * The decisions that a person has to make before the run writes files: about wider access (null if the former access is
 * unknown), data loss and edits by hand.
 */
export function openDecisions(
  run: ReviewedRun,
  widened: readonly Widened[] | null,
  options: DecisionOptions,
): StopProblem[] {
  const { plan, accepted, changes } = run;
  const { out } = options;
  const { folder } = run;
  const destructive = unaccepted(plan, accepted);
  const own = unacceptedCustom(plan);
  const edited = !options.force && changes.edited.length > 0;
  const command = commandOf({
    ...options,
    accepted: [
      ...options.accepted,
      ...destructive.map(({ id }) => id),
      ...own.map(({ name }) => sqlStepId(name)),
    ],
    force: options.force || edited,
  });
  const problems =
    widened === null
      ? [unknownAccess(run, options)]
      : wideningProblem(widened, { ...acknowledgements(run, options), command });
  if (plan.migration !== null && destructive.length > 0)
    problems.push(destructiveProblem(destructive, plan.migration, command));
  problems.push(...own.map((link) => destructiveCustomProblem(link, command)));
  if (edited) problems.push(editedProblem(changes.edited, { out, folder, command }));
  if (!options.check) return problems;
  if (changes.unknown.length > 0) problems.push(unknownFilesProblem(changes.unknown, out));
  const drift = changes.written.length > 0 || changes.removed.length > 0;
  // The diff of an edit by hand has already been shown.
  if (drift && problems.length === 0) problems.push(driftProblem(changes, { out, folder, command }));
  return problems;
}

function unknownAccess({ folder }: ReviewedRun, options: DecisionOptions): StopProblem {
  const merged = folder.sides.length > 0;
  return unknownAccessProblem(options.out, merged, commandOf({ ...options, base: "HEAD" }));
}

function acknowledgements({ acknowledged }: ReviewedRun, { root, models }: DecisionOptions) {
  const file = acknowledgedPath(models);
  return { file, exists: existsSync(join(root, file)), acknowledged };
}

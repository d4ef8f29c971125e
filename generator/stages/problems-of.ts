import { acknowledgedPath } from "../load/acknowledged.ts";
import { unaccepted } from "../migrations/plan.ts";
import type { GenerateOptions } from "../options.ts";
import { unknownAccessProblem, wideningProblem } from "../report/access-problem.ts";
import { commandOf } from "../report/command.ts";
import {
  destructiveProblem,
  driftProblem,
  editedProblem,
  type Problem,
  unknownFilesProblem,
} from "../report/problem.ts";
import type { Changes } from "../write/changes.ts";
import type { OutputFolder } from "../write/output-folder.ts";
import type { Planned } from "./plan-changes.ts";
import type { Reported } from "./report-on.ts";

/** What somebody has to decide before a run may write: access that gets wider, data that is lost, edits by hand. */
export function problemsOf(
  options: GenerateOptions,
  { plan, accepted }: Planned,
  changes: Changes,
  { lockReadable }: OutputFolder,
  { report, former }: Reported,
  acknowledged: ReadonlyMap<string, string>,
): Problem[] {
  const { out } = options;
  const destructive = unaccepted(plan, accepted);
  const edited = !options.force && changes.edited.length > 0;
  const command = commandOf({
    ...options,
    accepted: [...options.accepted, ...destructive.map(({ id }) => id)],
    force: options.force || edited,
  });
  const widened = wideningProblem(report, { file: acknowledgedPath(options.models), acknowledged, command });
  const problems: Problem[] = [];
  if (former.matrix === null) problems.push(unknownAccessProblem(out));
  if (widened !== null) problems.push(widened);
  if (plan.migration !== null && destructive.length > 0)
    problems.push(destructiveProblem(destructive, plan.migration, command));
  if (edited) problems.push(editedProblem(changes.edited, { out, lockReadable, command }));
  if (options.mode !== "check") return problems;
  if (changes.unknown.length > 0) problems.push(unknownFilesProblem(changes.unknown, out));
  const drift = changes.written.length > 0 || changes.removed.length > 0;
  // A hand edit has been shown as a diff already.
  if (drift && problems.length === 0) problems.push(driftProblem(changes, { out, lockReadable, command }));
  return problems;
}

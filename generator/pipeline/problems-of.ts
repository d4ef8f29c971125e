import { existsSync } from "node:fs";
import { join } from "node:path";
import { unaccepted } from "../migrations/plan.ts";
import { unknownAccessProblem, wideningProblem } from "../review/access/access-problem.ts";
import { acknowledgedPath } from "../review/access/acknowledged.ts";
import { commandOf } from "../review/command.ts";
import {
  destructiveProblem,
  driftProblem,
  editedProblem,
  type Problem,
  unknownFilesProblem,
} from "../review/problem.ts";
import type { Loaded } from "./loaded.ts";
import type { MadeFiles } from "./make-files.ts";
import type { GenerateOptions } from "./options.ts";
import type { Planned } from "./plan-changes.ts";
import type { Former } from "./read-former.ts";
import type { Reported } from "./report-on.ts";

type ReportedRun = Loaded & Former & Planned & MadeFiles & Reported;

/** What somebody has to decide before a run may write: access that gets wider, data that is lost, edits by hand. */
export function problemsOf(run: ReportedRun, options: GenerateOptions): Problem[] {
  const { plan, accepted, changes } = run;
  const { out } = options;
  const { lockReadable } = run.folder;
  const destructive = unaccepted(plan, accepted);
  const edited = !options.force && changes.edited.length > 0;
  const command = commandOf({
    ...options,
    accepted: [...options.accepted, ...destructive.map(({ id }) => id)],
    force: options.force || edited,
  });
  const problems = accessProblems(run, options, command);
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

function accessProblems(
  { widened, acknowledged, folder }: ReportedRun,
  options: GenerateOptions,
  command: string,
): Problem[] {
  if (widened === null) {
    const merged = folder.sides.length > 0;
    return [unknownAccessProblem(options.out, merged, commandOf({ ...options, base: "HEAD" }))];
  }
  const file = acknowledgedPath(options.models);
  const exists = existsSync(join(options.root, file));
  return wideningProblem(widened, { file, exists, acknowledged, command });
}

import type { StopProblem } from "../diagnostics/stop.ts";
import { matrixPath } from "../output/output-files.ts";
import { unacknowledged } from "./access/access-changes.ts";
import { matrixBefore } from "./access/former-access.ts";
import { lastState, rebased } from "./baselines.ts";
import { type DecisionOptions, openDecisions } from "./decisions.ts";
import { migrationReports } from "./migration-report.ts";
import { accessSince, type ReviewReport, reportOf } from "./report.ts";
import type { ReviewedRun } from "./reviewed-run.ts";

/** The report of a run, and the decisions that people have to make before it writes files. */
export interface Review {
  readonly report: ReviewReport;
  readonly problems: readonly StopProblem[];
}

/** Compares a run with the last run. The report compares it with the commit after `--base`, if there is one. */
export function review(run: ReviewedRun, options: DecisionOptions): Review {
  const { plan, texts, changes, folder } = run;
  const { base, merged } = run.bases;
  const last = lastState(folder, plan, matrixBefore(folder, changes, texts.get(matrixPath) ?? ""));
  const before = merged === null ? last : rebased(merged, plan);
  const former = base === null ? last : rebased(base, plan);
  const access = accessSince(run, base === null ? before : former);
  const report = reportOf(run, former, access, migrationReports(run, former, base?.newMigrations ?? []));
  // Access that no one has acknowledged, and that is new since the last run or since the base.
  const wider = [access, ...(base === null ? [] : [accessSince(run, before)])].flatMap(unacknowledged);
  const unknown = base === null && before.matrix === null;
  const widened = unknown ? null : [...new Map(wider.map((entry) => [entry.id, entry])).values()];
  return { report, problems: openDecisions(run, widened, options) };
}

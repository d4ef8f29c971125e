import { matrixPath } from "../access/matrix.ts";
import { unacknowledged, type Widened } from "../report/access-changes.ts";
import { servesTheSame } from "../report/former-access.ts";
import { followed, lastState } from "../report/former-state.ts";
import { migrationReports } from "../report/migration-report.ts";
import { accessSince, type Report, reportOf } from "../report/report.ts";
import type { Loaded } from "./loaded.ts";
import type { MadeFiles } from "./make-files.ts";
import type { Planned } from "./plan-changes.ts";
import type { Former } from "./read-former.ts";

/** What people must know of a run. */
export interface Reported {
  readonly report: Report;
  /**
   * What is open, was not after the last run or at the commit that the run names, and nobody has acknowledged; null
   * where nothing tells what was open.
   */
  readonly widened: readonly Widened[] | null;
}

/** Compares a run with the one before, and the report with the commit that it names. */
export function reportOn(run: Loaded & Former & Planned & MadeFiles): Reported {
  const { plan, texts, changes, folder, base } = run;
  const unchanged = servesTheSame(changes) ? (texts.get(matrixPath) ?? "") : null;
  const last = lastState(folder, plan, run.matrix ?? unchanged);
  const former = base === null ? last : followed(base, plan);
  const report = reportOf(run, former, migrationReports(run, former, base?.since ?? []));
  if (former.matrix === null) return { report, widened: null };
  const compared = base === null ? [report] : [report, accessSince(run, last)];
  const widened = compared.flatMap(unacknowledged);
  return { report, widened: [...new Map(widened.map((entry) => [entry.id, entry])).values()] };
}

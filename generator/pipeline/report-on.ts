import { matrixPath } from "../output/output-paths.ts";
import { unacknowledged, type Widened } from "../review/access/access-changes.ts";
import { formerMatrix } from "../review/access/former-access.ts";
import { followed, lastState } from "../review/former-state.ts";
import { migrationReports } from "../review/migration-report.ts";
import { accessSince, type Report, reportOf } from "../review/report.ts";
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
  const { plan, texts, changes, folder, merged, base } = run;
  const last = lastState(folder, plan, formerMatrix(folder, changes, texts.get(matrixPath) ?? ""));
  const former = base === null ? last : followed(base, plan);
  const before = merged === null ? last : followed(merged, plan);
  const access = accessSince(run, base === null ? before : former);
  const report = reportOf(run, former, access, migrationReports(run, former, base?.since ?? []));
  if (base === null && before.matrix === null) return { report, widened: null };
  const widened = [access, ...(base === null ? [] : [accessSince(run, before)])].flatMap(unacknowledged);
  return { report, widened: [...new Map(widened.map((entry) => [entry.id, entry])).values()] };
}

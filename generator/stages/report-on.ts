import { matrixPath } from "../access/matrix.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import { type FormerState, followed, lastState } from "../report/former-state.ts";
import { migrationReports, migrationsSince } from "../report/migration-report.ts";
import { type Report, reportOf } from "../report/report.ts";
import type { MadeFiles } from "./make-files.ts";
import type { Former } from "./read-former.ts";

/** What a reviewer must know of a run, and what it was compared with. */
export interface Reported {
  readonly report: Report;
  readonly former: FormerState;
}

/** Compares a run with the one before, or with the commit that it names. */
export async function reportOn(
  definition: ServiceDefinition,
  acknowledged: ReadonlyMap<string, string>,
  plan: MigrationPlan,
  { texts, changes }: MadeFiles,
  { folder, history, base }: Former,
): Promise<Reported> {
  const run = { definition, plan, history, changes, texts, acknowledged };
  const since = base === null ? [] : await migrationsSince(base.snapshot.migration, history, folder);
  const former =
    base === null
      ? lastState(folder, plan, changes, texts.get(matrixPath) ?? "")
      : followed(base, since, plan);
  return { report: reportOf(run, former, migrationReports(run, former, since)), former };
}

import { type MigrationPlan, planMigration, unaccepted, unknownIds } from "../migrations/plan.ts";
import { refusals } from "../migrations/refusals.ts";
import { lookAlikes } from "../migrations/rename-candidates.ts";
import { unrecordedProblem } from "../review/history-problems.ts";
import { refusedProblem, unknownStepsProblem } from "../review/problem.ts";
import { renameProblem } from "../review/rename-problem.ts";
import type { Loaded } from "./loaded.ts";
import type { GenerateOptions } from "./options.ts";
import { type Former, historyFacts } from "./read-former.ts";
import { Stop } from "./stop.ts";

/** The migration of a run. */
export interface Planned {
  readonly plan: MigrationPlan;
  /** Ids of destructive steps that were accepted now, or in a migration that is derived anew. */
  readonly accepted: readonly string[];
}

/** Plans the migration to what the models need. Stops where no migration leads there, or where it may be a new name. */
export function planChanges(
  { definition, sources, history }: Loaded & Former,
  options: GenerateOptions,
): Planned {
  const refused = refusals(history.snapshot.tables, definition);
  const { unrecorded } = history;
  const foreign = new Stop(1, { problems: [unrecordedProblem(unrecorded, historyFacts(options))] });
  if (refused.length > 0)
    throw unrecorded.length > 0 ? foreign : new Stop(1, { problems: [refusedProblem(refused)] });
  const plan = planMigration(definition, history.snapshot, history.names, history.rebased?.renames);
  // One that came with a merge came with its models.
  if (unrecorded.length > 0 && plan.migration !== null) throw foreign;
  const unknown = unknownIds(plan, options.accepted);
  if (unknown.length > 0)
    throw new Stop(2, { problems: [unknownStepsProblem(unknown, unaccepted(plan, []))] });
  const accepted = [...options.accepted, ...(history.rebased?.accepted ?? [])];
  const alike = lookAlikes(plan, accepted);
  if (alike.length > 0)
    throw new Stop(1, { problems: [renameProblem(alike, { definition, sources, options })] });
  return { plan, accepted };
}

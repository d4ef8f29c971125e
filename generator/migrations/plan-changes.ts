import type { ServiceDefinition } from "../definition/definition.ts";
import type { CommandFlags } from "../diagnostics/command.ts";
import type { Sources } from "../diagnostics/index.ts";
import { Stop } from "../diagnostics/stop.ts";
import { type MigrationPlan, planMigration, unaccepted, unknownIds } from "./plan.ts";
import { unrecordedProblem } from "./problems/history-problems.ts";
import { renameProblem } from "./problems/rename-problem.ts";
import { refusedProblem, unknownStepsProblem } from "./problems/step-problems.ts";
import type { History } from "./read-history.ts";
import { refusals } from "./refusals.ts";
import { lookAlikes } from "./rename-candidates.ts";

/** The migration of a run. */
export interface PlannedChanges {
  readonly plan: MigrationPlan;
  /** Ids of destructive steps that were accepted now, or in a migration that is derived anew. */
  readonly accepted: readonly string[];
}

/** The migration to what the models need. Stops where none leads there, and where a change may be a new name. */
export function planChanges(
  definition: ServiceDefinition,
  history: History,
  sources: Sources,
  flags: CommandFlags,
): PlannedChanges {
  const refused = refusals(history.snapshot.tables, definition);
  const { unrecorded } = history;
  const foreign = new Stop(1, { problems: [unrecordedProblem(unrecorded, flags)] });
  if (refused.length > 0)
    throw unrecorded.length > 0 ? foreign : new Stop(1, { problems: [refusedProblem(refused)] });
  const plan = planMigration(definition, history.snapshot, history.names, history.rebased?.renames);
  // One that came with a merge came with its models.
  if (unrecorded.length > 0 && plan.migration !== null) throw foreign;
  const unknown = unknownIds(plan, flags.accepted);
  if (unknown.length > 0)
    throw new Stop(2, { problems: [unknownStepsProblem(unknown, unaccepted(plan, []))] });
  const accepted = [...flags.accepted, ...(history.rebased?.accepted ?? [])];
  const alike = lookAlikes(plan, accepted);
  if (alike.length > 0)
    throw new Stop(1, { problems: [renameProblem(alike, { definition, sources, flags })] });
  return { plan, accepted };
}

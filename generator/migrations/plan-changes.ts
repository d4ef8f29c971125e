import { sqlStepId } from "../../vocabulary/sql-migration.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import type { CommandFlags } from "../diagnostics/command.ts";
import type { Sources } from "../diagnostics/index.ts";
import { Stop } from "../diagnostics/stop.ts";
import type { OwnMigration } from "../load/read-own-migration.ts";
import { type Placement, placeOwn } from "./place-own.ts";
import { type MigrationPlan, type OwnLink, planMigration, unaccepted, unknownIds } from "./plan.ts";
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

/** What there is of migrations. */
interface Existing {
  readonly history: History;
  readonly ownMigrations: readonly OwnMigration[];
}

/** The migration to what the models need. Stops where none leads there, and where a change may be a new name. */
export function planChanges(
  definition: ServiceDefinition,
  { history, ownMigrations }: Existing,
  sources: Sources,
  flags: CommandFlags,
): PlannedChanges {
  const refused = refusals(history.snapshot.tables, definition);
  const { unrecorded } = history;
  const foreign = new Stop(1, { problems: [unrecordedProblem(unrecorded, flags)] });
  if (refused.length > 0)
    throw unrecorded.length > 0 ? foreign : new Stop(1, { problems: [refusedProblem(refused)] });
  const accepted = [...flags.accepted, ...(history.rebased?.accepted ?? [])];
  const placement = placeOwn(ownMigrations, history, flags);
  const names = [...history.names, ...placement.before.map(({ name }) => name)];
  const planned = planMigration(definition, history.snapshot, names, history.rebased?.renames);
  const plan = withOwn(planned, placement, { history, ownMigrations }, accepted);
  // One that came with a merge came with its models.
  if (unrecorded.length > 0 && plan.migration !== null) throw foreign;
  const unknown = unknownIds(plan, flags.accepted);
  if (unknown.length > 0)
    throw new Stop(2, { problems: [unknownStepsProblem(unknown, unaccepted(plan, []))] });
  const alike = lookAlikes(plan, accepted);
  if (alike.length > 0)
    throw new Stop(1, { problems: [renameProblem(alike, { definition, sources, flags })] });
  return { plan, accepted };
}

/** The plan with all migrations of own SQL, each after the one that it follows. */
function withOwn(
  plan: MigrationPlan,
  { after }: Placement,
  { history, ownMigrations }: Existing,
  accepted: readonly string[],
): MigrationPlan {
  const names = [...plan.history, ...after.map(({ name }) => name)];
  const files = new Map(ownMigrations.map((migration) => [migration.name, migration]));
  const own = names.flatMap((name, index): OwnLink[] => {
    const migration = files.get(name);
    if (migration === undefined) return [];
    const link = history.links.get(name);
    const isAccepted =
      history.names.length === 0 || link?.accepted === true || accepted.includes(sqlStepId(name));
    return [
      {
        name,
        parent: names[index - 1] ?? null,
        file: migration.file,
        class: migration.class,
        accepted: isAccepted,
        isNew: link === undefined,
      },
    ];
  });
  return { ...plan, own, after: { ...plan.after, migration: names.at(-1) ?? null }, history: names };
}

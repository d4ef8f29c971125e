import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import { sqlStepId } from "../../vocabulary/migrations/sql-migration.ts";
import type { ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import type { CommandFlags } from "../diagnostics/command.ts";
import type { Sources } from "../diagnostics/index.ts";
import { Stop } from "../diagnostics/stop.ts";
import type { CustomMigration } from "../load/read-custom-migrations.ts";
import { type Placement, placeCustomMigrations } from "./place-custom-migrations.ts";
import { type CustomLink, type MigrationPlan, planMigration, unaccepted, unknownIds } from "./plan.ts";
import { enumRefusals } from "./problems/enum-refusals.ts";
import { unrecordedProblem } from "./problems/history-problems.ts";
import { renameProblem } from "./problems/rename-problem.ts";
import { refusedProblem, unknownStepsProblem } from "./problems/step-problems.ts";
import type { History } from "./read-history.ts";
import { renameCandidates } from "./rename-candidates.ts";
import { declaredRenames } from "./renames.ts";
import type { Table } from "./schema.ts";
import { tableNameOf } from "./snapshot.ts";

/** The migration of a run. */
export interface PlannedChanges {
  readonly plan: MigrationPlan;
  /** Ids of destructive steps that are accepted by this run or by a migration that is derived again. */
  readonly accepted: readonly string[];
}

/** The existing migrations. */
interface Existing {
  readonly history: History;
  readonly customMigrations: readonly CustomMigration[];
}

/** Plans the migration to the current models. Throws a Stop if no migration is possible, or if a change could be a rename. */
export function planChanges(
  definition: ServiceDefinition,
  { history, customMigrations }: Existing,
  sources: Sources,
  flags: CommandFlags,
): PlannedChanges {
  const { tables } = history.snapshot;
  const refused = [...refusals(tables, definition), ...enumRefusals(tables, definition, sources)];
  const { unrecorded } = history;
  const foreign = new Stop(1, { problems: [unrecordedProblem(unrecorded, flags)] });
  if (refused.length > 0)
    throw unrecorded.length > 0 ? foreign : new Stop(1, { problems: [refusedProblem(refused)] });
  const accepted = [...flags.accepted, ...(history.rebased?.accepted ?? [])];
  const placement = placeCustomMigrations(customMigrations, history, flags);
  const names = [...history.names, ...placement.before.map(({ name }) => name)];
  const planned = planMigration(definition, history.snapshot, names, history.rebased?.renames);
  const plan = withCustomMigrations(planned, placement, { history, customMigrations }, accepted);
  // A migration from a merge came with its models, so nothing is left to plan.
  if (unrecorded.length > 0 && plan.migration !== null) throw foreign;
  const unknown = unknownIds(plan, flags.accepted);
  if (unknown.length > 0)
    throw new Stop(2, { problems: [unknownStepsProblem(unknown, unaccepted(plan, []))] });
  const alike = renameCandidates(plan, accepted);
  if (alike.length > 0)
    throw new Stop(1, { problems: [renameProblem(alike, { definition, sources, flags })] });
  return { plan, accepted };
}

/** The plan with all links to custom SQL, in the order of the chain. */
function withCustomMigrations(
  plan: MigrationPlan,
  { after }: Placement,
  { history, customMigrations }: Existing,
  accepted: readonly string[],
): MigrationPlan {
  const names = [...plan.history, ...after.map(({ name }) => name)];
  const files = new Map(customMigrations.map((migration) => [migration.name, migration]));
  const customLinks = names.flatMap((name, index): CustomLink[] => {
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
  return { ...plan, customLinks, after: { ...plan.after, migration: names.at(-1) ?? null }, history: names };
}

/**
 * Changes that one migration cannot make, or that are ambiguous, in words for the user. Each text says how to do it in several
 * runs.
 */
export function refusals(before: readonly Table[], definition: ServiceDefinition): string[] {
  const renames = new Map(declaredRenames(before, definition).map(({ from, to }) => [to, from]));
  const keys = new Set(definition.models.map(({ key }) => key));
  return definition.models
    .filter(({ view }) => !view)
    .flatMap((model) => {
      const own = before.find((table) => table.model === model.key);
      const former = before.find((table) => table.model === model.renamedFrom && !keys.has(table.model));
      if (own !== undefined && former !== undefined) return [twoHolders("model", model.key, former.model)];
      const table = own ?? former;
      if (table === undefined) return [];
      const name = tableNameOf(model);
      if (table.name !== name && renames.get(name) !== table.name)
        return [takenTable(model.key, name, table.name)];
      return fieldRefusals(model, table);
    });
}

function fieldRefusals({ key, fields }: ModelDefinition, table: Table): string[] {
  const held = new Set(table.columns.map(({ name }) => name));
  const names = new Set(fields.map(({ name }) => name));
  return fields.flatMap(({ name, column, renamedFrom }) =>
    renamedFrom !== null && column === name && bothHeld(name, renamedFrom, held) && !names.has(renamedFrom)
      ? [twoHolders("field", `${key}.${name}`, renamedFrom)]
      : [],
  );
}

/** A runtime column exists again after a field has replaced the former one. */
function bothHeld(name: string, former: string, held: ReadonlySet<string>): boolean {
  return held.has(name) && held.has(former) && !isRuntimeColumn(former);
}

function twoHolders(what: "model" | "field", name: string, former: string): string {
  return (
    `${what} ${name} has renamed_from "${former}", but the database has both. To replace the data of ${name}: ` +
    `remove the ${what} ${name}, generate, then rename "${former}". To drop "${former}": remove renamed_from`
  );
}

function takenTable(key: string, table: string, former: string): string {
  return (
    `the table "${former}" of model ${key} cannot be called "${table}" while another table has that name: ` +
    `drop or rename that table in an earlier run, or use a third name in between`
  );
}

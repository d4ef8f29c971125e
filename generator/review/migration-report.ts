import { sqlStepId } from "../../vocabulary/migrations/sql-migration.ts";
import { acceptedIn, breakingOlderIn, isLink, wideningIn } from "../migrations/migration-header.ts";
import { type CustomLink, type MigrationPlan, planMigration } from "../migrations/plan.ts";
import { plannedChange } from "../migrations/planned-change.ts";
import type { PlannedChange, StepClass } from "../migrations/schema.ts";
import type { FormerState } from "./baselines.ts";
import type { ReadMigration } from "./branch-diff.ts";
import type { ReviewedRun } from "./reviewed-run.ts";

/** A migration and its steps. */
export interface MigrationReport {
  readonly name: string;
  readonly steps: readonly StepReport[];
}

/** A step of a migration. `--accept` takes its id. */
export interface StepReport {
  readonly id: string;
  readonly class: StepClass;
  /** The effect on existing rows; null if it has no effect to report. */
  readonly why: string | null;
  /** Whether running instances with older code fail after the step. */
  readonly breaksOlder: boolean;
}

/** The migrations since a former state. The migration that this run adds comes last. */
export function migrationReports(
  { definition, plan, history }: ReviewedRun,
  { base, snapshot }: FormerState,
  since: readonly ReadMigration[],
): MigrationReport[] {
  const planned = plan.history.slice(history.names.length).flatMap((name) => plannedReport(name, plan) ?? []);
  if (base === null) return planned;
  // The changes from that state to the models say what a step does to data.
  const known = planMigration(definition, snapshot, []).migration?.changes ?? [];
  const whys = new Map(known.map((entry) => [entry.id, entry.why ?? null]));
  return [...since.map((entry) => reportOfFile(entry, whys)), ...planned];
}

function plannedReport(name: string, { migration, customLinks }: MigrationPlan): MigrationReport | null {
  if (migration?.name === name) return { name, steps: migration.changes.map(stepReport) };
  const link = customLinks.find((other) => other.name === name);
  return link === undefined ? null : { name, steps: [customReport(link)] };
}

function customReport({ name, class: kind }: Pick<CustomLink, "name" | "class">): StepReport {
  return {
    id: sqlStepId(name),
    class: kind === "destructive" ? kind : "additive",
    why: null,
    breaksOlder: kind === "breaks-older-code",
  };
}

/** The classes of the steps are in the header of the migration. */
function reportOfFile(
  { name, text, steps }: ReadMigration,
  whys: ReadonlyMap<string, string | null>,
): MigrationReport {
  const [destructive, widening] = [new Set(acceptedIn(text)), new Set(wideningIn(text))];
  const breaking = new Set(breakingOlderIn(text));
  const own = sqlStepId(name);
  if (isLink(text)) {
    const older = breaking.has(own) ? "breaks-older-code" : "additive";
    return { name, steps: [customReport({ name, class: destructive.has(own) ? "destructive" : older })] };
  }
  return {
    name,
    steps: steps.map((step): StepReport => {
      const { id, breaksOlder = breaking.has(id) } = plannedChange(step, "additive");
      const kind = destructive.has(id) ? "destructive" : widening.has(id) ? "widening" : "additive";
      return { id, class: kind, why: whys.get(id) ?? null, breaksOlder };
    }),
  };
}

function stepReport({ id, class: kind, why, breaksOlder }: PlannedChange): StepReport {
  return { id, class: kind, why: why ?? null, breaksOlder: breaksOlder === true };
}

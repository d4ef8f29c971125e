import { didYouMean } from "../../../vocabulary/nearest.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import { olderInstances } from "../consequences.ts";
import type { PlannedMigration } from "../plan.ts";
import type { PlannedChange } from "../schema.ts";

/** Changes that no migration can make; each reason says how to get there in several runs. */
export function refusedProblem(reasons: readonly string[]): StopProblem {
  return {
    kind: "refused",
    message: "the models changed in a way that no migration can follow",
    details: reasons.map((reason) => `  ${reason}\n`).join(""),
    fix: "take the change back, and make it in the steps above",
  };
}

/** Ids after `--accept-destructive` that no step of the run has; `steps` are those that could be accepted. */
export function unknownStepsProblem(ids: readonly string[], steps: readonly PlannedChange[]): StopProblem {
  const known = steps.map(({ id }) => id);
  const lines = ids.map((id) => [`no step of this run is called ${id}`, didYouMean(id, known) ?? []].flat());
  return {
    kind: "unknown-step",
    message: lines.map((line) => line.join("; ")).join("\n"),
    details: steps.map(stepLines).join(""),
    fix:
      known.length === 0
        ? "leave --accept-destructive out, this run loses no data"
        : "accept one of the steps above by its id",
  };
}

/** Steps that lose data, or fail on it, and that no one has accepted. */
export function destructiveProblem(
  steps: readonly PlannedChange[],
  { name, parent }: PlannedMigration,
  command: string,
): StopProblem {
  const after = isRenaming(parent)
    ? `  The statements above run once ${parent} is applied (npm run migrate): it gives tables their names.\n`
    : "";
  return {
    kind: "destructive",
    message: `migration ${name} would lose data, or fail on rows that are there`,
    details: `${steps.map(stepLines).join("")}${after}`,
    fix: command,
  };
}

/** Whether the last migration only gives other names, as the one of `introspect` that no database has yet. */
function isRenaming(parent: string | null): boolean {
  return parent !== null && /^\d+_rename_/.test(parent);
}

/** What a step does to data, and the runs that get there without a loss. */
function stepLines({
  id,
  why = "fails on rows that hold other values",
  safely = [],
  rewrites,
  breaksOlder,
}: PlannedChange): string {
  const lock = rewrites === true ? "; rewrites the whole table, and locks it meanwhile" : "";
  const older = breaksOlder === true ? `; ${olderInstances}` : "";
  const runs = safely.map((run, index) => `    ${index + 1}. ${run}\n`);
  return `  ${id}: ${why}${lock}${older}\n${runs.length === 0 ? "" : `    safely:\n${runs.join("")}`}`;
}

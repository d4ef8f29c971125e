import { didYouMean } from "../../../vocabulary/nearest.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import { olderInstances } from "../consequences.ts";
import type { PlannedMigration } from "../plan.ts";
import type { PlannedChange } from "../schema.ts";

/** Reports changes that one migration cannot make. Each reason says how to do it in several runs. */
export function refusedProblem(reasons: readonly string[]): StopProblem {
  return {
    kind: "refused",
    message: "one migration cannot make these changes of the models",
    details: reasons.map((reason) => `  ${reason}\n`).join(""),
    fix: "revert the change, and make it in the steps above",
  };
}

/** Reports ids after `--accept-destructive` without a step. `steps` are the steps that can be accepted. */
export function unknownStepsProblem(ids: readonly string[], steps: readonly PlannedChange[]): StopProblem {
  const known = steps.map(({ id }) => id);
  const lines = ids.map((id) => [`this run has no step ${id}`, didYouMean(id, known) ?? []].flat());
  return {
    kind: "unknown-step",
    message: lines.map((line) => line.join("; ")).join("\n"),
    details: steps.map(stepLines).join(""),
    fix:
      known.length === 0
        ? "remove --accept-destructive: this run loses no data"
        : "accept one of the steps above by its id",
  };
}

/** Reports destructive steps that are not accepted. */
export function destructiveProblem(
  steps: readonly PlannedChange[],
  { name, parent }: PlannedMigration,
  command: string,
): StopProblem {
  const after = isRenaming(parent)
    ? `  Run the statements above after ${parent} is applied (npm run migrate), which renames their tables.\n`
    : "";
  return {
    kind: "destructive",
    message: `migration ${name} would lose data, or could fail on existing rows`,
    details: `${steps.map(stepLines).join("")}${after}`,
    fix: command,
  };
}

/** Whether the last migration only renames, such as the first one after `introspect`, which no database has yet. */
function isRenaming(parent: string | null): boolean {
  return parent !== null && /^\d+_rename_/.test(parent);
}

/** The effect of a step on data, and runs to the same result without data loss. */
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

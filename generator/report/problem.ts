import { didYouMean } from "../diagnostics/index.ts";
import type { PlannedMigration } from "../migrations/plan.ts";
import type { Change } from "../migrations/schema.ts";
import type { Changes, FileChange } from "../write/changes.ts";
import { unifiedDiff } from "../write/drift.ts";

/** Why a run stops, and what to do about it. */
export interface Problem {
  readonly kind: "history" | "unknown-step" | "destructive" | "edited" | "drift" | "output";
  readonly message: string;
  /** Steps or a unified diff; may be empty. */
  readonly details: string;
  readonly fix: string;
}

/** An output folder that holds other things; `reason` completes "`models` …". */
export function outputProblem(out: string, reason: string): Problem {
  const message = `the output folder ${out === "" ? "." : out} ${reason}, and nothing is written there`;
  return {
    kind: "output",
    message,
    details: "",
    fix: "name a folder of its own with --out, such as generated",
  };
}

/** Migrations that do not hold together. */
export function historyProblem(message: string, out: string): Problem {
  const fix = `restore ${out}/migrations/ from version control, or delete ${out}/ to begin with one initial migration`;
  return { kind: "history", message, details: "", fix };
}

/** Ids after `--accept-destructive` that no step of the run has; `steps` are those that could be accepted. */
export function unknownStepsProblem(ids: readonly string[], steps: readonly Change[]): Problem {
  const known = steps.map(({ id }) => id);
  const lines = ids.map((id) => [`no step of this run is called ${id}`, didYouMean(id, known) ?? []].flat());
  return {
    kind: "unknown-step",
    message: lines.map((line) => line.join("; ")).join("\n"),
    details: steps.map((step) => `  ${step.id}: ${consequence(step)}\n`).join(""),
    fix:
      known.length === 0
        ? "leave --accept-destructive out, this run loses no data"
        : "accept one of the steps above by its id",
  };
}

/** Steps that lose data, or fail on it, and that nobody has accepted. */
export function destructiveProblem(steps: readonly Change[], { name }: PlannedMigration): Problem {
  const flags = steps.map(({ id }) => `--accept-destructive ${shellWord(id)}`);
  return {
    kind: "destructive",
    message: `migration ${name} would lose data, or fail on rows that are there`,
    details: steps.map((step) => `  ${step.id}: ${consequence(step)}\n`).join(""),
    fix: `npm run generate -- ${flags.join(" ")}`,
  };
}

function consequence({ step }: Change): string {
  switch (step.step) {
    case "drop_table":
      return "drops the table with all of its rows; is it a rename? Then say `renamed_from` in the model";
    case "drop_column":
      return "drops the column with all of its values; is it a rename? Then say `renamed_from` in the field";
    case "add_column":
      return "a required column without a default fails on a table that has rows; a default makes it safe";
    case "set_nullable":
      return "fails where the column is null";
    case "set_type":
      return `values that do not fit ${step.type} are cut or make the migration fail`;
    default:
      return "fails on rows that hold other values";
  }
}

/** Generated files that somebody edited. A migration cannot be made again, so there is no diff of it. */
export function editedProblem(edited: readonly FileChange[], out: string): Problem {
  const names = edited.map(({ path }) => `${out}/${path}`);
  const migrations = edited
    .filter(({ before, after }) => before === after)
    .map(({ path }) => `${out}/${path}`);
  const restore = migrations.length === 0 ? "" : `restore ${migrations.join(", ")} from version control, or `;
  return {
    kind: "edited",
    message: `edited by hand, and not overwritten: ${names.join(", ")}`,
    details: unifiedDiff(
      edited.filter(({ before, after }) => before !== after),
      out,
    ),
    fix: `${restore}npm run generate -- --force`,
  };
}

/** Output that is not what the models give. */
export function driftProblem({ written, removed }: Changes, out: string): Problem {
  return {
    kind: "drift",
    message: `${out}/ is not what the models give`,
    details: unifiedDiff([...written, ...removed], out),
    fix: "npm run generate",
  };
}

/** A step id as one word of a shell command. */
function shellWord(id: string): string {
  return /^[A-Za-z0-9_.:-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
}

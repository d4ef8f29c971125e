import { didYouMean } from "../../vocabulary/nearest.ts";
import { olderInstances } from "../migrations/consequences.ts";
import type { PlannedMigration } from "../migrations/plan.ts";
import type { Change } from "../migrations/schema.ts";
import type { Changes, FileChange } from "../output/file-changes.ts";
import { lockFile } from "../output/lock-file.ts";
import { unifiedDiff } from "../output/unified-diff.ts";

/** Why a run stops, and what to do about it. */
export interface Problem {
  readonly kind:
    | "access"
    | "base"
    | "history"
    | "heads"
    | "unknown-migration"
    | "refused"
    | "unknown-step"
    | "rename"
    | "destructive"
    | "edited"
    | "drift"
    | "output"
    | "lint"
    | "file-system"
    | "existing"
    | "database";
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

/** Findings that nobody has silenced. */
export function lintProblem(count: number): Problem {
  const message = count === 1 ? "1 finding in the models" : `${count} findings in the models`;
  const fix = 'correct what they say, or say in "lint_ignore" why it is meant (docs/lint.md)';
  return { kind: "lint", message, details: "", fix };
}

/** A commit that nothing can be compared with. */
export function baseProblem(message: string): Problem {
  return {
    kind: "base",
    message,
    details: "",
    fix: "name a commit with --base whose output folder is committed, such as origin/main",
  };
}

/** Changes that no migration can make; each reason says how to get there in several runs. */
export function refusedProblem(reasons: readonly string[]): Problem {
  return {
    kind: "refused",
    message: "the models changed in a way that no migration can follow",
    details: reasons.map((reason) => `  ${reason}\n`).join(""),
    fix: "take the change back, and make it in the steps above",
  };
}

/** Ids after `--accept-destructive` that no step of the run has; `steps` are those that could be accepted. */
export function unknownStepsProblem(ids: readonly string[], steps: readonly Change[]): Problem {
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

/** Steps that lose data, or fail on it, and that nobody has accepted. */
export function destructiveProblem(
  steps: readonly Change[],
  { name }: PlannedMigration,
  command: string,
): Problem {
  return {
    kind: "destructive",
    message: `migration ${name} would lose data, or fail on rows that are there`,
    details: steps.map(stepLines).join(""),
    fix: command,
  };
}

/** What a step does to data, and the runs that get there without a loss. */
function stepLines({
  id,
  why = "fails on rows that hold other values",
  safely = [],
  rewrites,
  breaksOlder,
}: Change): string {
  const lock = rewrites === true ? "; writes the whole table anew, and nobody can use it meanwhile" : "";
  const older = breaksOlder === true ? `; ${olderInstances}` : "";
  const runs = safely.map((run, index) => `    ${index + 1}. ${run}\n`);
  return `  ${id}: ${why}${lock}${older}\n${runs.length === 0 ? "" : `    safely:\n${runs.join("")}`}`;
}

/** What problems of the output folder tell: its path, whether its lock can be read, and the command that goes on. */
export interface OutputFacts {
  readonly out: string;
  readonly lockReadable: boolean;
  readonly command: string;
}

function aboutLock({ out, lockReadable }: OutputFacts): string {
  return lockReadable ? "" : `${out}/${lockFile} cannot be read: run again to rebuild it\n`;
}

/** Generated files that somebody edited. */
export function editedProblem(edited: readonly FileChange[], facts: OutputFacts): Problem {
  const { out, command } = facts;
  const names = edited.map(({ path }) => `${out}/${path}`);
  return {
    kind: "edited",
    message: `${aboutLock(facts)}edited by hand, and not overwritten: ${names.join(", ")}`,
    details: `what --force would do (- is on disk, + is what the models give):\n${unifiedDiff(edited, out)}`,
    fix: command,
  };
}

/** Output that is not what the models give. */
export function driftProblem({ written, removed }: Changes, facts: OutputFacts): Problem {
  const { out, command } = facts;
  return {
    kind: "drift",
    message: `${aboutLock(facts)}${out}/ is not what the models give`,
    details: unifiedDiff([...written, ...removed], out),
    fix: command,
  };
}

/** Files in the output folder that nobody generated. */
export function unknownFilesProblem(paths: readonly string[], out: string): Problem {
  const names = paths.map((path) => `${out}/${path}`);
  return {
    kind: "drift",
    message: `not made by the generator: ${names.join(", ")}`,
    details: "",
    fix: `move what you need out of ${out}/, and delete the rest`,
  };
}

/** What the file system says, in words; other codes of it are bugs of the generator. */
const fileSystemReasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "it stands on a file system that is read-only",
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "there is no space left for this user",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a file stands where a folder is needed",
  EISDIR: "a folder stands where a file is needed",
  ENOTEMPTY: "a folder stands where a file is needed",
  EBUSY: "another program uses it",
  ELOOP: "its links go in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
};

/** A file that cannot be read or written, or null for another error. */
export function fileSystemProblem(error: unknown): Problem | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  const reason = fileSystemReasons[String(error.code)];
  if (reason === undefined) return null;
  const [path] = ["dest", "path"].flatMap((name) => Reflect.get(error, name) ?? []);
  return {
    kind: "file-system",
    message: `${path ?? "a file"} cannot be read or written: ${reason} (${error.code})`,
    details: "",
    fix: "see to that path, and run again",
  };
}

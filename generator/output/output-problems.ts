import { lockFile } from "../../vocabulary/models-folder.ts";
import type { Problem } from "../diagnostics/problem.ts";
import type { Changes, FileChange } from "./file-changes.ts";
import { unifiedDiff } from "./unified-diff.ts";

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

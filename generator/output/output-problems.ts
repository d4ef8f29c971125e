import { codeFormat, shownFormat } from "../../vocabulary/code-format.ts";
import { lockFile } from "../../vocabulary/models-folder.ts";
import type { Problem } from "../diagnostics/problem.ts";
import { Stop } from "../diagnostics/stop.ts";
import type { Changes, FileChange } from "./file-changes.ts";
import { locksOf, type OutputFolder } from "./output-folder.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What problems of the output folder tell: its path, what it holds, and the command that goes on. */
export interface OutputFacts {
  readonly out: string;
  readonly folder: OutputFolder;
  readonly command: string;
}

function aboutLock({ out, folder: { lock, lockReadable, files } }: OutputFacts): string {
  if (!lockReadable) return `${out}/${lockFile} cannot be read: run again to rebuild it\n`;
  if (!files.has(lockFile) || lock.codeFormat === codeFormat) return "";
  return `${out}/ was made by another kirak (${shownFormat(lock.codeFormat)}, this one writes ${codeFormat})\n`;
}

/** Stops where a newer generator has been: this one does not know what it would take back. */
export function requireKnownFormat({ out, folder, command }: OutputFacts): void {
  const newest = Math.max(...locksOf(folder).map((lock) => lock.codeFormat));
  if (newest <= codeFormat) return;
  const problem: Problem = {
    kind: "output",
    message: `${out}/ was made by a newer kirak (${shownFormat(newest)}, this one writes ${codeFormat}), and nothing is written there`,
    details: "",
    fix: `install the version that made it, such as npm install kirak@latest; or, to go back to this one, ${command}`,
  };
  throw new Stop(2, { problems: [problem] });
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

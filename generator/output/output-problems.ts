import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { codeFormat, shownFormat } from "../../vocabulary/code-format.ts";
import { lockFile } from "../../vocabulary/models-folder.ts";
import { Stop, type StopProblem } from "../diagnostics/stop.ts";
import { type Changes, type FileChange, unifiedDiff } from "./file-changes.ts";
import { parsedJson } from "./lock-file.ts";
import { locksOf, type OutputFolder } from "./output-folder.ts";

/** The project, and the output folder relative to it. */
interface OutputPlace {
  readonly root: string;
  readonly out: string;
}

/** Folders of the project with another purpose. Folders below `test` can hold output of fixtures. */
const taken = ["vocabulary", "runtime", "generator", "templates", "schemas", "scripts", "test", "docs"];

/** Folders that cannot hold output, at any depth. */
const foreign = ["node_modules", ".git"];

/** Throws a Stop if a folder cannot hold the output. Paths are relative to the project. */
export function requireOutput(place: OutputPlace, inputs: readonly string[]): void {
  const reason = refusedOutput(place, inputs);
  if (reason !== null) throw new Stop(2, { problems: [outputProblem(place.out, reason)] });
}

/**
 * Why a folder cannot hold the output: it is or contains the project, an input or a folder of the repository. Null if it can. Paths
 * are relative to the project.
 */
export function refusedOutput({ root, out }: OutputPlace, inputs: readonly string[]): string | null {
  const folder = posix.normalize(out).replace(/\/$/, "");
  const contains = (path: string) => path === folder || path.startsWith(`${folder}/`);
  if (folder === "." || /^\.\.(\/\.\.)*$/.test(folder)) return "is the project, or contains it";
  if (folder.split("/").some((name) => foreign.includes(name))) return "belongs to another tool";
  if (taken.some(contains)) return "is a folder of the project";
  if (folder.startsWith("../") && !isModule(resolve(root, folder)))
    return "is neither in the project nor in a package of type module, as its code must be";
  const input = inputs.find((path) => contains(path) || isHooks(folder, path));
  return input === undefined ? null : `contains ${contains(input) ? input : `hooks next to ${input}`}`;
}

/** Whether the package that a folder belongs to holds ES modules. */
function isModule(folder: string): boolean {
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) {
    const data: unknown = parsedJson(readFileSync(manifest, "utf8"));
    return typeof data === "object" && data !== null && "type" in data && data.type === "module";
  }
  return dirname(folder) !== folder && isModule(dirname(folder));
}

function isHooks(folder: string, input: string): boolean {
  const hooks = posix.join(posix.dirname(input), "hooks");
  return folder === hooks || folder.startsWith(`${hooks}/`);
}

/** An output folder that holds other things; `reason` completes "`models` …". */
function outputProblem(out: string, reason: string): StopProblem {
  const message = `the output folder ${out === "" ? "." : out} ${reason}, and nothing is written there`;
  return {
    kind: "output",
    message,
    details: "",
    fix: "choose a separate folder with --out, such as generated",
  };
}

/** Facts for problems of the output folder: its path, its content, and the command to continue. */
export interface OutputFacts {
  readonly out: string;
  readonly folder: OutputFolder;
  readonly command: string;
}

function aboutLock({ out, folder: { lock, lockReadable, files } }: OutputFacts): string {
  if (!lockReadable) return `${out}/${lockFile} cannot be read: run again to rebuild it\n`;
  if (!files.has(lockFile) || lock.codeFormat === codeFormat) return "";
  return `${out}/ was made by another version of kirak (${shownFormat(lock.codeFormat)}, this one writes ${codeFormat})\n`;
}

/** Throws a Stop if a newer generator wrote the output: this version could revert its changes. */
export function requireKnownFormat({ out, folder, command }: OutputFacts): void {
  const newest = Math.max(...locksOf(folder).map((lock) => lock.codeFormat));
  if (newest <= codeFormat) return;
  const problem: StopProblem = {
    kind: "output",
    message: `${out}/ was made by a newer version of kirak (${shownFormat(newest)}, this one writes ${codeFormat}), and nothing is written there`,
    details: "",
    fix: `install the version that made it, such as npm install kirak@latest; or, to go back to this one, ${command}`,
  };
  throw new Stop(2, { problems: [problem] });
}

/** Reports edited generated files. */
export function editedProblem(edited: readonly FileChange[], facts: OutputFacts): StopProblem {
  const { out, command } = facts;
  const names = edited.map(({ path }) => `${out}/${path}`);
  return {
    kind: "edited",
    message: `${aboutLock(facts)}edited by hand, and not overwritten: ${names.join(", ")}`,
    details: `what --force would do (- is on disk, + is what the generator writes):\n${unifiedDiff(edited, out)}`,
    fix: command,
  };
}

/** Reports outdated output. */
export function driftProblem({ written, removed }: Changes, facts: OutputFacts): StopProblem {
  const { out, command } = facts;
  return {
    kind: "drift",
    message: `${aboutLock(facts)}${out}/ does not match the models`,
    details: unifiedDiff([...written, ...removed], out),
    fix: command,
  };
}

/** Reports files in the output folder that were not generated. */
export function unknownFilesProblem(paths: readonly string[], out: string): StopProblem {
  const names = paths.map((path) => `${out}/${path}`);
  return {
    kind: "drift",
    message: `not made by the generator: ${names.join(", ")}`,
    details: "",
    fix: `move what you need out of ${out}/, and delete the rest`,
  };
}

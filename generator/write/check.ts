import { GeneratorBug } from "../bug.ts";
import type { Diagnostic, Sources } from "../diagnostics/index.ts";
import { type CheckedFiles, readCheckedFiles, sourcesIn, surroundingsOf } from "./checked-files.ts";
import { checksum } from "./checksum.ts";
import { type CompileError, compileErrors } from "./compile-check.ts";
import { hookDiagnostic } from "./hook-errors.ts";

/** Folder of what users write: hooks, and modules that hooks import. */
const usersFolder = "models";

export interface CheckInput {
  readonly root: string;
  /** Output folder, relative to the project. */
  readonly out: string;
  /** Final texts by path relative to the output folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that will go. */
  readonly removed: readonly string[];
}

export interface CheckResult {
  /** Errors in the user's hook files. */
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  /** What to remember when the run succeeds. */
  readonly checked: CheckedFiles;
}

/**
 * Compiles what changed since the last successful check: generated files, and all of the user's modules as soon as
 * one of them, or a type that they can import, is another one. An error in generated text throws: it is our bug.
 */
export async function check(input: CheckInput): Promise<CheckResult> {
  const { root, out, texts, removed } = input;
  const users = sourcesIn(root, usersFolder);
  const generated = [...texts].flatMap(([path, text]) =>
    path.endsWith(".ts") ? [[`${out}/${path}`, text] as const] : [],
  );
  const checked: CheckedFiles = {
    surroundings: surroundingsOf(root, out),
    files: new Map([...generated, ...users].map(([path, text]) => [path, checksum(text)])),
  };
  const sources = new Map(users);
  const passed = readCheckedFiles(root);
  const differs = ([path]: readonly [string, string]) =>
    passed.surroundings !== checked.surroundings || passed.files.get(path) !== checked.files.get(path);
  const changed = generated.filter(differs);
  if (changed.length === 0 && removed.length === 0 && !users.some(differs))
    return { diagnostics: [], sources, checked };
  const gone = removed
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [`${out}/${path}`, null] as const);
  const errors = await compileErrors({
    root,
    overlay: new Map<string, string | null>([...changed, ...gone]),
    further: users.map(([path]) => path),
  });
  return { diagnostics: usersErrors(errors, sources, new Map(generated)), sources, checked };
}

/** Splits errors by whose they are: the user's are returned, and where there are none, ours are thrown. */
function usersErrors(errors: readonly CompileError[], sources: Sources, generated: Sources): Diagnostic[] {
  const found = errors.map((error) => hookDiagnostic(error, sources, generated));
  const diagnostics = found.flatMap((diagnostic) => diagnostic ?? []);
  const ours = errors.filter((_, index) => found[index] === null);
  if (diagnostics.length > 0 || ours.length === 0) return diagnostics;
  const lines = ours
    .slice(0, 10)
    .map(({ file, line, column, message }) => `${file}:${line}:${column} - ${message}`);
  const more = ours.length > 10 ? `\n… and ${ours.length - 10} more` : "";
  throw new GeneratorBug(`generated code does not compile:\n${lines.join("\n")}${more}`);
}

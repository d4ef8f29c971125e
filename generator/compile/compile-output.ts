import { posix } from "node:path";
import type { ServiceDefinition } from "../definition/definition.ts";
import { GeneratorBug } from "../diagnostics/bug.ts";
import type { Diagnostic, Sources } from "../diagnostics/index.ts";
import { checksum } from "../output/checksum.ts";
import { type EmittedFile, emittedSum } from "../output/emitted-file.ts";
import { currentText, type OutputFolder } from "../output/output-folder.ts";
import { appPath } from "../output/output-paths.ts";
import {
  absentSince,
  type CheckedFiles,
  filesAmong,
  passedIn,
  sumsOf,
  surroundingsOf,
} from "./checked-files.ts";
import { type Compiled, compile } from "./compile-check.ts";
import { misplacedFills } from "./exported-fills.ts";
import { hookDiagnostic } from "./hook-errors.ts";
import { importsByPath } from "./kirak-imports.ts";
import { followsFrom, unknownHooks } from "./unknown-hooks.ts";
import { compiledSources, usersSources } from "./users-files.ts";

export interface CompiledOutput {
  /** Errors in the user's hook files. */
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  /** What to remember when the run succeeds; null where nothing was looked at. */
  readonly checked: CheckedFiles | null;
}

/** Where the inputs and the output are: `root`, and paths relative to it. */
export interface CompileOptions {
  readonly root: string;
  readonly models: string;
  readonly out: string;
  /** False leaves it out. */
  readonly compile: boolean;
}

/**
 * Compiles what changed since the last successful check: generated files with those that import them, and all of the
 * user's modules, with the routes that tie hooks to their types, as soon as anything is another one; what tells the types
 * of the runtime which app it is, each time. An error in
 * generated text throws: it is our bug.
 */
export async function compileOutput(
  emitted: readonly EmittedFile[],
  definition: ServiceDefinition,
  folder: OutputFolder,
  options: CompileOptions,
): Promise<CompiledOutput> {
  const { root, models, out } = options;
  if (!options.compile) return { diagnostics: [], sources: new Map(), checked: null };
  const hooks = runHooks(definition);
  const sources = new Map(usersSources(root, models, out));
  const byPath = importsByPath(root, sources);
  if (byPath.length > 0) return { diagnostics: byPath, sources, checked: null };
  const modules = emitted.filter(isTypeScript);
  const generated = new Map(modules.map(({ path, text }) => [`${out}/${path}`, text]));
  const surroundings = surroundingsOf(root, out);
  const passed = passedIn(root, surroundings);
  const files = new Map([
    ...modules.map((file) => [`${out}/${file.path}`, emittedSum(file)] as const),
    ...[...sources].map(([path, text]) => [path, checksum(text)] as const),
  ]);
  const changed = changedSince(passed, files, `${out}/migrations/`);
  if (changed.size === 0) return { diagnostics: [], sources, checked: { ...passed, files } };
  const overlay = modules
    .filter(
      (file) =>
        file.path === appPath ||
        changed.has(`${out}/${file.path}`) ||
        currentText(file, folder) === null ||
        dependsOn(`${out}/${file.path}`, file.text, changed, sources),
    )
    .map(({ path, text }) => [`${out}/${path}`, text] as const);
  const gone = staleModules(folder, emitted).map((path) => [`${out}/${path}`, null] as const);
  const startedAt = Date.now();
  const compiled = await compile({
    root,
    overlay: new Map<string, string | null>([...overlay, ...gone]),
    further: compiledSources(sources, models, hooks),
    known: sources,
    modules: hooks,
  });
  return {
    diagnostics: usersErrors(compiled, sources, generated),
    sources,
    checked: { surroundings, files, ...reachedBy(compiled, passed, { root, files, startedAt }) },
  };
}

/** What a check hangs on beside its files: what this one asked for, and earlier ones whose files have not changed. */
function reachedBy(
  { reached: { read, sought } }: Compiled,
  passed: CheckedFiles,
  { root, files, startedAt }: Checking,
): Pick<CheckedFiles, "reached" | "absent"> {
  // What it finds it need not read: some files only have to be there.
  const found = [...new Set([...read, ...filesAmong(root, sought)])].filter((path) => !files.has(path));
  return {
    reached: new Map([...passed.reached, ...sumsOf(root, found, startedAt)]),
    absent: [...new Set([...passed.absent, ...absentSince(root, sought, startedAt)])],
  };
}

/** A check that is under way. */
interface Checking extends Pick<CompileOptions, "root"> {
  readonly files: ReadonlyMap<string, string>;
  /** What was saved since, nobody knows the text of that was looked at. */
  readonly startedAt: number;
}

/** The hook files that run: those of internal models do not, but for the accounts, which have routes of another kind. */
function runHooks({ models, graphqlHooks }: ServiceDefinition): Set<string> {
  const run = models.filter(({ internal, builtIn }) => !internal || builtIn);
  return new Set([...run.map(({ hooks }) => hooks), graphqlHooks].flatMap((hooks) => hooks?.file ?? []));
}

function isTypeScript({ path }: EmittedFile): boolean {
  return path.endsWith(".ts");
}

/** Whether a file imports a changed one, or any module of the user's: the types of those may come from anywhere. */
function dependsOn(file: string, text: string, changed: ReadonlySet<string>, users: Sources): boolean {
  return [...text.matchAll(/^import .* from "(\.[^"]+)";$/gm)].some(([, specifier = ""]) => {
    const target = posix.join(posix.dirname(file), specifier);
    return changed.has(target) || users.has(target);
  });
}

/** Paths that have another text than at the last check, or are gone. Migrations are emitted once, and stay. */
function changedSince(
  passed: CheckedFiles,
  now: ReadonlyMap<string, string>,
  migrations: string,
): Set<string> {
  const changed = [...now].filter(([path, sum]) => passed.files.get(path) !== sum);
  const gone = [...passed.files].filter(([path]) => !now.has(path) && !path.startsWith(migrations));
  return new Set([...changed, ...gone].map(([path]) => path));
}

/** Modules of models that are on disk and will go; migrations are never imported by users and stay. */
function staleModules({ files }: OutputFolder, emitted: readonly EmittedFile[]): string[] {
  const wanted = new Set(emitted.map(({ path }) => path));
  return [...files.keys()].filter((path) => /^models\/.*\.ts$/.test(path) && !wanted.has(path));
}

/** Splits errors by whose they are: the user's are returned, and where there are none, ours are thrown. */
function usersErrors(compiled: Compiled, sources: Sources, generated: Sources): Diagnostic[] {
  const { errors } = compiled;
  const unknown = unknownHooks(compiled);
  const found = errors.map((error) => hookDiagnostic(error, sources, generated));
  const others = found.flatMap((diagnostic) => diagnostic ?? []);
  const misplaced = misplacedFills(compiled, sources);
  const diagnostics = [...unknown, ...misplaced, ...others.filter((other) => !followsFrom(other, unknown))];
  const ours = errors.filter((_, index) => found[index] === null);
  if (diagnostics.length > 0 || ours.length === 0) return diagnostics;
  const lines = ours
    .slice(0, 10)
    .map(({ file, line, column, message }) => `${file}:${line}:${column} - ${message}`);
  const more = ours.length > 10 ? `\n… and ${ours.length - 10} more` : "";
  throw new GeneratorBug(`generated code does not compile:\n${lines.join("\n")}${more}`);
}

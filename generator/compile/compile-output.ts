import { unreadableFills } from "../check/check-app-files.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import {
  catalogue,
  createLocator,
  type Diagnostic,
  type DiagnosticCode,
  type Location,
  type Sources,
} from "../diagnostics/index.ts";
import { GeneratorBug } from "../diagnostics/stop.ts";
import { readFills } from "../load/read-fills.ts";
import type { EmittedFile } from "../output/output-files.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import { type Compiled, compile } from "./compile-check.ts";
import { hookDiagnostic } from "./hook-errors.ts";
import { importsByPath } from "./kirak-imports.ts";
import { isCausedByUnknownHook, isFillsExport, unknownHooks } from "./unknown-hooks.ts";
import { compiledSources, usersSources } from "./users-files.ts";

export interface CompiledOutput {
  /** Errors in the user's hook files. */
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

/** The paths of inputs and output, relative to `root`. */
export interface CompileOptions {
  readonly root: string;
  readonly models: string;
  readonly out: string;
  /** False skips the compile check. */
  readonly compile: boolean;
}

/**
 * Type-checks all generated modules together with the app's code. Returns errors in the app's code. Throws a GeneratorBug if only
 * generated code has errors.
 */
export async function compileOutput(
  emitted: readonly EmittedFile[],
  definition: ServiceDefinition,
  folder: OutputFolder,
  options: CompileOptions,
): Promise<CompiledOutput> {
  const { root, models, out } = options;
  if (!options.compile) return { diagnostics: [], sources: new Map() };
  const hooks = runHooks(definition);
  const sources = new Map(usersSources(root, models, out));
  const byPath = importsByPath(root, sources);
  if (byPath.length > 0) return { diagnostics: byPath, sources };
  const modules = emitted.filter(({ path }) => path.endsWith(".ts"));
  const generated = new Map(modules.map(({ path, text }) => [`${out}/${path}`, text]));
  const gone = staleModules(folder, emitted).map((path) => [`${out}/${path}`, null] as const);
  const compiled = await compile({
    root,
    overlay: new Map<string, string | null>([...generated, ...gone]),
    further: compiledSources(sources, models, hooks),
    known: sources,
    modules: hooks,
  });
  return { diagnostics: usersErrors(compiled, sources, generated), sources };
}

/** The hook files that run. Internal models have no routes that run hooks, except for the accounts. */
function runHooks({ models, graphqlHooks }: ServiceDefinition): Set<string> {
  const run = models.filter(({ internal, builtIn }) => !internal || builtIn);
  return new Set([...run.map(({ hooks }) => hooks), graphqlHooks].flatMap((hooks) => hooks?.file ?? []));
}

/** Modules of models on disk that the run will remove. Migrations stay. */
function staleModules({ files }: OutputFolder, emitted: readonly EmittedFile[]): string[] {
  const wanted = new Set(emitted.map(({ path }) => path));
  return [...files.keys()].filter((path) => /^models\/.*\.ts$/.test(path) && !wanted.has(path));
}

/** Returns the errors in the app's code. If it has none, throws for errors in generated code. */
function usersErrors(compiled: Compiled, sources: Sources, generated: Sources): Diagnostic[] {
  const { errors } = compiled;
  const unknown = unknownHooks(compiled);
  const found = errors.map((error) => hookDiagnostic(error, sources, generated));
  const others = found.flatMap((diagnostic) => diagnostic ?? []);
  const misplaced = misplacedFills(compiled, sources);
  const diagnostics = [
    ...unknown,
    ...misplaced,
    ...others.filter((other) => !isCausedByUnknownHook(other, unknown)),
  ];
  const ours = errors.filter((_, index) => found[index] === null);
  if (diagnostics.length > 0 || ours.length === 0) return diagnostics;
  const lines = ours
    .slice(0, 10)
    .map(({ file, line, column, message }) => `${file}:${line}:${column} - ${message}`);
  const more = ours.length > 10 ? `\n… and ${ours.length - 10} more` : "";
  throw new GeneratorBug(`generated code does not compile:\n${lines.join("\n")}${more}`);
}

/** Reports a `fills` that only the compiler can read, and lists for hooks that the file does not export. */
function misplacedFills({ exports }: Compiled, sources: Sources): Diagnostic[] {
  return [...exports].flatMap(([file, values]) => {
    const fills = values.find(({ name }) => isFillsExport(name, file));
    if (fills === undefined) return [];
    const { name: _, ...place } = fills;
    const read = readFills(file, sources.get(file) ?? "");
    if (read === null)
      return [problem("unreadable-fills", { file, ...place }, unreadableFills.message, unreadableFills.hint)];
    const exported = values.map(({ name }) => name);
    const missing = (read.lists ?? []).filter(({ hook }) => !exported.includes(hook.value));
    return missing.map(({ hook }) => {
      const message = `"fills" names "${hook.value}", which the file does not export`;
      const hint = 'export the hook, or remove its entry from "fills"';
      return problem("invalid-fills", createLocator(sources)(hook.at), message, hint);
    });
  });
}

function problem(code: DiagnosticCode, place: Location, message: string, hint: string): Diagnostic {
  return { code, severity: catalogue[code].severity, message, hint, ...place };
}

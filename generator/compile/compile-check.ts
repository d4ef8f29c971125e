import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ts as typescript } from "ts-morph";
import { compilerHost, emptyModule } from "./compiler-host.ts";
import { exportsOf, type ModuleExport } from "./module-exports.ts";

/** A TypeScript error with its place, 1-based; the path is relative to the project. */
export interface CompileError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly message: string;
}

export interface CompileInput {
  readonly root: string;
  /** Texts that are not on disk yet, by path relative to the project; null for files that will go. */
  readonly overlay: ReadonlyMap<string, string | null>;
  /** Files on disk to check as well, relative to the project. */
  readonly further: readonly string[];
  /** Those of the files whose exports are wanted. */
  readonly modules?: ReadonlySet<string>;
}

export interface Compiled {
  readonly errors: readonly CompileError[];
  /** What the wanted modules export, by their paths. */
  readonly exports: ReadonlyMap<string, readonly ModuleExport[]>;
}

/** Settings for a project without a tsconfig of its own: the strict ones of this repository. */
const strictOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  customConditions: ["source"],
};

/**
 * Type-checks files that exist in memory only, together with what they import from disk, with the project's own
 * settings. Loading the compiler takes a second or two, so callers skip it where nothing changed.
 */
export async function compile({ root, overlay, further, modules }: CompileInput): Promise<Compiled> {
  const { Project, ts } = await import("ts-morph");
  const config = join(root, "tsconfig.json");
  const project = new Project({
    ...(existsSync(config) ? { tsConfigFilePath: config } : { compilerOptions: strictOptionsOf(ts) }),
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  const absolute = (path: string) => join(root, path).split(sep).join("/");
  // An import of a file that will go must not find the old one on disk.
  const texts = new Map([...overlay].map(([path, text]) => [absolute(path), text ?? emptyModule]));
  const present = [...overlay].flatMap(([path, text]) => (text === null ? [] : [path]));
  const rootNames = [...present, ...further].map(absolute);
  const host = compilerHost(project, ts, texts);
  // A hook file that exports nothing is no module then, and says so instead of doing nothing.
  const options = { ...project.getCompilerOptions(), moduleDetection: ts.ModuleDetectionKind.Legacy };
  const program = ts.createProgram({ rootNames, options, host });
  const exports = [...(modules ?? [])].flatMap((path) => {
    const file = program.getSourceFile(absolute(path));
    // Of a text that cannot be read nobody knows what it means to export.
    if (file === undefined || program.getSyntacticDiagnostics(file).length > 0) return [];
    return [[path, exportsOf(program, ts, file)] as const];
  });
  return { errors: errorsOf(program, ts, root, rootNames), exports: new Map(exports) };
}

function strictOptionsOf(ts: typeof typescript): typescript.CompilerOptions {
  return {
    ...strictOptions,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
}

function errorsOf(
  program: typescript.Program,
  ts: typeof typescript,
  root: string,
  paths: readonly string[],
): CompileError[] {
  const found = paths.flatMap((path) => {
    const file = program.getSourceFile(path);
    if (file === undefined) return [];
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  const all = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...found];
  return all.map((diagnostic) => located(diagnostic, ts, root));
}

function located(diagnostic: typescript.Diagnostic, ts: typeof typescript, root: string): CompileError {
  const message = `${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")} (TS${diagnostic.code})`;
  const { file, start = 0, length = 1 } = diagnostic;
  if (file === undefined) return { file: "tsconfig.json", line: 1, column: 1, length: 1, message };
  const { line, character } = ts.getLineAndCharacterOfPosition(file, start);
  const path = relative(root, file.fileName).split(sep).join("/");
  return { file: path, line: line + 1, column: character + 1, length, message };
}

import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type CheckedProject, type Diagnostic, type Overlay, withProgram } from "../typescript/compiler.ts";

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
  /** Texts that are not on disk yet, by path relative to the project; null for files to remove. */
  readonly overlay: ReadonlyMap<string, string | null>;
  /** More files to check, which are on disk, relative to the project. */
  readonly further: readonly string[];
  /** Texts of files that an earlier stage has read, so that the check sees the same texts. */
  readonly known?: ReadonlyMap<string, string>;
  /** The files whose exports are returned. */
  readonly modules?: ReadonlySet<string>;
}

export interface Compiled {
  readonly errors: readonly CompileError[];
  /** The exports of the requested modules, by path. */
  readonly exports: ReadonlyMap<string, readonly ModuleExport[]>;
}

/** Settings for a project without a tsconfig.json: the strict settings of this repository. */
const strictSettings = {
  target: "es2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  types: ["node"],
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
};

/** Only in memory, in the project's folder, so that relative paths resolve. Each check needs a new name: the compiler caches. */
const settingsFile = () => `tsconfig.kirak-${checks++}.json`;
let checks = 1;

/**
 * Type-checks files that exist only in memory, together with the files that they import from disk, with the
 * project's settings.
 */
export async function compile({
  root,
  overlay,
  further,
  known = new Map(),
  modules,
}: CompileInput): Promise<Compiled> {
  const absolute = (path: string) => join(root, path).split(sep).join("/");
  const present = [...overlay].flatMap(([path, text]) => (text === null ? [] : [path]));
  const files = [...new Set([...present, ...further])];
  if (files.length === 0) return { errors: [], exports: new Map() };
  const settings = absolute(settingsFile());
  // An import of a file that will be removed must not find the file on disk.
  const texts = new Map<string, string | null>(
    [...known, ...overlay].map(([path, text]) => [absolute(path), text]),
  );
  texts.set(settings, settingsOf(root, files));
  return withProgram(settings, texts, (project) => {
    const exports = [...(modules ?? [])].flatMap((path) => {
      const file = project.program.getSourceFile(absolute(path));
      // The exports of a file with syntax errors are unknown.
      if (file === undefined || project.program.getSyntacticDiagnostics(file.fileName).length > 0) return [];
      return [[path, exportsOf(project, file)] as const];
    });
    const errors = diagnosticsOf(project, files.map(absolute)).map((one) => located(one, root, texts));
    return { errors, exports: new Map(exports) };
  });
}

function settingsOf(root: string, files: readonly string[]): string {
  const own = existsSync(join(root, "tsconfig.json"));
  // With "legacy" a hook file without exports is not a module, so the compiler reports its import.
  const always = { noEmit: true, moduleDetection: "legacy" };
  return JSON.stringify({
    ...(own ? { extends: "./tsconfig.json" } : {}),
    compilerOptions: { ...(own ? {} : strictSettings), ...always },
    files: files.map((path) => `./${path}`),
    include: [],
  });
}

function isLibrary(path: string): boolean {
  return /\/lib\.(?:[\w.]+\.)?d\.ts$/.test(path);
}

function diagnosticsOf({ program }: CheckedProject, files: readonly string[]): Diagnostic[] {
  // On file systems that ignore case, the compiler can report a path in another case.
  const wanted = new Set(files.map((path) => path.toLowerCase()));
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getProgramDiagnostics(),
    // Slow, and only needed if the standard library is missing.
    ...(program.getSourceFileNames().some(isLibrary) ? [] : program.getGlobalDiagnostics()),
    // Each call is a round trip to the compiler, so only semantic checks run file by file.
    ...[...program.getSyntacticDiagnostics(), ...program.getBindDiagnostics()].filter(
      ({ fileName }) => fileName === undefined || wanted.has(fileName.toLowerCase()),
    ),
    ...files.flatMap((path) => program.getSemanticDiagnostics(path)),
  ];
  return [
    ...new Map(found.map((one) => [`${one.fileName} ${one.pos} ${one.code} ${one.text}`, one])).values(),
  ];
}

function located(diagnostic: Diagnostic, root: string, texts: Overlay): CompileError {
  const { fileName, pos, end, code } = diagnostic;
  const message = `${textOf(diagnostic)} (TS${code})`;
  if (fileName === undefined) return { file: "tsconfig.json", line: 1, column: 1, length: 1, message };
  const before = (texts.get(fileName) ?? readFileSync(fileName, "utf8")).slice(0, pos).split("\n");
  const file = relative(root, fileName).split(sep).join("/");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { file, line: before.length, column, length: end - pos, message };
}

/** A message with its reasons, each on a line that is indented by its depth. */
function textOf({ text, messageChain = [] }: Diagnostic, depth = 0): string {
  const reasons = messageChain.map((reason) => `\n${"  ".repeat(depth + 1)}${textOf(reason, depth + 1)}`);
  return `${text}${reasons.join("")}`;
}

type SourceFile = NonNullable<ReturnType<CheckedProject["program"]["getSourceFile"]>>;
type Node = SourceFile["statements"][number]["parent"];

/** A value that a module exports, with its place in that module: 1-based, as in a `CompileError`. */
interface ModuleExport {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The values that a module exports, without types, by position. Empty if the file is not a module. */
function exportsOf({ checker }: CheckedProject, file: SourceFile): ModuleExport[] {
  const symbol = checker.getSymbolAtLocation(file);
  const type = symbol === undefined ? undefined : checker.getTypeOfSymbol(symbol);
  if (type === undefined) return [];
  return checker
    .getPropertiesOfType(type)
    .map(({ name, declarations }) => {
      const own = declarations.find(({ path }) => path === file.path)?.resolve();
      const node = own === undefined ? exportingAll(file) : nameOf(own);
      return { name, start: node.getStart(file), end: node.end };
    })
    .sort((a, b) => a.start - b.start)
    .map(({ name, start, end }) => {
      const { line, character } = file.getLineAndCharacterOfPosition(start);
      return { name, line: line + 1, column: character + 1, length: Math.max(1, end - start) };
    });
}

/** The name in a declaration. */
function nameOf(declaration: Node): Node {
  const { name }: { name?: Node } = Object(declaration);
  return name ?? declaration;
}

/** The `export *` that exports a declaration of another module; the file if it has none. */
function exportingAll(file: SourceFile): Node {
  const all = (node: Node) => /^export\s*\*\s*from\b/.test(node.getText(file));
  return file.statements.find(all) ?? file;
}

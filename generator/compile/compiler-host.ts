import { posix } from "node:path";
import type { Project, ts as typescript } from "ts-morph";

/** A module without anything in it. */
export const emptyModule = "export {};\n";

/**
 * What the compiler reads. Of ts-morph come the settings and the library of TypeScript, which it has built in; the
 * thousands of generated files go to the compiler as they are, since wrapping them takes longer than reading them.
 */
export function compilerHost(
  project: Project,
  ts: typeof typescript,
  texts: ReadonlyMap<string, string>,
): typescript.CompilerHost {
  const options = project.getCompilerOptions();
  const disk = ts.createCompilerHost(options);
  // The library is loaded with the first file of a program.
  project.createSourceFile("var/kirak/first.ts", emptyModule);
  const library = project.getProgram().compilerObject;
  const folder = posix.dirname(
    library.getSourceFiles().find((file) => library.isSourceFileDefaultLibrary(file))?.fileName ?? "",
  );
  const folders = new Set([...texts.keys()].map((path) => posix.dirname(path)));
  return {
    ...disk,
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    getDefaultLibLocation: () => folder,
    getDefaultLibFileName: (settings) => `${folder}/${ts.getDefaultLibFileName(settings)}`,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    directoryExists: (path) => folders.has(path) || disk.directoryExists?.(path) !== false,
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, language, ...more) => {
      const text = texts.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, language);
      return library.getSourceFile(path) ?? disk.getSourceFile(path, language, ...more);
    },
  };
}

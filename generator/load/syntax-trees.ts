import { join } from "node:path";
import { developmentModule } from "../packages/development-package.ts";
import { withProgram } from "../typescript/compiler.ts";
import type { CodeFile, NodeKinds } from "./code-literals.ts";
import type { InputFile } from "./files.ts";

/** The compiler reads a name once. */
let reads = 1;

/** Nothing but the syntax: types, packages and what files import have no part in it. */
const settings = { noLib: true, noResolve: true, types: [], noEmit: true, module: "esnext" };

/** What is wrong with the syntax of a file, by offsets. */
export interface SyntaxProblem {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

/** Looks at files as the compiler reads them, without running them; one that it cannot read comes with what is wrong. */
export async function lookAtSyntax<Found>(
  root: string,
  inputs: readonly InputFile[],
  look: (file: string, code: CodeFile | null, problems: readonly SyntaxProblem[]) => readonly Found[],
): Promise<Found[]> {
  const is: NodeKinds = await import(developmentModule("typescript", "unstable/ast/is"));
  const path = join(root, `tsconfig.kirak-syntax-${reads++}.json`);
  const files = inputs.map(({ file }) => `./${file}`);
  const texts = new Map<string, string>([
    [path, JSON.stringify({ compilerOptions: settings, files, include: [] })],
    ...inputs.map(({ file, text }) => [join(root, file), text ?? ""] as const),
  ]);
  const { found } = await withProgram(path, texts, ({ program }) =>
    inputs.flatMap(({ file }) => {
      const source = program.getSourceFile(join(root, file));
      const problems = program.getSyntacticDiagnostics(join(root, file));
      const isReadable = source !== undefined && problems.length === 0;
      return look(file, isReadable ? { file, source, is } : null, problems);
    }),
  );
  return found;
}

import type { CheckedProject } from "../typescript/compiler.ts";

type SourceFile = NonNullable<ReturnType<CheckedProject["program"]["getSourceFile"]>>;
type Node = SourceFile["statements"][number]["parent"];

/** A value that a module exports, with its place in that module: 1-based, as in a `CompileError`. */
export interface ModuleExport {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The values that a module exports, types left out, in the order of their places. None where it is no module. */
export function exportsOf({ checker }: CheckedProject, file: SourceFile): ModuleExport[] {
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

/** What another module declares came by an `export *`. */
function exportingAll(file: SourceFile): Node {
  const all = (node: Node) => /^export\s*\*\s*from\b/.test(node.getText(file));
  return file.statements.find(all) ?? file;
}

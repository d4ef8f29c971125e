import type { ts as typescript } from "ts-morph";

/** A value that a module exports, with its place in that module: 1-based, as in a `CompileError`. */
export interface ModuleExport {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The values that a module exports, types left out, in the order of their places. None where it is no module. */
export function exportsOf(
  program: typescript.Program,
  ts: typeof typescript,
  file: typescript.SourceFile,
): ModuleExport[] {
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(file);
  if (symbol === undefined) return [];
  const values = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol));
  return values
    .map((value) => ({ name: value.name, node: nodeOf(value, ts, file) }))
    .sort((a, b) => a.node.getStart(file) - b.node.getStart(file))
    .map(({ name, node }) => {
      const start = node.getStart(file);
      const { line, character } = ts.getLineAndCharacterOfPosition(file, start);
      return { name, line: line + 1, column: character + 1, length: Math.max(1, node.getEnd() - start) };
    });
}

/** The name in the declaration; what another module declares came by an `export *`. */
function nodeOf(
  symbol: typescript.Symbol,
  ts: typeof typescript,
  file: typescript.SourceFile,
): typescript.Node {
  const declaration = symbol.declarations?.find((node) => node.getSourceFile() === file);
  if (declaration !== undefined) return ts.getNameOfDeclaration(declaration) ?? declaration;
  const all = (node: typescript.Node) => ts.isExportDeclaration(node) && node.exportClause === undefined;
  return file.statements.find(all) ?? file;
}
